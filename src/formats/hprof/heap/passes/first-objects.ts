/** Which objects are the first with their id. A bit an object, beside the ids. */
import { type ObjectIds, RowLookup } from '../../../../models/heap/object-ids.js';

/** Ids of all objects, and those of class objects, which count before instances. */
export interface TakenIds {
  readonly ids: ObjectIds;
  readonly classIds: Float64Array;
}

export class FirstObjects {
  readonly #rows: RowLookup;
  readonly #taken: Uint32Array;

  constructor({ ids, classIds }: TakenIds) {
    this.#rows = new RowLookup(ids);
    this.#taken = new Uint32Array((ids.length >>> 5) + 1);
    for (const id of classIds) this.take(id);
  }

  /** Takes an id; false if it was taken before. */
  take(id: number): boolean {
    const row = this.#rows.row(id);
    if (row < 0) return true;
    const bit = 1 << (row & 31);
    const isFirst = (this.#taken[row >>> 5] & bit) === 0;
    this.#taken[row >>> 5] |= bit;
    return isFirst;
  }
}
