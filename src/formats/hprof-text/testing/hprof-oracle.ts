/**
 * The expected result of the HPROF text reader for a damaged file, from the second reading (`hprof-truth`): lines that
 * fit the grammar where they are must be read, all others reported with their offset, and nothing else may appear.
 */
import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { PROBLEMS_KEPT_PER_CODE, type Problems } from '../../../base/problems.js';
import type { Recording } from '../../../models/recording.js';
import type { Fault, Judge, Verdict } from '../../../testing/fuzz/fuzzed-reader.js';
import type { Breach, HprofContent, HprofTruth } from './hprof-content.js';
import { seenByReader } from './hprof-seen.js';
import { hprofTruth } from './hprof-truth.js';
import { latin1 } from './hprof-truth-grammar.js';

/** Number of errors compared: a log keeps 20 problems of a code. */
const SHOWN = 5;
const ENCODING = 'hprof-encoding';

export function hprofOracle(): Judge {
  return (mutated, outcome) => {
    const truth = hprofTruth(mutated);
    const illegible = illegibleLines(mutated);
    const damaged = truth.breaches.length + truth.dangling.length + illegible.length > 0;
    const input: Verdict['input'] = damaged ? 'damaged' : 'sound';
    if (outcome.kind === 'refused') {
      const read = truth.items.length + truth.old.length > 0 || truth.prelude !== '';
      return read ? { input, fault: { code: 'refused', detail: outcome.message } } : { input };
    }
    const { recording, problems } = outcome;
    const fault = difference(truth, recording) ?? encoding(illegible, problems) ?? shown(truth, recording, problems);
    return fault === undefined ? { input } : { input, fault };
  };
}

/** Line starts, and the starts of the parts of a line. */
export function hprofEdges(bytes: Uint8Array): number[] {
  const edges: number[] = [];
  for (let at = 0; at < bytes.length; at++) if (at === 0 || bytes[at - 1] === 10) edges.push(at);
  return edges;
}

const PARTS = ['prelude', 'items', 'threads', 'waits', 'traces', 'sections', 'old', 'dangling'] as const;

/** Offsets of the lines that are not UTF-8 for Node, except for surrogates and NUL of Java's modified UTF-8. */
export function illegibleLines(bytes: Uint8Array): number[] {
  const found: number[] = [];
  if (isUtf8(bytes)) return found;
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf(10, from);
    const to = feed < 0 ? bytes.length : feed;
    const text = latin1(bytes.subarray(from, to)).replace(/\xed[\xa0-\xbf][\x80-\xbf]|\xc0\x80/g, '');
    if (!isUtf8(Buffer.from(text, 'latin1'))) found.push(from);
    from = to + 1;
  }
  return found;
}

/** Whether the lines that are not text are reported, each at its offset. */
function encoding(illegible: readonly number[], { list, counts }: Problems): Fault | undefined {
  const named = list.filter(({ code }) => code === ENCODING).map(({ offset }) => offset);
  const wanted = illegible.slice(0, PROBLEMS_KEPT_PER_CODE);
  if (isDeepStrictEqual(named, wanted) && (counts[ENCODING] ?? 0) === illegible.length) return undefined;
  return { code: 'encoding', detail: `lines at ${wanted.join(' ')} are no text; named are ${named.join(' ')}` };
}

/** Compares a recording with the second reading. Lines that are not frames may be read as anything. */
export function difference(truth: HprofTruth, recording: Recording): Fault | undefined {
  const seen = seenByReader(recording);
  truth.traces.forEach(({ frames }, i) => {
    const read = seen.traces[i]?.frames;
    for (let at = 0; at < Math.min(frames.length, read?.length ?? 0); at++)
      if (frames[at] === undefined && read !== undefined) read[at] = undefined;
  });
  // The outermost frame shows whether the longest trace was cut.
  if (truth.traces.some(({ frames }) => frames.length > 0 && frames.at(-1) === undefined))
    for (const trace of [...truth.traces, ...seen.traces]) trace.cut = false;
  // References mean the first trace of a serial.
  const first = new Map(truth.traces.toReversed().map(({ serial, frames }) => [serial, frames]));
  const isUnknown = (frames: readonly unknown[] = []): boolean => frames.length > 0 && frames[0] === undefined;
  for (const section of seen.sections)
    for (const row of section.rows) if (isUnknown(first.get(row.trace))) row.leaf = '';
  // Text that is not a date may be read as anything.
  truth.sections.forEach(({ date }, i) => {
    const read = seen.sections[i];
    if (read !== undefined && /[^ -~]/.test(date)) read.date = date;
  });
  for (const part of PARTS) {
    const fault = differs(part, truth[part], seen[part]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function differs(part: string, wanted: HprofContent[keyof HprofContent], read: typeof wanted): Fault | undefined {
  if (isDeepStrictEqual(wanted, read)) return undefined;
  if (typeof wanted === 'string' || typeof read === 'string') return { code: 'differs', detail: `the ${part}` };
  const at = [...wanted, ''].findIndex((one, i) => !isDeepStrictEqual(one, [...read, ''][i]));
  const texts = [wanted[at], read[at]].map((one) => JSON.stringify(one) ?? 'nothing');
  const from = [...(texts[0] ?? '')].findIndex((character, i) => character !== texts[1]?.[i]);
  const [first, second] = texts.map((text) => text.slice(Math.max(0, from - 60), from + 60));
  const code = wanted.length > read.length ? 'lost' : wanted.length < read.length ? 'invented' : 'differs';
  return { code, detail: `${part} ${at}: ${first} by the grammar, ${second} read` };
}

/** Whether exactly the errors are reported. */
function shown(truth: HprofTruth, recording: Recording, problems: Problems): Fault | undefined {
  const bad = problems.list.filter(({ code, severity }) => severity !== 'info' && code !== ENCODING);
  const isLost = truth.breaches.some(({ kind }) => kind !== 'contradiction');
  const dangling = problems.counts['hprof-dangling-trace'] ?? 0;
  if (dangling !== truth.dangling.length)
    return { code: 'dangling', detail: `${truth.dangling.length} traces are not there, ${dangling} are named` };
  if (recording.complete === isLost)
    return { code: isLost ? 'silent' : 'false alarm', detail: `${truth.breaches[0]?.why ?? bad[0]?.message ?? ''}` };
  if (truth.breaches.length === 0) {
    const alarm = bad.find(({ code }) => code !== 'hprof-dangling-trace');
    return alarm === undefined ? undefined : { code: 'false alarm', detail: `${alarm.code}: ${alarm.message}` };
  }
  const hidden = truth.breaches.slice(0, SHOWN).find((breach) => !isNamed(breach, problems));
  return hidden === undefined
    ? undefined
    : { code: 'silent', detail: `${hidden.kind} at ${hidden.offset}: ${hidden.why}`.slice(0, 300) };
}

function isNamed({ kind, offset }: Breach, { list }: Problems): boolean {
  return list.some(
    (problem) =>
      (offset < 0 || problem.offset === offset || (kind === 'cut' && (problem.offset ?? 0) >= offset - 2)) &&
      (kind === 'contradiction'
        ? problem.severity !== 'info' && problem.code !== ENCODING
        : problem.severity === 'error'),
  );
}
