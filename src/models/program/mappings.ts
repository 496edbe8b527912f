/**
 * Finds the load object at an address and time. One address may have had several: libraries are unloaded, and memory of
 * generated code is reused. If two mappings overlap, the later one replaces the covered part. Cost: a sort of the
 * mappings, 16 bytes each; a look-up is a binary search and a walk over all mappings around the address.
 */
import { firstNot } from '../../base/columns/search.js';
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
    const { from, to } = this.#mappings;
    let found = -1;
    this.#eachOver(high, low, (row) => {
      if (time < from[row] || time >= to[row]) return;
      if (found < 0 || from[row] > from[found] || (from[row] === from[found] && row > found)) found = row;
    });
    return found < 0 ? undefined : this.placeIn(found, high, low);
  }

  /** The mappings that ever contained an address, in order of their beginnings in time; those of the same time in order of rows. */
  over(high: number, low: number): number[] {
    const rows: number[] = [];
    this.#eachOver(high, low, (row) => rows.push(row));
    const { from } = this.#mappings;
    return rows.sort((a, b) => from[a] - from[b] || a - b);
  }

  /** The place of an address within a mapping. */
  placeIn(row: number, high: number, low: number): NativePlace {
    const { loadObject, offset } = this.#mappings;
    return { loadObject: loadObject[row], offset: offset[row] + this.#within(row, high, low) };
  }

  /** Calls `visit` for each mapping of any time around an address. */
  #eachOver(high: number, low: number, visit: (row: number) => void): void {
    const { size } = this.#mappings;
    for (let i = this.#countUpTo(high, low) - 1; i >= 0; i--) {
      const last = this.#lastEnd[i];
      if (this.#within(last, high, low) >= size[last]) break;
      const row = this.#order[i];
      if (this.#within(row, high, low) < size[row]) visit(row);
    }
  }

  /** Number of mappings that begin at or before an address. */
  #countUpTo(high: number, low: number): number {
    return firstNot(0, this.#order.length, (i) => this.#within(this.#order[i], high, low) >= 0);
  }

  /** Bytes from the beginning of a mapping to an address; exact unless far beyond the mapping. */
  #within(row: number, high: number, low: number): number {
    return (high - this.#mappings.startHigh[row]) * HALF + (low - this.#mappings.startLow[row]);
  }
}
