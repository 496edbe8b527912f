/**
 * Judges what a reader made of a damaged log by what it must make of the lines without prefix, wrapping and encoding: taken
 * off here by the plainest rule for each fixture. Where a line does not keep to that rule nothing is decided.
 */
import type { Judge, Outcome } from '../../../testing/fuzz/fuzzed-reader.js';

/** The line inside, or undefined. */
type Unwrap = (line: string) => string | undefined;

const behind =
  (prefix: RegExp): Unwrap =>
  (line) => {
    const match = prefix.exec(line);
    return match === null ? undefined : line.slice(match[0].length);
  };

const WAYS: readonly Unwrap[] = [
  behind(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}\+02:00 stdout F(?: |$)/),
  behind(/^Mar (?: 1|29) \d\d:\d\d:\d\d host-1 app\.service\[4711\]:(?: |$)/),
  behind(/^app-1 {2}\|(?: |$)/),
  fromDocker,
];

function fromDocker(line: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!line.startsWith('{"log":"') || typeof value !== 'object' || value === null) return undefined;
  if (!('log' in value && 'stream' in value && value.stream === 'stdout')) return undefined;
  const { log } = value;
  // A carriage return at the end, or a line feed inside, is one reading's end of a line and the other's damage.
  return typeof log === 'string' && /^[^\r\n]*\n$/.test(log) ? log.slice(0, -1) : undefined;
}

const HEADINGS = /^Full thread dump .{1,300}:$|^ num +#instances +#bytes +class name(?: \(module\))?$/gm;

/** The judge of the text inside the wrapping of a fixture, or of the fixture itself if it is not wrapped. */
export function unwrappedOracle(inner: (original: Uint8Array) => Judge): (original: Uint8Array) => Judge {
  return (original) => {
    const wide = wideText(original);
    const first = Buffer.from(original).toString('utf8').split('\n', 1)[0] ?? '';
    const way = WAYS.find((unwrap) => unwrap(first) !== undefined);
    if (wide === undefined && way === undefined) return unlessPrefixed(inner(original));
    const plain = (bytes: Uint8Array): string | undefined =>
      wide === undefined ? unwrapped(bytes, way) : wideText(bytes);
    const whole = plain(original) ?? '';
    const judge = inner(Buffer.from(whole));
    const headings = whole.match(HEADINGS)?.join('\n');
    return (mutated, outcome, cutAt) => {
      const text = plain(mutated);
      if (text === undefined || text.match(HEADINGS)?.join('\n') !== headings) return { input: 'ambiguous' };
      const bytes = Buffer.from(text);
      return judge(bytes, within(outcome, bytes.length), cutAt);
    };
  };
}

/** A line out of another fixture begins or ends what has its prefix; the plain rules know nothing of that. */
function unlessPrefixed(judge: Judge): Judge {
  const prefixes = /\w {0,2}\||host-1 app\.service\[|\+02:00 stdout F|\{"log":"/;
  return (mutated, outcome, cutAt) =>
    prefixes.test(Buffer.from(mutated).toString('latin1')) ? { input: 'ambiguous' } : judge(mutated, outcome, cutAt);
}

function unwrapped(bytes: Uint8Array, way: Unwrap | undefined): string | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  if (text.includes('\ufffd') || !text.endsWith('\n')) return undefined;
  const lines = text
    .slice(0, -1)
    .split('\n')
    .map((line) => way?.(line));
  return lines.includes(undefined) ? undefined : `${lines.join('\n')}\n`;
}

/** UTF-16 with its mark, where that is whole. */
function wideText(bytes: Uint8Array): string | undefined {
  const little = bytes[0] === 0xff && bytes[1] === 0xfe;
  if ((!little && !(bytes[0] === 0xfe && bytes[1] === 0xff)) || bytes.length % 2 === 1) return undefined;
  const text = new TextDecoder(little ? 'utf-16le' : 'utf-16be').decode(bytes);
  return text.includes('\ufffd') ? undefined : text;
}

/** Offsets are of the file; the judge knows the text inside only. */
function within(outcome: Outcome, length: number): Outcome {
  if (outcome.kind === 'refused') return outcome;
  const list = outcome.recording.problems.list.map((problem) =>
    problem.offset === undefined ? problem : { ...problem, offset: Math.min(problem.offset, length) },
  );
  return { ...outcome, recording: { ...outcome.recording, problems: { ...outcome.recording.problems, list } } };
}
