/** Where the tracks in view are, from the top: counters are taller than others. Pure. */
import type { TimelineModel, TrackModel } from './model.js';
import { COUNTER_TALL, TALL } from './raster.js';

/** Between the tracks, in CSS pixels. */
const BETWEEN = 5;

export function tallOf({ kind }: Pick<TrackModel, 'kind'>): number {
  return kind === 'counter' ? COUNTER_TALL : TALL;
}

export class TrackRows {
  /** Indices of the tracks, from the top. */
  readonly tracks: readonly number[];
  /** By row; one more at the end. */
  readonly #tops: Float64Array;

  constructor({ tracks: all }: TimelineModel, tracks: readonly number[]) {
    this.tracks = tracks;
    this.#tops = new Float64Array(tracks.length + 1);
    for (const [row, id] of tracks.entries()) {
      const track = all[id];
      this.#tops[row + 1] = this.#tops[row] + (track === undefined ? 0 : tallOf(track) + BETWEEN);
    }
  }

  /** CSS pixels of all rows. */
  get height(): number {
    return this.#tops[this.tracks.length];
  }

  /** The upper edge of a row; that behind the last is the lower edge of the last. */
  top(row: number): number {
    return this.#tops[row];
  }

  /** The row at a height; -1 above all, the number of rows below all. */
  at(y: number): number {
    if (y < 0) return -1;
    let [low, high] = [0, this.tracks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#tops[middle + 1] <= y) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
