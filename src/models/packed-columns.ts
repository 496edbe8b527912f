/**
 * Columns of tables that are kept packed and unpacked when they are first read, so that a question takes the memory of the columns it
 * reads. They look like other columns: `table.columns.time` is an array. The garbage collector may take large unpacked ones again.
 */
import { taken } from '../base/columns/marks.js';
import { PackedBlocks, type PackedColumn, PackedReader, unpacked } from '../base/columns/packed.js';
import type { Column, Table } from './table.js';

/** Smaller columns stay unpacked. */
const LARGE = 1 << 20;

type Columns = Readonly<Record<string, Column>>;

class LazyColumn {
  readonly packed: PackedColumn;
  /** Its rows, where they are others than those that are packed. */
  readonly rows: Int32Array | undefined;
  #values: Column | WeakRef<Column> | undefined;

  constructor(packed: PackedColumn, rows?: Int32Array) {
    this.packed = packed;
    this.rows = rows;
  }

  get length(): number {
    return this.rows?.length ?? this.packed.length;
  }

  /** Whether its values are small, or unpacked already. */
  get isUnpacked(): boolean {
    return this.length < PART || this.#known !== undefined;
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
    const all = unpacked(this.packed);
    const values = this.rows === undefined ? all : taken(all, this.rows);
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
    const isLazy = values instanceof LazyColumn;
    if (isLazy) lazy.set(key, values);
    // A file may call a field `__proto__`: it is assigned to no property then.
    const property = isLazy ? { get: () => values.values } : { value: values, writable: true };
    Object.defineProperty(columns, key, { ...property, enumerable: true, configurable: true });
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

/** The columns, some of them replaced or added; packed ones stay packed. */
export function withColumns(columns: Columns, changed: Readonly<Record<string, Column | PackedColumn>>): Columns {
  const entries = new Map<string, Column | LazyColumn>();
  for (const key of Object.keys(columns)) {
    const values = Object.hasOwn(changed, key) ? undefined : (packedOnes.get(columns)?.get(key) ?? columns[key]);
    // Replaced ones keep their place.
    entries.set(key, values ?? new Int32Array(0));
  }
  for (const [key, values] of Object.entries(changed))
    entries.set(key, isPacked(values) ? new LazyColumn(values) : values);
  return columnsOf([...entries]);
}

/** Blocks that are unpacked for single rows, one after the other, before the whole column is. */
const MOST_BLOCKS = 64;

/** The value of each row of a column, for questions that look at few of them: of packed ones, only the blocks of these rows are unpacked. */
export function valueIn(columns: Columns, key: string): ((row: number) => number) | undefined {
  const lazy = packedOnes.get(columns)?.get(key);
  if (lazy === undefined || lazy.isUnpacked) {
    const values = columns[key];
    return values && ((row) => values[row]);
  }
  const blocks = new PackedBlocks(lazy.packed);
  let values: Column | undefined;
  const { rows } = lazy;
  return (row) => {
    if (values === undefined && blocks.unpacked >= MOST_BLOCKS) values = lazy.values;
    return values === undefined ? blocks.at(rows === undefined ? row : rows[row]) : values[row];
  };
}

/** The columns with other rows, in their order; packed ones are unpacked when they are read. */
export function columnsOfRows(columns: Columns, rows: Int32Array): Columns {
  return columnsOf(
    Object.keys(columns).map((key) => {
      const lazy = packedOnes.get(columns)?.get(key);
      if (lazy !== undefined && lazy.rows === undefined) return [key, new LazyColumn(lazy.packed, rows)];
      return [key, taken(columns[key] ?? new Int32Array(0), rows)];
    }),
  );
}

/** The number of rows, without unpacking; 0 if there are no columns. */
export function columnLength(columns: Columns): number {
  const [key] = Object.keys(columns);
  return key === undefined ? 0 : (packedOnes.get(columns)?.get(key)?.length ?? columns[key]?.length ?? 0);
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

/** Some rows of a table, and of some of its columns the values in them; undefined where the table has no such column, or none is asked for. */
export interface RowPart {
  readonly length: number;
  readonly columns: readonly (Column | undefined)[];
}

/**
 * The rows of a table for loops that read each once: all at once if none of the columns with these keys is packed, else in parts, whose values are
 * valid until the next part.
 */
export function* rowParts({ columns, length }: Table, keys: readonly (string | undefined)[]): Generator<RowPart> {
  const lazy = packedOnes.get(columns);
  const sources = keys.map((key) => (key === undefined ? undefined : (lazy?.get(key) ?? columns[key])));
  if (!sources.some((source) => source instanceof LazyColumn && isReadInParts(source))) {
    yield { length, columns: keys.map((key) => (key === undefined ? undefined : columns[key])) };
    return;
  }
  const readers = sources.map((source) => {
    if (!(source instanceof LazyColumn)) return source;
    return isReadInParts(source) ? source.reader(PART) : source.values;
  });
  for (let from = 0; from < length; from += PART) {
    const to = Math.min(length, from + PART);
    const values = readers.map((reader) =>
      reader instanceof PackedReader ? reader.next(to - from) : reader?.subarray(from, to),
    );
    yield { length: to - from, columns: values };
  }
}

/** Rows in another order are scattered over all parts. */
function isReadInParts(column: LazyColumn): boolean {
  return column.rows === undefined && !column.isUnpacked;
}

/** A table as plain data: its columns as they are kept. */
export type KeptTable = Omit<Table, 'columns'> & { readonly columns: Readonly<Record<string, Column | PackedColumn>> };

export function toKept(table: Table): KeptTable {
  const lazy = packedOnes.get(table.columns);
  if (lazy === undefined) return table;
  const entries = Object.keys(table.columns).map((key) => {
    const column = lazy.get(key);
    return [key, column !== undefined && column.rows === undefined ? column.packed : table.columns[key]];
  });
  return { ...table, columns: Object.fromEntries(entries) };
}

export function fromKept(table: KeptTable): Table {
  return { ...table, columns: lazyColumns(table.columns) };
}
