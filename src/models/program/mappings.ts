/**
 * Finds the load object at an address and time. One address may have had several: libraries are unloaded, and memory of
 * generated code is reused. If two mappings overlap, the later one replaces the covered part. Cost: a sort of the
 * mappings, 16 bytes each; a look-up is a binary search and a walk over all mappings around the address.
 */
import type { NativePlace } from './places.js';
import type { MappingTable } from './program.js';

/** 2^32. */
const HALF = 2 ** 32;

export class MappingIndex {
  readonly #mappings: MappingTable;
  /** Rows by address of the first byte. */
  readonly #order: Int32Array;
  /** For each of `#order`, the row up to it with the last end. */
  readonly #lastEnd: Int32Array;

  constructor(mappings: MappingTable) {
    const { startHigh: high, startLow: low } = mappings;
    this.#mappings = mappings;
    this.#order = Int32Array.from({ length: mappings.length }, (_, row) => row).sort(
      (a, b) => high[a] - high[b] || low[a] - low[b] || a - b,
    );
    this.#lastEnd = new Int32Array(mappings.length);
    let last = -1;
    for (const [i, row] of this.#order.entries()) {
      // Distance between the two beginnings, plus the size.
      const end = last < 0 ? 0 : mappings.size[row] - this.#within(row, high[last], low[last]);
      if (last < 0 || end > mappings.size[last]) last = row;
      this.#lastEnd[i] = last;
    }
  }

  /**
   * The place that the address `high * 2^32 + low` was at a time, in nanoseconds since the recording began; undefined
   * if nothing was mapped.
   */
  find(high: number, low: number, time: number): NativePlace | undefined {
    const { size, from, to, loadObject, offset } = this.#mappings;
    let found = -1;
    for (let i = this.#countUpTo(high, low) - 1; i >= 0; i--) {
      const last = this.#lastEnd[i];
      if (this.#within(last, high, low) >= size[last]) break;
      const row = this.#order[i];
      if (this.#within(row, high, low) >= size[row] || time < from[row] || time >= to[row]) continue;
      if (found < 0 || from[row] > from[found] || (from[row] === from[found] && row > found)) found = row;
    }
    if (found < 0) return undefined;
    return { loadObject: loadObject[found], offset: offset[found] + this.#within(found, high, low) };
  }

  /** Number of mappings that begin at or before an address. */
  #countUpTo(high: number, low: number): number {
    let from = 0;
    let to = this.#order.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#within(this.#order[middle], high, low) >= 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Bytes from the beginning of a mapping to an address; exact unless far beyond the mapping. */
  #within(row: number, high: number, low: number): number {
    return (high - this.#mappings.startHigh[row]) * HALF + (low - this.#mappings.startLow[row]);
  }
}
