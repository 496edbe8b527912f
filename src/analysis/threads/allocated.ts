/**
 * What threads allocated by their counters, beside what their allocation samples stand for in the same time.
 *
 *   counter          10 MB ─────────────── 16 MB      grown 6 MB
 *   samples     9 MB │     1 MB    3 MB    1.5 MB │   sampled 5.5 MB
 */
import { inTimeOrder } from '../../base/columns/order.js';
import { ALLOCATION_EVENTS, THREAD_ALLOCATION_EVENTS } from '../../models/events/allocation.js';
import type { Profile } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import { threadLives } from './lives.js';

export interface ThreadAllocations {
  /** By thread: bytes by which its counter grew; NaN if it was not seen twice, nor once after a recorded start. */
  readonly grown: Float64Array;
  /** By thread: bytes that its samples of the same time stand for; NaN as above. Samples of carriers are those of virtual threads, so carriers have none. */
  readonly sampled: Float64Array;
  /** Threads with both. */
  readonly threads: number;
  /** Sums over all of them, carriers and virtual threads included. */
  readonly grownSum: number;
  readonly sampledSum: number;
}

/**
 * Undefined if the profile has no samples, or no counters that grew. `whole`: the profile that the starts of threads are in. Cost: a pass
 * over counters and samples.
 */
export function threadAllocations(profile: Profile, whole: Profile = profile): ThreadAllocations | undefined {
  const counters = THREAD_ALLOCATION_EVENTS.of(profile);
  const samples = ALLOCATION_EVENTS.of(profile);
  if (counters === undefined || samples?.thread === undefined || samples.time === undefined) return undefined;
  const { length: count } = whole.threads ?? { length: 0 };
  const ranges = countedRanges(profile, whole, count);
  const sampled = ranges.grown.map((grown) => (Number.isNaN(grown) ? Number.NaN : 0));
  const virtual = whole.threads && THREADS.rows(whole.threads).virtual;
  let virtualSum = 0;
  for (let row = 0; row < samples.length; row++) {
    const [thread, time] = [samples.thread[row], samples.time[row]];
    if (virtual?.[thread] === 1) virtualSum += time > ranges.earliest && time <= ranges.latest ? samples.bytes[row] : 0;
    else if (time > ranges.begin[thread] && time <= ranges.end[thread]) sampled[thread] += samples.bytes[row];
  }
  const threads = ranges.grown.filter((grown) => !Number.isNaN(grown)).length;
  if (threads === 0) return undefined;
  return {
    grown: ranges.grown,
    sampled,
    threads,
    grownSum: sumKnown(ranges.grown),
    sampledSum: sumKnown(sampled) + virtualSum,
  };
}

/** By thread: when its counter was first and last read, and by how much it grew; NaN where that is unknown. */
function countedRanges(profile: Profile, whole: Profile, count: number) {
  const unknown = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  const [begin, end, first, grown] = [unknown(), unknown(), unknown(), unknown()];
  const starts = threadLives(whole)?.start;
  let [earliest, latest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const counters = THREAD_ALLOCATION_EVENTS.of(profile);
  const order = counters && inTimeOrder(counters.time);
  for (let i = 0; counters !== undefined && i < counters.length; i++) {
    const row = order === undefined ? i : order[i];
    const [thread, time, total] = [counters.thread[row], counters.time[row], counters.total[row]];
    if (thread < 0 || thread >= count) continue;
    const start = starts?.[thread] ?? Number.NaN;
    if (Number.isNaN(begin[thread])) {
      // A thread that started in this time began with 0; profiles of a later time lack its start.
      const isNew = start <= time && profile === whole;
      begin[thread] = isNew ? start : time;
      first[thread] = isNew ? 0 : total;
    }
    if (time <= begin[thread]) continue;
    end[thread] = time;
    grown[thread] = total - first[thread];
    earliest = Math.min(earliest, begin[thread]);
    latest = Math.max(latest, time);
  }
  return { begin, end, grown, earliest, latest };
}

function sumKnown(values: Float64Array): number {
  return values.reduce((sum, value) => (Number.isNaN(value) ? sum : sum + value), 0);
}
