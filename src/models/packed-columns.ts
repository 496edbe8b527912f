/**
 * Columns of tables that are kept packed and unpacked when they are first read, so that a question takes the memory of the columns it
 * reads. They look like other columns: `table.columns.time` is an array. The garbage collector may take large unpacked ones again.
 */
import { type PackedColumn, PackedReader, unpacked } from '../base/columns/packed.js';
import type { Column, Table } from './table.js';

/** Smaller columns stay unpacked. */
const LARGE = 1 << 20;

type Columns = Readonly<Record<string, Column>>;

class LazyColumn {
  readonly packed: PackedColumn;
  #values: Column | WeakRef<Column> | undefined;

  constructor(packed: PackedColumn) {
    this.packed = packed;
  }

  /** Whether its values are small, or unpacked already. */
  get isUnpacked(): boolean {
    return this.packed.length < PART || this.#known !== undefined;
  }

  reader(most: number): PackedReader {
    return new PackedReader(this.packed, most);
  }

  get #known(): Column | undefined {
    return this.#values instanceof WeakRef ? this.#values.deref() : this.#values;
  }

  get values(): Column {
    const known = this.#known;
    if (known !== undefined) return known;
    const values = unpacked(this.packed);
    this.#values = values.byteLength < LARGE ? values : new WeakRef(values);
    return values;
  }
}

/** Of columns with packed ones among them: these, by key. */
const packedOnes = new WeakMap<object, ReadonlyMap<string, LazyColumn>>();

function columnsOf(entries: readonly (readonly [string, Column | LazyColumn])[]): Columns {
  const columns: Record<string, Column> = {};
  const lazy = new Map<string, LazyColumn>();
  for (const [key, values] of entries) {
    if (!(values instanceof LazyColumn)) columns[key] = values;
    else {
      lazy.set(key, values);
      Object.defineProperty(columns, key, { enumerable: true, configurable: true, get: () => values.values });
    }
  }
  if (lazy.size > 0) packedOnes.set(columns, lazy);
  return columns;
}

function isPacked(values: Column | PackedColumn): values is PackedColumn {
  return !ArrayBuffer.isView(values);
}

/** The columns; some may be packed. */
export function lazyColumns(columns: Readonly<Record<string, Column | PackedColumn>>): Columns {
  return columnsOf(
    Object.entries(columns).map(([key, values]) => [key, isPacked(values) ? new LazyColumn(values) : values]),
  );
}

/** The columns with these keys, in this order, as far as there are any; packed ones stay packed. */
export function chosenColumns(columns: Readonly<Record<string, Column | undefined>>, keys: readonly string[]): Columns {
  const lazy = packedOnes.get(columns);
  const entries = keys.flatMap((key) => {
    const values = lazy?.get(key) ?? columns[key];
    return values === undefined ? [] : [[key, values] as const];
  });
  return columnsOf(entries);
}

/** The number of rows, without unpacking; 0 if there are no columns. */
export function columnLength(columns: Columns): number {
  const [key] = Object.keys(columns);
  return key === undefined ? 0 : (packedOnes.get(columns)?.get(key)?.packed.length ?? columns[key]?.length ?? 0);
}

/** The columns by name, with a number of rows. Loops may read them by name: those that were read stay unpacked as long as the result. */
export function rowsOfColumns(columns: Columns, length: number): { readonly length: number } {
  const lazy = packedOnes.get(columns);
  if (lazy === undefined) return { ...columns, length };
  const rows = { length };
  for (const key of Object.keys(columns)) {
    let values: Column | undefined;
    Object.defineProperty(rows, key, { enumerable: true, get: () => (values ??= columns[key]) });
  }
  return rows;
}

/** Rows at a time: what is unpacked of some columns fits the second-level cache. */
const PART = 1 << 14;

/** Some rows of a table, and of some of its columns the values in them; undefined where the table has no such column. */
export interface RowPart {
  readonly length: number;
  readonly columns: readonly (Column | undefined)[];
}

/**
 * The rows of a table for loops that read each once: all at once if none of the columns with these keys is packed, else in parts, whose values are
 * valid until the next part.
 */
export function* rowParts({ columns, length }: Table, keys: readonly string[]): Generator<RowPart> {
  const lazy = packedOnes.get(columns);
  const sources = keys.map((key) => lazy?.get(key) ?? columns[key]);
  if (!sources.some((source) => source instanceof LazyColumn && !source.isUnpacked)) {
    yield { length, columns: keys.map((key) => columns[key]) };
    return;
  }
  const readers = sources.map((source) => (source instanceof LazyColumn ? source.reader(PART) : source));
  for (let from = 0; from < length; from += PART) {
    const to = Math.min(length, from + PART);
    const values = readers.map((reader) =>
      reader instanceof PackedReader ? reader.next(to - from) : reader?.subarray(from, to),
    );
    yield { length: to - from, columns: values };
  }
}

/** A table as plain data: its columns as they are kept. */
export type KeptTable = Omit<Table, 'columns'> & { readonly columns: Readonly<Record<string, Column | PackedColumn>> };

export function toKept(table: Table): KeptTable {
  const lazy = packedOnes.get(table.columns);
  if (lazy === undefined) return table;
  const entries = Object.keys(table.columns).map((key) => [key, lazy.get(key)?.packed ?? table.columns[key]]);
  return { ...table, columns: Object.fromEntries(entries) };
}

export function fromKept(table: KeptTable): Table {
  return { ...table, columns: lazyColumns(table.columns) };
}
