/** What a recording says of garbage collection, in numbers, as a stage. */
import { sumOf } from '../../base/columns/columns.js';
import { lowerBound } from '../../base/columns/search.js';
import { MissingError } from '../../base/errors.js';
import { stringAt } from '../../base/text.js';
import { type AllocationEvents, allocationKind } from '../../models/events/allocation.js';
import { TIME } from '../../models/events/shared-fields.js';
import type { Subject } from '../../models/open-recording.js';
import { rowParts } from '../../models/packed-columns.js';
import { eventTable, type Profile } from '../../models/profile/profile.js';
import { columnOf, type Table } from '../../models/table.js';
import type { ScopedRecording } from '../scope/scoped.js';
import { scopedPart } from '../scope/scoped-part.js';
import { totalLength } from '../spans.js';
import { type ScopedTime, timeSpan } from '../time-span.js';
import { type Collections, collectionsOf } from './collections.js';
import { type GcTimes, gcTimes, type TimeSums, timeSums } from './pauses.js';

/** Rates of allocation in the time of which the growth of the heap is known. */
interface ComparedRates {
  /** Length of that time in ns. */
  readonly growing: number;
  /** Bytes a second by allocation events in it. */
  readonly sampled: number;
}

/** Rates are null if they are unknown. */
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
  /** Bytes of the used heap: after the last collection, and at most at the beginning or end of one; null unknown. */
  readonly usedAfter: number | null;
  readonly usedMost: number | null;
  /** Bytes copied to the old generation; null unknown. */
  readonly promoted: number | null;
  readonly nameOf: (row: number) => string | null;
  readonly causeOf: (row: number) => string | null;
  readonly text: (name: number) => string | null;
}

function gcFacts({ recording, profile, empty }: ScopedRecording, subject: Subject): GcFacts {
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
    usedAfter: collections.after.findLast((bytes) => bytes >= 0) ?? null,
    usedMost: mostKnown(collections.before, collections.after),
    promoted: sumKnown(promoted),
    nameOf: (row) => (otherName[row] < 0 ? text(names[row]) : `${text(names[row])} + ${text(otherName[row])}`),
    causeOf: (row) => text(cause[row]),
    text,
  };
}

function mostKnown(...columns: readonly Float64Array[]): number | null {
  let most = -1;
  for (const column of columns) for (const value of column) if (value > most) most = value;
  return most < 0 ? null : most;
}

function perSecond(bytes: number | null, ns: number | null): number | null {
  return bytes === null || ns === null || ns <= 0 ? null : (bytes / ns) * 1e9;
}

/** Rates that differ by less than this share agree. */
const CLOSE = 0.05;

/** Whether two rates of allocation agree; unknown ones do. */
export function areClose(one: number | null, other: number | null): boolean {
  return one === null || other === null || Math.abs(one - other) <= CLOSE * Math.max(one, other);
}

/** The allocation events in the times of which the growth of the heap is known; undefined if they have no times. */
function comparedRates(profile: Profile | undefined, { time, growing }: Collections): ComparedRates | undefined {
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

function allocationTable(profile: Profile | undefined): Table | undefined {
  const kind = allocationKind(profile)?.kind;
  return profile === undefined || kind === undefined ? undefined : eventTable(profile, kind);
}

function sampledBytes(profile: Profile | undefined): number | null {
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

/** Bytes of a collection, of its pauses and phases. */
const BYTES_A_COLLECTION = 150;
const BYTES_A_SPAN = 24;

/** Garbage collection within the scope. Throws `MissingError` if the recording has no collections. */
export const gcFactsUse = scopedPart<GcFacts>({
  name: 'garbage collection',
  version: 1,
  key: () => '',
  run: (scoped, _, __, subject) => gcFacts(scoped, subject),
  bytes: ({ collections, times: { pauses, concurrent, parts } }) =>
    collections.length * BYTES_A_COLLECTION + (pauses.length + concurrent.length + parts.length) * BYTES_A_SPAN,
});
