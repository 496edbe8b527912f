/** Constants of a chunk by their type. */
import type { ChunkColumn, ChunkRows, ChunkTable } from '../chunk/chunk-data.js';

export type ConstantValues = Int32Array | Float64Array;

const NO_VALUES = new Int32Array();

/** Not looked up yet. */
export const UNKNOWN = -2;

/**
 * Rows of one type of constants, and the rows of the recording that they have become. Columns are empty where the type lacks the
 * field, or the metadata of the file give it another type.
 */
export class Constants {
  readonly length: number;
  readonly known: Int32Array;
  readonly #table: ChunkTable | undefined;
  readonly #types: ReadonlyMap<number, ChunkRows>;

  constructor(table: ChunkTable | undefined, types: ReadonlyMap<number, ChunkRows>) {
    this.#table = table;
    this.#types = types;
    this.length = table?.length ?? 0;
    this.known = new Int32Array(this.length).fill(UNKNOWN);
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
