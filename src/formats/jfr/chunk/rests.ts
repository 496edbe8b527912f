/**
 * What the doubles of a column lack of integers of 64 bits: these are the double and its rest. Most recordings have no such integer, and then
 * no rests.
 */

/** Upper half from which on an integer has more digits than a double. */
export const SAFE_HIGH = 1 << 21;

export class Rests {
  /** By slot of doubles; a column has 0 for rows without a rest. */
  readonly #columns: (Int32Array | undefined)[] = [];

  /** The rests of a column of doubles; undefined if there are none. */
  column(slot: number): Int32Array | undefined {
    return this.#columns[slot];
  }

  /** Keeps what `value` lacks of the integer with these halves. `capacity`: rows that the column has room for. */
  keep(slot: number, row: number, value: number, low: number, high: number, capacity: number): void {
    const upper = Math.floor(value / 2 ** 32);
    const rests = this.#columns[slot] ?? new Int32Array(capacity);
    this.#columns[slot] = rests;
    // Each step is exact.
    rests[row] = (high - upper) * 2 ** 32 + ((low >>> 0) - (value - upper * 2 ** 32));
  }

  /** Rows that are written again have none. */
  clear(start: number, end: number): void {
    for (const rests of this.#columns) rests?.fill(0, start, end);
  }

  /** Those of these rows become those of the rows from `start` on. */
  choose(start: number, rows: ArrayLike<number>): void {
    for (const rests of this.#columns)
      for (let i = 0; rests !== undefined && i < rows.length; i++) rests[start + i] = rests[rows[i]];
  }

  grow(capacity: number): void {
    for (const [slot, rests] of this.#columns.entries()) {
      if (rests === undefined) continue;
      const room = new Int32Array(capacity);
      room.set(rests);
      this.#columns[slot] = room;
    }
  }

  /** None from now on. */
  forget(): void {
    this.#columns.length = 0;
  }
}
