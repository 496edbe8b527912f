/** Where the constants of a type are that are read when rows refer to them: 8 bytes a constant, 4 to 32 more if many are asked for. */
import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import type { IndexedConstants } from '../kernel/constant-index.js';
import { haveCodes, largestKey, rowsByKey } from './rows-by-key.js';

/** So many keys are looked for one by one. */
const FEW = 32;
/** Keys that are this many times more than constants are not worth a row each. */
const SPARSE = 8;

/** The row of the first constant with the code of a key; -1 if there is none. */
type RowsOfKeys = (key: number) => number;

export interface ConstantPlace {
  readonly block: Uint8Array;
  readonly at: number;
}

interface Part extends IndexedConstants {
  readonly block: Uint8Array;
}

export class ConstantPlaces {
  readonly #parts: Part[] = [];
  #asked = 0;
  /** Once more than a few were asked for: rows by key, where the rows of each part follow those of the parts before it. */
  #table: RowsOfKeys | undefined;

  /** Adds those of a block, by codes of their keys. */
  add(block: Uint8Array, { keys, places }: IndexedConstants): void {
    this.#parts.push({ block, keys, places });
    this.#table = undefined;
  }

  /** The first constant of a key; undefined if there is none. */
  find(key: number): ConstantPlace | undefined {
    if (++this.#asked > FEW) return this.#inTable(key);
    for (const { block, keys, places } of this.#parts) {
      const row = keys.indexOf(key);
      if (row >= 0) return { block, at: places[row] };
    }
    return undefined;
  }

  #inTable(key: number): ConstantPlace | undefined {
    this.#table ??= this.#tableOfAll();
    let row = this.#table(key);
    if (row < 0) return undefined;
    for (const { block, places } of this.#parts) {
      if (row < places.length) return { block, at: places[row] };
      row -= places.length;
    }
    return undefined;
  }

  #tableOfAll(): RowsOfKeys {
    const parts = this.#parts.map(({ keys }) => keys);
    const constants = parts.reduce((sum, { length }) => sum + length, 0);
    const largest = largestKey(parts, Infinity);
    if (largest >= SPARSE * constants || haveCodes(parts)) return this.#hashed(constants);
    const rows = rowsByKey(parts, largest);
    return (key) => (key >= 0 && key <= largest ? rows[key] : NONE);
  }

  /** For all others. */
  #hashed(constants: number): RowsOfKeys {
    const table = new IntTable(constants);
    const rows = new Int32Array(constants);
    let before = 0;
    for (const { keys } of this.#parts) {
      for (let row = 0; row < keys.length; row++) {
        const known = table.length;
        if (table.add(keys[row]) === known) rows[known] = before + row;
      }
      before += keys.length;
    }
    return (key) => {
      const found = table.find(key);
      return found < 0 ? NONE : rows[found];
    };
  }
}
