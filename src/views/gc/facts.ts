/** What a recording says of garbage collection, in numbers and words. */
import { type Collections, collectionsOf } from '../../analysis/gc/collections.js';
import { type GcTimes, gcTimes, type TimeSums, timeSums } from '../../analysis/gc/pauses.js';
import { totalLength } from '../../analysis/spans.js';
import { type ScopedTime, timeSpan } from '../../analysis/time-span.js';
import { sumOf } from '../../base/columns/columns.js';
import { lowerBound } from '../../base/columns/search.js';
import { MissingError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { stringAt } from '../../base/text.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import { type AllocationEvents, allocationKind } from '../../models/events/allocation.js';
import { TIME } from '../../models/events/shared-fields.js';
import { rowParts } from '../../models/packed-columns.js';
import { eventTable } from '../../models/profile/profile.js';
import { columnOf, type Table } from '../../models/table.js';
import type { Side } from '../question.js';

export const NO_SINGLE_PAUSES = note(
  'no-single-pauses',
  'The recording has no single pauses: all pauses of a collection count as one.',
);

/** Rates of allocation in the time of which the growth of the heap is known. */
interface ComparedRates {
  /** Length of that time in ns. */
  readonly growing: number;
  /** Bytes a second by allocation events in it. */
  readonly sampled: number;
}

export interface GcFacts {
  readonly collections: Collections;
  readonly times: GcTimes;
  /** The time of the recording within the scope. */
  readonly time: ScopedTime | undefined;
  /** Its length in ns; 0 if there is none. */
  readonly span: number;
  readonly pauses: TimeSums;
  readonly concurrent: TimeSums;
  /** Bytes a second: growth of the heap between collections, and by samples; null unknown. */
  readonly growth_rate: number | null;
  readonly sampled_rate: number | null;
  /** The rates of the same time, if the two differ. */
  readonly compared: ComparedRates | undefined;
  /** Bytes copied to the old generation; null unknown. */
  readonly promoted: number | null;
  readonly nameOf: (row: number) => string | null;
  readonly causeOf: (row: number) => string | null;
  readonly text: (name: number) => string | null;
}

/** Throws `MissingError` if the recording has no collections. */
export function gcFacts({ recording, profile, subject, empty }: Side): GcFacts {
  const { program, name } = recording;
  const collections = collectionsOf(program, profile);
  if (collections.length === 0 && !empty && collectionsOf(program, recording.profile).length === 0)
    throw new MissingError(`${name} has no events of garbage collection`, {
      code: 'no-collections',
      advice: 'Recordings of JDK Flight Recorder have them, if collections happened and the settings include them.',
    });
  const times = gcTimes(profile, collections);
  const within = timeSpan(recording.profile, subject.scope);
  const span = within === undefined ? 0 : totalLength(within.parts);
  const text = (row: number): string | null => (row < 0 ? null : stringAt(program.names, row));
  const { otherName, name: names, cause, allocated, growing, promoted } = collections;
  // The heap grows by what all threads allocate.
  const isOfSomeThreads = subject.scope.some(({ kind }) => kind !== 'time');
  const growth_rate = isOfSomeThreads ? null : perSecond(sumKnown(allocated), sumKnown(growing));
  const sampled_rate = perSecond(sampledBytes(profile), span);
  return {
    collections,
    times,
    time: within,
    span,
    pauses: timeSums(times.pauses, within),
    concurrent: timeSums(times.concurrent, within),
    growth_rate,
    sampled_rate,
    compared: areClose(growth_rate, sampled_rate) ? undefined : comparedRates(profile, collections),
    promoted: sumKnown(promoted),
    nameOf: (row) => (otherName[row] < 0 ? text(names[row]) : `${text(names[row])} + ${text(otherName[row])}`),
    causeOf: (row) => text(cause[row]),
    text,
  };
}

function perSecond(bytes: number | null, ns: number | null): number | null {
  return bytes === null || ns === null || ns <= 0 ? null : (bytes / ns) * 1e9;
}

/** Rates that differ by less than this share agree. */
const CLOSE = 0.05;

function areClose(one: number | null, other: number | null): boolean {
  return one === null || other === null || Math.abs(one - other) <= CLOSE * Math.max(one, other);
}

/** The allocation events in the times of which the growth of the heap is known; undefined if they have no times. */
function comparedRates(profile: Side['profile'], { time, growing }: Collections): ComparedRates | undefined {
  const table = allocationTable(profile);
  if (table === undefined || columnOf(table, TIME) === undefined) return undefined;
  const ends = time.filter((_, i) => growing[i] >= 0);
  const lengths = growing.filter((length) => length >= 0);
  const length = sumOf(lengths);
  /** Whether a time is in one of the spans, which are in their order and do not overlap. */
  const isWithin = (moment: number): boolean => {
    const span = lowerBound(ends, moment);
    return span < ends.length && moment > ends[span] - lengths[span];
  };
  let bytes = 0;
  for (const { length: count, columns } of rowParts(table, [BYTES, TIME.key])) {
    const [values = [], times = []] = columns;
    for (let row = 0; row < count; row++) if (isWithin(times[row])) bytes += Math.max(0, values[row]);
  }
  const sampled = perSecond(bytes, length);
  return sampled === null ? undefined : { growing: length, sampled };
}

/** Null if none is known. */
function sumKnown(values: Int32Array | Float64Array): number | null {
  let sum = -1;
  for (let i = 0; i < values.length; i++) if (values[i] >= 0) sum = Math.max(0, sum) + values[i];
  return sum < 0 ? null : sum;
}

const BYTES = 'bytes' satisfies keyof AllocationEvents;

function allocationTable(profile: Side['profile']): Table | undefined {
  const kind = allocationKind(profile)?.kind;
  return profile === undefined || kind === undefined ? undefined : eventTable(profile, kind);
}

function sampledBytes(profile: Side['profile']): number | null {
  const table = allocationTable(profile);
  if (table === undefined) return null;
  let sum: number | null = null;
  // There may be millions.
  for (const { columns } of rowParts(table, [BYTES])) {
    const part = sumKnown(columns[0] ?? new Int32Array());
    if (part !== null) sum = (sum ?? 0) + part;
  }
  return sum;
}

/** How many collections have each text, most first. */
export function countTexts(length: number, textOf: (row: number) => string | null): [string, number][] {
  const counts = new Map<string, number>();
  for (let row = 0; row < length; row++) {
    const text = textOf(row) ?? 'unknown';
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** Why the two rates of allocation differ. */
export function rateNotes({ compared, growth_rate, span }: GcFacts): Note[] {
  if (compared === undefined) return [];
  const { growing, sampled } = compared;
  const inTime = `Growth of the heap is known for ${formatValue(growing, 'ns')} of ${formatValue(span, 'ns')}: allocation events of that time stand for ${formatValue(sampled, 'bytes')}/s.`;
  const rest = areClose(growth_rate, sampled)
    ? ''
    : ' Samples are estimates, and lack what was allocated since the last one of each thread; the heap also grows by the unused rest of buffers.';
  return [note('rates-differ', `${inTime}${rest}`)];
}

export function gcHeadlines(facts: GcFacts): string[] {
  const { collections, pauses, concurrent, times, span } = facts;
  const ns = (value: number | null): string => (value === null ? 'unknown' : formatValue(value, 'ns'));
  const counted = (textOf: (row: number) => string | null): string =>
    countTexts(collections.length, textOf)
      .map(([text, count]) => `${text} ${formatCount(count)}`)
      .join(', ');
  const rates = [
    ...(facts.growth_rate === null
      ? []
      : [`${formatValue(facts.growth_rate, 'bytes')}/s by growth of the heap between collections`]),
    ...(facts.sampled_rate === null ? [] : [`${formatValue(facts.sampled_rate, 'bytes')}/s by allocation events`]),
  ];
  const counts = times.single
    ? plural(pauses.count, 'pause')
    : plural(pauses.count, 'collection with pauses', 'collections with pauses');
  return [
    ...(pauses.count === 0
      ? []
      : [
          `${counts}: ${ns(pauses.sum)}${pauses.share === null ? '' : `, ${formatValue(pauses.share, 'ratio')} of ${ns(span)}`}; p50 ${ns(pauses.p50)}, p90 ${ns(pauses.p90)}, p99 ${ns(pauses.p99)}, p99.9 ${ns(pauses.p999)}, longest ${ns(pauses.max)}`,
        ]),
    ...(concurrent.count === 0
      ? []
      : [
          `${plural(concurrent.count, 'concurrent phase')}, no pauses: ${ns(concurrent.sum)}; longest ${ns(concurrent.max)}`,
        ]),
    ...(collections.length === 0 ? [] : [`${plural(collections.length, 'collection')}: ${counted(facts.nameOf)}`]),
    ...(collections.cause.every((cause) => cause < 0) ? [] : [`Causes: ${counted(facts.causeOf)}`]),
    ...(rates.length === 0 ? [] : [`Allocation: ${rates.join('; ')}`]),
    ...(facts.promoted === null ? [] : [`Copied to the old generation: ${formatValue(facts.promoted, 'bytes')}`]),
  ];
}
