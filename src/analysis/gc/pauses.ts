/** The pauses and concurrent phases of collections, and their sums, percentiles and share of the time. */
import { rowsWhere, taken } from '../../base/columns/marks.js';
import { GC_PHASE_EVENTS } from '../../models/events/gc.js';
import type { Profile } from '../../models/profile/profile.js';
import type { TimeSpans } from '../../models/scope.js';
import { percentile } from '../percentile.js';
import { commonSpans, joinedSpans, totalLength } from '../spans.js';
import type { ScopedTime } from '../time-span.js';
import type { Collections } from './collections.js';

/** TimeSpans of a kind, one a row: their durations in ns, with the names of phases and the rows of their collections (-1 unknown). */
export interface GcSpans {
  readonly length: number;
  readonly time: Float64Array;
  readonly duration: Float64Array;
  readonly name: Int32Array;
  readonly collection: Int32Array;
}

export interface GcTimes {
  readonly pauses: GcSpans;
  /** Whether the recording has each pause; else a row has all pauses of a collection. */
  readonly single: boolean;
  /** During which the program runs. */
  readonly concurrent: GcSpans;
  /** Parts of pauses; parts of parts are not among them. */
  readonly parts: GcSpans;
}

/** Pauses of the collections. Durations that are none are skipped. */
export function gcTimes(profile: Profile | undefined, collections: Collections): GcTimes {
  const pauses = spansOf(profile, collections, 0, 0);
  const single = pauses.length > 0;
  return {
    pauses: single ? pauses : pausesOfCollections(collections),
    single,
    concurrent: spansOf(profile, collections, 0, 1),
    parts: spansOf(profile, collections, 1, 0),
  };
}

function spansOf(profile: Profile | undefined, collections: Collections, level: number, concurrent: number): GcSpans {
  const phases = GC_PHASE_EVENTS.of(profile);
  if (phases === undefined)
    return {
      length: 0,
      time: new Float64Array(),
      duration: new Float64Array(),
      name: new Int32Array(),
      collection: new Int32Array(),
    };
  const rows = new Int32Array(phases.length);
  let length = 0;
  for (let i = 0; i < phases.length; i++)
    if (phases.level[i] === level && phases.concurrent[i] === concurrent && phases.duration[i] >= 0) rows[length++] = i;
  const kept = rows.subarray(0, length);
  const rowOf = new Map<number, number>();
  for (let i = 0; i < collections.length; i++) rowOf.set(collections.number[i], i);
  return {
    length,
    time: new Float64Array(taken(phases.time, kept)),
    duration: new Float64Array(taken(phases.duration, kept)),
    name: new Int32Array(taken(phases.name, kept)),
    collection: Int32Array.from(kept, (i) => rowOf.get(phases.collection[i]) ?? -1),
  };
}

function pausesOfCollections({ time, paused, length }: Collections): GcSpans {
  const rows = rowsWhere(length, (i) => paused[i] >= 0);
  return {
    length: rows.length,
    time: taken(time, rows),
    duration: taken(paused, rows),
    name: new Int32Array(rows.length).fill(-1),
    collection: rows,
  };
}

/** Times in ns; null where there are none. */
export interface TimeSums {
  readonly count: number;
  readonly sum: number;
  /** Of the time, as far as they are within it; what overlaps counts once. */
  readonly share: number | null;
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
  readonly max: number | null;
}

/** The sums of some durations. `span` is the time that they are a share of: they may begin before it or end later. */
export function timeSums(
  { time, duration }: Pick<GcSpans, 'time' | 'duration'>,
  span: ScopedTime | undefined,
): TimeSums {
  const sorted = duration.slice().sort();
  const count = sorted.length;
  const sum = sorted.reduce((all, each) => all + each, 0);
  return {
    count,
    sum,
    share: span === undefined ? null : coveredShare(time, duration, span.parts),
    mean: count === 0 ? null : sum / count,
    p50: percentile(sorted, 0.5),
    p90: percentile(sorted, 0.9),
    p99: percentile(sorted, 0.99),
    p999: percentile(sorted, 0.999),
    max: count === 0 ? null : sorted[count - 1],
  };
}

function coveredShare(time: Float64Array, duration: Float64Array, parts: TimeSpans): number {
  return (
    totalLength(
      commonSpans(
        joinedSpans(time, (row) => time[row] + Math.max(0, duration[row])),
        parts,
      ),
    ) / totalLength(parts)
  );
}
