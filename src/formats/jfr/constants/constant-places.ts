/** Where the constants of a type are that are read when rows refer to them: 8 bytes a constant, 20 more if many are asked for. */
import { Int32Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import type { IndexedConstants } from '../kernel/constant-index.js';

/** So many keys are looked for one by one. */
const FEW = 32;

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
  /** Once more than a few were asked for: by key, its part and its row there. */
  #table: { readonly keys: IntTable; readonly part: Int32Builder; readonly row: Int32Builder } | undefined;

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
    const { keys, part, row } = this.#table;
    const found = keys.find(key);
    const of = found < 0 ? undefined : this.#parts[part.values[found]];
    return of && { block: of.block, at: of.places[row.values[found]] };
  }

  #tableOfAll() {
    const table = { keys: new IntTable(16), part: new Int32Builder(), row: new Int32Builder() };
    for (const [part, { keys }] of this.#parts.entries())
      for (let row = 0; row < keys.length; row++) {
        if (table.keys.add(keys[row]) < table.row.length) continue;
        table.part.push(part);
        table.row.push(row);
      }
    return table;
  }
}
