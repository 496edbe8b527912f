/**
 * Allocation samples that stand for a time before the recording.
 *
 * HotSpot weighs a sample with all that its thread allocated since its sample before, and keeps that mark from one recording to the next
 * (`objectAllocationSample` in `allocTracer.inline.hpp`). So the first sample of a thread that is older than the recording weighs what the
 * thread allocated since it started, or since a recording that ended before. That weight is moved to the column `earlier`.
 *
 * A virtual thread allocates on the account of its carrier: the first sample of an old carrier is a sample of any virtual thread, and is
 * recognised by the counter of the carrier.
 */
import { inTimeOrder } from '../../../base/columns/order.js';
import { THREAD_ALLOCATION_EVENTS } from '../../../models/events/allocation.js';
import { LIFE_STEPS, THREAD_LIFE_EVENTS } from '../../../models/events/state.js';
import { THREADS } from '../../../models/profile/tables.js';
import type { Facts, RecordedStretch } from './facts.js';
import type { KindColumns } from './kind-source.js';

/** What a thread had allocated since it started. */
interface Count {
  readonly time: number;
  readonly total: number;
}

/** What a recording says of the time that it covers. */
export type RecordedTime = Pick<Facts, 'stretches' | 'carrierGroup' | 'recordsStarts'>;

type Others = (kind: string) => Readonly<KindColumns> | undefined;

/** Moves the weights of samples that are mostly of the time before the recording from `bytes` to `earlier`. */
export function leaveOutEarlier(columns: KindColumns, facts: RecordedTime, others: Others): void {
  const { thread, time, bytes }: Partial<KindColumns> = columns;
  // Damaged metadata may lack them.
  if (thread === undefined || time === undefined || bytes === undefined) return;
  const threads = new ThreadHistory(others, facts);
  const earlier = new Float64Array(thread.length);
  const order = inTimeOrder(time);
  let isAny = false;
  for (let i = 0; i < thread.length; i++) {
    const row = order === undefined ? i : order[i];
    if (thread[row] < 0 || !threads.isEarlier(thread[row], time[row], bytes[row])) continue;
    earlier[row] = bytes[row];
    isAny ||= bytes[row] > 0;
  }
  if (!isAny) return;
  for (let row = 0; row < bytes.length; row++) if (earlier[row] > 0) bytes[row] = 0;
  columns.earlier = earlier;
}

/** What is known of threads: when they started, what they had allocated, which had a sample before. Samples come in the order of time. */
class ThreadHistory {
  readonly #stretches: readonly RecordedStretch[];
  readonly #keys: ThreadKeys;
  readonly #starts = new Map<number, number>();
  readonly #counts = new Map<number, Count[]>();
  /** By thread: the stretch of its last sample. */
  readonly #sampled = new Map<number, number>();
  /** Whether starts of threads are recorded. */
  readonly #hasStarts: boolean;
  #stretch = 0;

  constructor(others: Others, facts: RecordedTime) {
    this.#stretches = facts.stretches;
    this.#keys = new ThreadKeys(others(THREADS.kind), facts.carrierGroup);
    const lives = others(THREAD_LIFE_EVENTS.kind);
    const start = LIFE_STEPS.indexOf('start');
    for (let row = 0; lives !== undefined && row < lives.time.length; row++)
      if (lives.step[row] === start) this.#starts.set(this.#keys.of(lives.thread[row]), lives.time[row]);
    this.#hasStarts = this.#starts.size > 0 || facts.recordsStarts;
    this.#addCounts(others(THREAD_ALLOCATION_EVENTS.kind));
  }

  #addCounts(counters: Readonly<KindColumns> | undefined): void {
    if (counters === undefined) return;
    const order = inTimeOrder(counters.time);
    for (let i = 0; i < counters.time.length; i++) {
      const row = order === undefined ? i : order[i];
      const key = this.#keys.of(counters.thread[row]);
      const counts = this.#counts.get(key) ?? [];
      this.#counts.set(key, counts);
      counts.push({ time: counters.time[row], total: counters.total[row] });
    }
  }

  /** Whether a sample is the first one of an older thread, and mostly of the time before the recording. */
  isEarlier(thread: number, time: number, weight: number): boolean {
    while (time >= (this.#stretches[this.#stretch + 1]?.start ?? Number.POSITIVE_INFINITY)) this.#stretch++;
    if (this.#keys.isVirtual(thread)) return this.#isOfOldCarrier(time, weight);
    const key = this.#keys.of(thread);
    if (this.#sampled.get(key) === this.#stretch) return false;
    this.#sampled.set(key, this.#stretch);
    return this.#isOld(key, time) && this.#isMostlyBefore(key, time, weight);
  }

  /** Whether a thread is older than the stretch. */
  #isOld(key: number, time: number): boolean {
    const begin = this.#stretches[this.#stretch]?.start ?? 0;
    const started = this.#starts.get(key);
    // At the start of a VM, its first thread has samples before the event of its start.
    if (started !== undefined) return started < begin || started > time;
    return this.#hasStarts || !this.#isNewByCounts(key, begin, time);
  }

  /** Without starts of threads: whether others were counted after `begin` and before the first sample of the thread, and it was not. */
  #isNewByCounts(key: number, begin: number, time: number): boolean {
    const isCounted = (count: Count): boolean => count.time >= begin && count.time < time;
    if (this.#counts.get(key)?.some(isCounted) === true) return false;
    return [...this.#counts.values()].some((counts) => counts.some(isCounted));
  }

  #isMostlyBefore(key: number, time: number, weight: number): boolean {
    const stretch = this.#stretches[this.#stretch];
    const counts = this.#counts.get(key) ?? [];
    const before = counts.findLast((count) => count.time <= time && count.time >= (stretch?.start ?? 0));
    // Some of the weight was counted before the sample: the rest is of the recording.
    if (before !== undefined && before.total < weight / 2) return false;
    if (stretch?.isContinued !== true) return true;
    // The recorder ran before, so that the weight begins at a sample that the file lacks, unless there was none.
    const nearest = before ?? counts.find((count) => count.time > time);
    return nearest !== undefined && weight >= nearest.total / 2;
  }

  /**
   * Whether a sample of a virtual thread weighs all that some old carrier allocated: each carrier has one such sample. Of several carriers
   * it is the one whose counter is the closest.
   */
  #isOfOldCarrier(time: number, weight: number): boolean {
    let [closest, distance] = [-1, Number.POSITIVE_INFINITY];
    for (const key of this.#keys.carriers) {
      const away = this.#distanceFrom(key, time, weight);
      if (away < distance) [closest, distance] = [key, away];
    }
    if (closest < 0) return false;
    this.#sampled.set(closest, this.#stretch);
    return this.#isMostlyBefore(closest, time, weight);
  }

  /** From the weight to the next counter of a carrier, else to the last one; infinite if it cannot be all that the carrier allocated. */
  #distanceFrom(key: number, time: number, weight: number): number {
    const counts = this.#counts.get(key) ?? [];
    const smallest = (counts[0]?.total ?? Number.POSITIVE_INFINITY) / 2;
    if (weight < smallest || this.#sampled.get(key) === this.#stretch || !this.#isOld(key, time))
      return Number.POSITIVE_INFINITY;
    const begin = this.#stretches[this.#stretch]?.start ?? 0;
    const next = counts.find((count) => count.time > time)?.total ?? Number.POSITIVE_INFINITY;
    const last = counts.findLast((count) => count.time <= time && count.time >= begin)?.total;
    if (weight < (last ?? next / 2) || weight > next) return Number.POSITIVE_INFINITY;
    return next < Number.POSITIVE_INFINITY ? next - weight : weight - (last ?? 0);
  }
}

/** Threads by what stays the same when they get another name. */
class ThreadKeys {
  readonly #threads: Readonly<KindColumns> | undefined;
  /** Keys of the threads that run virtual ones. */
  readonly carriers: readonly number[];

  constructor(threads: Readonly<KindColumns> | undefined, carrierGroup: number) {
    this.#threads = threads;
    const rows = Array.from(threads?.group ?? [], (group, row) => (group === carrierGroup ? this.of(row) : undefined));
    this.carriers = [...new Set(rows.filter((key) => key !== undefined))];
  }

  /** The number of the thread; of threads without one the row, below 0. */
  of(thread: number): number {
    const number = this.#threads?.number?.[thread] ?? -1;
    return number > 0 ? number : -2 - thread;
  }

  isVirtual(thread: number): boolean {
    return this.#threads?.virtual?.[thread] === 1;
  }
}
