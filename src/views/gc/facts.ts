/** What a recording says of garbage collection, in numbers and words. */
import { type Collections, collectionsOf } from '../../analysis/gc/collections.js';
import { type GcTimes, gcTimes, type TimeSums, timeSums } from '../../analysis/gc/pauses.js';
import { type TimeSpan, timeSpan } from '../../analysis/time-span.js';
import { MissingError } from '../../base/errors.js';
import { note } from '../../base/note.js';
import { stringAt } from '../../base/text.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import { allocationKind } from '../../models/events/allocation.js';
import { rowParts } from '../../models/packed-columns.js';
import type { Side } from '../question.js';

export const NO_SINGLE_PAUSES = note(
  'no-single-pauses',
  'The recording has no single pauses: all pauses of a collection count as one.',
);

export interface GcFacts {
  readonly collections: Collections;
  readonly times: GcTimes;
  /** The time of the recording within the scope. */
  readonly time: TimeSpan | undefined;
  /** Its length in ns; 0 if there is none. */
  readonly span: number;
  readonly pauses: TimeSums;
  readonly concurrent: TimeSums;
  /** Bytes a second: growth of the heap between collections, and by samples; null unknown. */
  readonly growth_rate: number | null;
  readonly sampled_rate: number | null;
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
  const span = within === undefined ? 0 : within.to - within.from;
  const text = (row: number): string | null => (row < 0 ? null : stringAt(program.names, row));
  const { otherName, name: names, cause, allocated, growing, promoted } = collections;
  return {
    collections,
    times,
    time: within,
    span,
    pauses: timeSums(times.pauses, within),
    concurrent: timeSums(times.concurrent, within),
    growth_rate: perSecond(sumKnown(allocated), sumKnown(growing)),
    sampled_rate: perSecond(sampledBytes(profile), span),
    promoted: sumKnown(promoted),
    nameOf: (row) => (otherName[row] < 0 ? text(names[row]) : `${text(names[row])} + ${text(otherName[row])}`),
    causeOf: (row) => text(cause[row]),
    text,
  };
}

function perSecond(bytes: number | null, ns: number | null): number | null {
  return bytes === null || ns === null || ns <= 0 ? null : (bytes / ns) * 1e9;
}

/** Null if none is known. */
function sumKnown(values: Int32Array | Float64Array): number | null {
  let sum = -1;
  for (let i = 0; i < values.length; i++) if (values[i] >= 0) sum = Math.max(0, sum) + values[i];
  return sum < 0 ? null : sum;
}

function sampledBytes(profile: Side['profile']): number | null {
  const kind = allocationKind(profile)?.kind;
  const table = profile?.events.find((events) => events.kind === kind);
  if (kind === undefined || table === undefined) return null;
  let sum: number | null = null;
  // There may be millions.
  for (const { columns } of rowParts(table, ['bytes'])) {
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
