/** A table of a chunk that grows: parts of it are appended, and views of what it has so far cost nothing. */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import type { ChunkArray, ChunkColumn, ChunkTable } from '../chunk/chunk-data.js';
import type { Numbers } from '../chunk/conversions.js';

type Builder = Int32Builder | Float64Builder;

/** A column; what describes it is that of its last part. */
class GrownColumn {
  #part: ChunkColumn;
  readonly #values: Builder;
  #rests: Float64Builder | undefined;
  #hasUnknown = false;

  constructor(part: ChunkColumn) {
    this.#part = part;
    this.#values = part.values instanceof Int32Array ? new Int32Builder(16) : new Float64Builder(16);
  }

  append(part: ChunkColumn): void {
    const { values, rests, hasUnknown = false } = part;
    if (rests !== undefined || this.#rests !== undefined) this.#appendRests(rests, values.length);
    this.#part = part;
    this.#values.append(values);
    this.#hasUnknown ||= hasUnknown;
  }

  /** Rows before have none. */
  #appendRests(rests: Numbers['rests'], length: number): void {
    this.#rests ??= new Float64Builder(this.#values.length + length);
    // Its memory is zeros where nothing was written.
    this.#rests.reserve(this.#values.length - this.#rests.length);
    this.#rests.length = this.#values.length;
    this.#rests.append(rests ?? new Float64Array(length));
  }

  finish(): ChunkColumn {
    const { key, label, description, unit, pool, holds } = this.#part;
    const values = this.#values.finish();
    const rests = this.#rests?.finish();
    const hasUnknown = this.#hasUnknown;
    return {
      key,
      label,
      description,
      unit,
      pool,
      holds,
      values,
      ...(rests && { rests }),
      ...(hasUnknown && { hasUnknown }),
    };
  }
}

/** Rows with several elements each. */
class GrownArray {
  readonly #key: string;
  readonly #first = new Int32Builder(16);
  readonly #count = new Int32Builder(16);
  readonly #elements: GrownTable;

  constructor({ key, elements }: ChunkArray) {
    this.#key = key;
    this.#elements = new GrownTable(elements);
  }

  append({ first, count, elements }: ChunkArray): void {
    const { length } = this.#elements;
    this.#first.append(first.map((row) => length + row));
    this.#count.append(count);
    this.#elements.append(elements);
  }

  finish(): ChunkArray {
    const elements = this.#elements.finish();
    return { key: this.#key, first: this.#first.finish(), count: this.#count.finish(), elements };
  }
}

export class GrownTable {
  length = 0;
  readonly #columns: readonly GrownColumn[];
  readonly #arrays: readonly GrownArray[];

  /** `part`: has the columns of all parts; it is not appended. */
  constructor({ columns, arrays }: ChunkTable) {
    this.#columns = columns.map((column) => new GrownColumn(column));
    this.#arrays = arrays.map((array) => new GrownArray(array));
  }

  append({ length, columns, arrays }: ChunkTable): void {
    for (const [i, column] of this.#columns.entries()) column.append(columns[i]);
    for (const [i, array] of this.#arrays.entries()) array.append(arrays[i]);
    this.length += length;
  }

  /** All rows so far; they stay as they are when more are appended. */
  finish(): ChunkTable {
    return {
      length: this.length,
      columns: this.#columns.map((column) => column.finish()),
      arrays: this.#arrays.map((array) => array.finish()),
    };
  }
}
