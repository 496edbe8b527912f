/** Ids of trees in text, and columns by row, for readers of the reports of GraalVM Native Image. */
import { Int32Builder } from '../../../base/columns/columns.js';
import { NONE } from '../../../base/flavor.js';

/** Ids of a file → rows. Most are dense; ids far beyond the number of methods are looked up. */
export class IdRows {
  #dense = new Int32Array(1 << 10).fill(NONE);
  readonly #sparse = new Map<number, number>();

  /** The row of an id, or -1. */
  rowOf(id: number): number {
    return id < this.#dense.length ? this.#dense[id] : (this.#sparse.get(id) ?? NONE);
  }

  set(id: number, row: number): void {
    if (id >= this.#dense.length && id < DENSE_IDS && id < 64 * (row + 64)) this.#grow(id);
    if (id < this.#dense.length) this.#dense[id] = row;
    else this.#sparse.set(id, row);
  }

  #grow(id: number): void {
    const grown = new Int32Array(Math.max(this.#dense.length * 2, id + 1)).fill(NONE);
    grown.set(this.#dense);
    for (const [known, row] of this.#sparse)
      if (known < grown.length) {
        grown[known] = row;
        this.#sparse.delete(known);
      }
    this.#dense = grown;
  }
}

/** Ids from here on are never dense: 256 MiB would be needed. */
const DENSE_IDS = 1 << 26;

/** A growing column by row, -1 where nothing was set. */
export class RowColumn {
  readonly #values = new Int32Builder();

  get(row: number): number {
    return row < this.#values.length ? this.#values.values[row] : NONE;
  }

  set(row: number, value: number): void {
    while (this.#values.length <= row) this.#values.push(NONE);
    this.#values.values[row] = value;
  }

  finish(length: number): Int32Array {
    while (this.#values.length < length) this.#values.push(NONE);
    return this.#values.finish();
  }
}
