/** Constants of a chunk by their type. */
import type { ChunkColumn, ChunkRows, ChunkTable } from '../chunk/chunk-data.js';

export type ConstantValues = Int32Array | Float64Array;

const NO_VALUES = new Int32Array();

/** Not looked up yet. */
export const UNKNOWN = -2;

/** Values by row with room for some rows, and as many again if there was none; those of new rows are `UNKNOWN`. */
export function withRoom(values: Int32Array, rows: number): Int32Array {
  if (rows <= values.length) return values;
  const grown = new Int32Array(2 * rows).fill(UNKNOWN);
  grown.set(values);
  return grown;
}

/**
 * Rows of one type of constants, and the rows of the recording that they have become. Columns are empty where the type lacks the
 * field, or the metadata of the file give it another type.
 */
export class Constants {
  #known: Int32Array | undefined;
  #table: ChunkTable | undefined;
  #types: ReadonlyMap<number, ChunkRows>;

  constructor(table: ChunkTable | undefined, types: ReadonlyMap<number, ChunkRows>) {
    this.#table = table;
    this.#types = types;
  }

  /** Goes on with a table that begins with the rows so far. */
  next(table: ChunkTable | undefined, types: ReadonlyMap<number, ChunkRows>): void {
    this.#table = table;
    this.#types = types;
    if (this.#known !== undefined) this.#known = withRoom(this.#known, this.length);
  }

  get length(): number {
    return this.#table?.length ?? 0;
  }

  /** Row of the recording by row; `UNKNOWN` if it was not looked up yet. There may be more of these than rows. */
  get known(): Int32Array {
    this.#known ??= new Int32Array(this.length).fill(UNKNOWN);
    return this.#known;
  }

  numbers(key: string): ConstantValues {
    return this.#find(key, 'number')?.values ?? NO_VALUES;
  }

  strings(key: string): ConstantValues {
    return this.#find(key, 'string')?.values ?? NO_VALUES;
  }

  /** Rows in the pool of a type. */
  rows(key: string, type: string): ConstantValues {
    const column = this.#find(key, 'constant');
    return column !== undefined && this.#types.get(column.pool)?.type.name === type ? column.values : NO_VALUES;
  }

  array(key: string): ChunkTable['arrays'][number] | undefined {
    return this.#table?.arrays.find((array) => array.key === key);
  }

  #find(key: string, holds: ChunkColumn['holds']): ChunkColumn | undefined {
    return this.#table?.columns.find((column) => column.key === key && column.holds === holds);
  }
}
