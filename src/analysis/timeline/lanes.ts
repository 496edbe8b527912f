/**
 * Lanes of a timeline: what happened when, in equal parts of a time.
 *
 *   track          state     parts of the time (buckets)
 *   main           park      0    0.3  1    0.5     share of the bucket in the state
 *   main           Samples   4    2    0    0       number in the bucket
 *   Heap used      least     NaN  12   14   NaN     least value in the bucket; NaN where none was recorded
 *
 * Spans of one lane that overlap count once. Cost: a sort of the spans by time; 8 bytes a lane and bucket.
 */
import { IntTable } from '../../base/columns/hash.js';
import { UsageError } from '../../base/errors.js';
import { phrase, theOption, thePage, theStep } from '../../base/phrase.js';
import { formatCount } from '../../base/units.js';
import type { TimeSpan } from '../time-span.js';
import { type LaneRows, LaneRowsBuilder } from './lane-rows.js';

/** Rows of events, as columns: which lane, from when, for how long. */
export interface Spans {
  readonly lane: ArrayLike<number>;
  readonly time: ArrayLike<number>;
  readonly duration: ArrayLike<number>;
  /** Rows of `WaitDetails`. */
  readonly detail?: ArrayLike<number> | undefined;
}

/** Equal parts of a time. */
export interface Buckets extends TimeSpan {
  readonly count: number;
}

/** The most values of a timeline: 128 MB. */
const MOST_VALUES = 1 << 24;

export class Lanes {
  readonly buckets: Buckets;
  readonly #keys = new IntTable(16);
  readonly #values: Float64Array[] = [];
  readonly #rows: LaneRowsBuilder | undefined;

  /** `keepsRows`: also keeps what the values are made of. */
  constructor(buckets: Buckets, keepsRows = false) {
    this.buckets = buckets;
    if (keepsRows) this.#rows = new LaneRowsBuilder();
  }

  get length(): number {
    return this.#keys.length;
  }

  /** The lane of a state of a track; new ones have `fill` in each bucket. Throws `UsageError` if there are too many. */
  lane(track: number, state: number, fill = 0): number {
    const lane = this.#keys.add(track, state);
    if (this.length * this.buckets.count > MOST_VALUES)
      throw new UsageError(
        `more than ${formatCount(lane)} lanes of ${formatCount(this.buckets.count)} parts each are too many`,
        {
          code: 'timeline-too-large',
          advice: phrase`Choose threads with ${theStep('thread')} or ${thePage('limit')}, or fewer parts with ${theOption('width')}.`,
          action: { addSteps: ['thread'] },
        },
      );
    this.#values[lane] ??= new Float64Array(this.buckets.count).fill(fill);
    return lane;
  }

  track(lane: number): number {
    return this.#keys.key(lane, 0);
  }

  state(lane: number): number {
    return this.#keys.key(lane, 1);
  }

  values(lane: number): Float64Array {
    return this.#values[lane] ?? new Float64Array();
  }

  /** What the values are made of, if it was kept. */
  rows(): LaneRows | undefined {
    return this.#rows?.finish(this.length);
  }

  /** Adds the share of each bucket that spans cover; rows of lane -1 are skipped. */
  addSpans({ lane, time, duration, detail }: Spans): void {
    const { from, to, count } = this.buckets;
    const width = (to - from) / count;
    const rows = Int32Array.from({ length: time.length }, (_, i) => i).filter((i) => lane[i] >= 0 && duration[i] > 0);
    rows.sort((a, b) => time[a] - time[b] || a - b);
    const reached = new Float64Array(this.length).fill(from);
    for (const i of rows) {
      const start = Math.max(time[i], reached[lane[i]]);
      const end = Math.min(time[i] + duration[i], to);
      if (!(end > start)) {
        if (end > Math.max(time[i], from)) this.#rows?.addWithin(lane[i]);
        continue;
      }
      reached[lane[i]] = end;
      this.#rows?.add(lane[i], start, end, 1, detail?.[i]);
      const values = this.values(lane[i]);
      const last = Math.min(count - 1, Math.floor((end - from) / width));
      for (let at = Math.min(count - 1, Math.floor((start - from) / width)); at <= last; at++) {
        const covered = Math.min(end, from + (at + 1) * width) - Math.max(start, from + at * width);
        if (covered > 0) values[at] = Math.min(1, values[at] + covered / width);
      }
    }
  }

  /** Adds samples of a lane at a moment. */
  addSamples(lane: number, time: number, count: number): void {
    const at = this.bucket(time);
    if (lane < 0 || at < 0) return;
    this.values(lane)[at] += count;
    this.#rows?.add(lane, time, time, count);
  }

  /** Adds a reading to the lanes of least and largest values; a row is kept of the lane of the largest. */
  addReading([least, most]: readonly [number, number], time: number, value: number): void {
    const at = this.bucket(time);
    if (at < 0) return;
    const [low, high] = [this.values(least), this.values(most)];
    if (!(low[at] <= value)) low[at] = value;
    if (!(high[at] >= value)) high[at] = value;
    this.#rows?.add(most, time, time, value);
  }

  /** The bucket of a moment; -1 outside of the time. */
  bucket(time: number): number {
    const { from, to, count } = this.buckets;
    if (!(time >= from && time <= to)) return -1;
    return Math.min(count - 1, Math.floor(((time - from) / (to - from)) * count));
  }
}
