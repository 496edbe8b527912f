/** What `protoc --decode` prints of a file of OTLP profiles, with the schema of its layout: samples as names of functions, values and times. */

/** A message as text: lists by name of field. */
interface TextMessage {
  readonly [field: string]: readonly (string | TextMessage)[];
}

export interface DecodedSample {
  /** Leaf first. */
  readonly frames: readonly string[];
  readonly values: readonly number[];
  readonly times: readonly bigint[];
}

export function decodedSamples(text: string): DecodedSample[] {
  const root = messageOf(text.split('\n'));
  const dictionary = messages(root, 'dictionary')[0] ?? {};
  const strings = texts(dictionary, 'string_table').map((quoted) => String(JSON.parse(quoted.replace(/\\'/g, "'"))));
  const functions = messages(dictionary, 'function_table').map((one) => strings[number(one, 'name_strindex')] ?? '');
  const locations = messages(dictionary, 'location_table').map((one) =>
    [...messages(one, 'line'), ...messages(one, 'lines')].map(
      (line) => functions[number(line, 'function_index')] ?? '',
    ),
  );
  const stacks = messages(dictionary, 'stack_table').map((one) => texts(one, 'location_indices').map(Number));
  return messages(root, 'resource_profiles').flatMap((resource) =>
    messages(resource, 'scope_profiles').flatMap((scope) =>
      messages(scope, 'profiles').flatMap((profile) => {
        const list = texts(profile, 'location_indices').map(Number);
        return [...messages(profile, 'sample'), ...messages(profile, 'samples')].map((sample) => {
          const start = number(sample, 'locations_start_index');
          const rows =
            stacks[number(sample, 'stack_index')] ?? list.slice(start, start + number(sample, 'locations_length'));
          return {
            frames: rows.flatMap((row) => locations[row] ?? []),
            values: [...texts(sample, 'value'), ...texts(sample, 'values')].map(Number),
            times: texts(sample, 'timestamps_unix_nano').map(BigInt),
          };
        });
      }),
    ),
  );
}

function messageOf(lines: readonly string[]): TextMessage {
  const root: Record<string, (string | TextMessage)[]> = {};
  const open = [root];
  for (const line of lines) {
    const [, opened, key, value] = /^\s*(?:(\w+) \{|(\w+): (.*)|\})$/.exec(line) ?? [];
    const top = open.at(-1);
    if (line.trim() === '' || top === undefined) continue;
    if (opened !== undefined) {
      const inner: Record<string, (string | TextMessage)[]> = {};
      top[opened] = [...(top[opened] ?? []), inner];
      open.push(inner);
    } else if (key !== undefined) {
      const values = top[key] ?? [];
      values.push(value ?? '');
      top[key] = values;
    } else open.pop();
  }
  return root;
}

function messages(message: TextMessage, field: string): TextMessage[] {
  return (message[field] ?? []).flatMap((one) => (typeof one === 'string' ? [] : [one]));
}

function texts(message: TextMessage, field: string): string[] {
  return (message[field] ?? []).flatMap((one) => (typeof one === 'string' ? [one] : []));
}

function number(message: TextMessage, field: string): number {
  return Number(texts(message, field)[0] ?? 0);
}
