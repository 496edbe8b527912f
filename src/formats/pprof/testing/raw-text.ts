/** What `go tool pprof -raw` says of a profile: types of values, samples with their locations, functions and lines of locations. */

export interface RawProfile {
  readonly types: readonly { readonly type: string; readonly unit: string }[];
  readonly samples: readonly {
    readonly values: readonly number[];
    readonly locations: readonly string[];
    readonly labels: string;
  }[];
  /** Functions of a location, innermost first; empty of one without names. */
  readonly functions: ReadonlyMap<string, readonly string[]>;
}

export function rawProfile(text: string): RawProfile {
  const [head = '', rest = ''] = text.split('\nSamples:\n');
  const [samplesText = '', locationsText = ''] = rest.split('\nLocations\n');
  const [typesLine = '', ...lines] = samplesText.split('\n');
  if (head === '') throw new Error('no output of pprof -raw');
  const types = typesLine
    .trim()
    .split(/\s+/)
    .map((word) => {
      const at = word.replace('[dflt]', '').lastIndexOf('/');
      return { type: word.slice(0, at), unit: word.slice(at + 1).replace('[dflt]', '') };
    });
  const samples: { values: number[]; locations: string[]; labels: string }[] = [];
  for (const line of lines) {
    const sample = /^\s*([-\d ]+): ([\d ]*)$/.exec(line);
    const last = samples.at(-1);
    if (sample !== null) samples.push({ values: numbers(sample[1]), locations: words(sample[2]), labels: '' });
    else if (last !== undefined) last.labels += `${line.trim()} `;
  }
  return { types, samples, functions: functionsOf((locationsText.split('\nMappings')[0] ?? '').split('\n')) };
}

function functionsOf(lines: readonly string[]): Map<string, string[]> {
  const functions = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of lines) {
    const head = /^\s*(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(.*)$/.exec(line);
    if (head !== null) {
      current = [];
      functions.set(head[1] ?? '', current);
    }
    const name = /^(.*) \S*:-?\d+:-?\d+ s=-?\d+(?:\(.*\))?$/.exec((head?.[2] ?? line).trim());
    if (name !== null) current.push(name[1] ?? '');
  }
  return functions;
}

function words(text = ''): string[] {
  return text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function numbers(text = ''): number[] {
  return words(text).map(Number);
}
