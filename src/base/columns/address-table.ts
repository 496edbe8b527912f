/** Numbers addresses in the order in which they are added. Memory: as of an `IntTable`. */
import { IntTable } from './hash.js';

export class AddressTable {
  readonly #table = new IntTable();

  /** The id of an address; a new one if it was not there. */
  add(address: number): number {
    // Blocks begin at multiples of 16, and the upper halves of most addresses are equal.
    return this.#table.add((address | 0) >>> 4, (address / 2 ** 32) | 0, address & 15);
  }

  /** The id of an address, or -1. */
  find(address: number): number {
    return this.#table.find((address | 0) >>> 4, (address / 2 ** 32) | 0, address & 15);
  }
}
