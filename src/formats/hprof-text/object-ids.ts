/**
 * Ids of objects → dense numbers. The JVMTI agent numbers objects from 0x50000000, so most ids need no hash: their
 * distance from there is an index. Pointers, as the JVMPI agent writes them, go through a table. 12 bytes an id, and 20
 * to 28 more for a pointer.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';

/** The first id of the JVMTI agent. */
const FIRST = 0x50000000;
/** Distances up to this many times the number of ids are indexes; larger ones go through the table. */
const SPREAD = 8;
const SMALLEST = 1 << 12;

export class ObjectIds {
  /** Distance from `FIRST` → dense number plus one. */
  #direct = new Int32Array(SMALLEST);
  readonly #table = new IntTable(16);
  /** Dense numbers of the ids in the table. */
  readonly #tabled = new Int32Builder(16);
  readonly #low = new Int32Builder();
  readonly #high = new Int32Builder();

  get length(): number {
    return this.#low.length;
  }

  /** The dense number of an id, given by its upper and lower 32 bits. */
  add(high: number, low: number): number {
    const distance = low - FIRST;
    if (high === 0 && distance >= 0 && distance < this.#direct.length) {
      const known = this.#direct[distance] - 1;
      if (known >= 0) return known;
      this.#direct[distance] = this.length + 1;
      return this.#append(high, low);
    }
    if (high === 0 && distance >= 0 && distance < SPREAD * this.length) {
      this.#grow(distance);
      return this.add(high, low);
    }
    const known = this.#table.length;
    const id = this.#table.add(low, high);
    if (id < known) return this.#tabled.values[id];
    const number = this.#append(high, low);
    this.#tabled.push(number);
    return number;
  }

  #append(high: number, low: number): number {
    this.#high.push(high);
    return this.#low.push(low);
  }

  /** Grows the index for a distance; ids within it that are in the table are then found by their distance. */
  #grow(distance: number): void {
    let length = this.#direct.length;
    while (length <= distance) length *= 2;
    const before = this.#direct.length;
    const direct = new Int32Array(length);
    direct.set(this.#direct);
    for (let i = 0; i < this.#tabled.length; i++) {
      const number = this.#tabled.values[i];
      const at = this.#low.values[number] - FIRST;
      if (this.#high.values[number] === 0 && at >= before && at < length) direct[at] = number + 1;
    }
    this.#direct = direct;
  }

  /** The id of a dense number. */
  address(number: number): number {
    return (this.#high.values[number] >>> 0) * 2 ** 32 + (this.#low.values[number] >>> 0);
  }
}
