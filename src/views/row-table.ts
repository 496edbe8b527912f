/**
 * The rows of a listing as typed columns: 8 bytes a number, 4 a text of which another row has the same. `rowsOf` is an array of row objects over them, of
 * which each is made when it is read, so that a page of a million rows costs no object a row. Fronts that need cells read the columns (`tableOf`).
 * Other long lists of results are such tables, too (`tableRows`).
 */

/** A column of a table; null is unknown. */
export type TableColumn =
  | { readonly kind: 'numbers'; readonly values: Float64Array; readonly unknown?: Uint8Array }
  /** `ids` are places in `texts`, -1 for unknown, -2 where a row does not have the cell. */
  | { readonly kind: 'texts'; readonly texts: readonly string[]; readonly ids: Int32Array }
  /** 1 is true, 0 false, -1 unknown. A column without any value is one. */
  | { readonly kind: 'flags'; readonly values: Int8Array }
  /** The lists of all rows, one after the other: that of row `i` begins at `first[i]` and ends before `first[i + 1]`. */
  | { readonly kind: 'lists'; readonly first: Int32Array; readonly unknown?: Uint8Array; readonly items: TableColumn }
  /** The same of lists of parts, which are rows with columns of their own. */
  | { readonly kind: 'parts'; readonly first: Int32Array; readonly unknown?: Uint8Array; readonly parts: RowTable }
  /** Columns with several types of values. */
  | { readonly kind: 'values'; readonly values: readonly unknown[] };

export interface RowTable {
  readonly length: number;
  readonly columns: Readonly<Record<string, TableColumn>>;
}

/** Whether a value that another thread sent is a table. */
export function isRowTable(value: unknown): value is RowTable {
  return typeof value === 'object' && value !== null && 'length' in value && 'columns' in value;
}

export type CellReader = (row: number) => unknown;

/** The table of the cells of these rows. */
export function tableOfCells(cells: Readonly<Record<string, CellReader>>, rows: readonly number[]): RowTable {
  const columns = Object.entries(cells).map(
    ([key, cell]) => [key, columnOf(rows.length, (i) => writtenCell(cell(rows[i])))] as const,
  );
  return { length: rows.length, columns: Object.fromEntries(columns) };
}

/** A row of cells. A handle is absent where a row has none. */
export type CellRow<Cells extends Readonly<Record<string, CellReader>>> = {
  [Key in keyof Cells as Exclude<Key, 'handle'>]: WrittenCell<ReturnType<Cells[Key]>>;
} & { handle?: string };

/** The rows of the table of these cells. */
export function rowsOfCells<Cells extends Readonly<Record<string, CellReader>>>(
  cells: Cells,
  rows: readonly number[],
): CellRow<Cells>[] {
  return rowsOf(tableOfCells(cells, rows));
}

/** The same rows over a table, with the fields in the order in which they first occur. For lists that are objects before, to choose columns or an order. */
export function tableRows<Row extends object>(rows: readonly Row[]): Row[] {
  return rowsOf(tableOfObjects(rows));
}

function tableOfObjects(rows: readonly object[]): RowTable {
  const keys = new Set<string>();
  for (const row of rows) for (const key of Object.keys(row)) keys.add(key);
  const columns = [...keys].map(
    (key) => [key, columnOf(rows.length, (i): unknown => Reflect.get(rows[i], key))] as const,
  );
  return { length: rows.length, columns: Object.fromEntries(columns) };
}

/** A cell as results have it: an integer with more digits than a double is a decimal text, since readers of JSON would round a number. */
export type WrittenCell<Cell> = Cell extends bigint ? string : Cell;

export function writtenCell<Cell>(cell: Cell): WrittenCell<Cell>;
export function writtenCell(cell: unknown): unknown {
  return typeof cell === 'bigint' ? String(cell) : cell;
}

/** Bits of what a column has beside unknown values. */
const [NUMBER, TEXT, FLAG, LIST, OTHER, ABSENT] = [1, 2, 4, 8, 16, 32];

function bitOf(value: unknown): number {
  if (value === null) return 0;
  switch (typeof value) {
    case 'number':
      return NUMBER;
    case 'string':
      return TEXT;
    case 'boolean':
      return FLAG;
    case 'undefined':
      return ABSENT;
    default:
      return Array.isArray(value) ? LIST : OTHER;
  }
}

/** Values of one type, or unknown, as a typed column. Most columns are numbers, which are written as they are read. */
function columnOf(length: number, valueAt: (i: number) => unknown): TableColumn {
  const numbers = new Float64Array(length);
  let unknown: Uint8Array | undefined;
  let hasNumber = false;
  for (let i = 0; i < length; i++) {
    const value = valueAt(i);
    if (typeof value === 'number') {
      numbers[i] = value;
      hasNumber = true;
    } else if (value === null) {
      unknown ??= new Uint8Array(length);
      unknown[i] = 1;
    } else {
      const values = Array.from(numbers.subarray(0, i), (number, k): unknown => (unknown?.[k] === 1 ? null : number));
      values.push(value);
      for (let k = i + 1; k < length; k++) values.push(valueAt(k));
      return otherColumn(values);
    }
  }
  return hasNumber ? { kind: 'numbers', values: numbers, ...(unknown && { unknown }) } : allUnknown(length);
}

/** A column without any value. */
function allUnknown(length: number): TableColumn {
  return { kind: 'flags', values: new Int8Array(length).fill(-1) };
}

/** A column that has other values than numbers. */
function otherColumn(values: readonly unknown[]): TableColumn {
  let bits = 0;
  for (const value of values) bits |= bitOf(value);
  if (bits === TEXT || bits === (TEXT | ABSENT)) return textColumn(values);
  if (bits === FLAG) return { kind: 'flags', values: Int8Array.from(values, flagOf) };
  return bits === LIST ? listColumn(values) : { kind: 'values', values };
}

/** Lists, or unknown ones. */
function listColumn(lists: readonly unknown[]): TableColumn {
  const first = new Int32Array(lists.length + 1);
  const items: unknown[] = [];
  for (const [row, list] of lists.entries()) {
    if (Array.isArray(list)) for (const item of list) items.push(item);
    first[row + 1] = items.length;
  }
  const unknown = lists.includes(null) ? { unknown: Uint8Array.from(lists, (list) => Number(list === null)) } : {};
  return items.length > 0 && areParts(items)
    ? { kind: 'parts', first, ...unknown, parts: tableOfObjects(items) }
    : { kind: 'lists', first, ...unknown, items: columnOf(items.length, (i) => items[i]) };
}

/** Whether all are plain objects with the same fields in the same order. */
function areParts(items: readonly unknown[]): items is readonly object[] {
  const isPlain = (item: unknown): item is object =>
    typeof item === 'object' && item !== null && Object.getPrototypeOf(item) === Object.prototype;
  if (!items.every(isPlain)) return false;
  const keys = Object.keys(items[0] ?? {});
  return items.every((item) => {
    const itemKeys = Object.keys(item);
    return itemKeys.length === keys.length && itemKeys.every((key, i) => key === keys[i]);
  });
}

function flagOf(value: unknown): number {
  return value === null ? -1 : Number(value);
}

function textColumn(values: readonly unknown[]): TableColumn {
  const places = new Map<string, number>();
  const texts: string[] = [];
  const ids = Int32Array.from(values, (value) => {
    if (typeof value !== 'string') return value === undefined ? -2 : -1;
    const place = places.get(value);
    if (place !== undefined) return place;
    places.set(value, texts.length);
    return texts.push(value) - 1;
  });
  return { kind: 'texts', texts, ids };
}

/** The value of a cell, as a row object has it. */
export function cellOf(column: TableColumn | undefined, row: number): unknown {
  return column === undefined ? undefined : cellReader(column)(row);
}

/** Reads the cells of a column. */
export function cellReader(column: TableColumn): CellReader {
  switch (column.kind) {
    case 'numbers': {
      const { values, unknown } = column;
      return unknown === undefined ? (row) => values[row] : (row) => (unknown[row] === 1 ? null : values[row]);
    }
    case 'texts': {
      const { texts, ids } = column;
      return (row) => (ids[row] >= 0 ? texts[ids[row]] : ids[row] === -2 ? undefined : null);
    }
    case 'flags': {
      const { values } = column;
      return (row) => (values[row] < 0 ? null : values[row] === 1);
    }
    case 'lists':
      return listReader(column, cellReader(column.items));
    case 'parts': {
      const reader = new RowReader(column.parts);
      return listReader(column, (part) => reader.at(part));
    }
    case 'values': {
      const { values } = column;
      return (row) => values[row];
    }
  }
}

interface ListColumn {
  readonly first: Int32Array;
  readonly unknown?: Uint8Array;
}

function listReader({ first, unknown }: ListColumn, readItem: CellReader): CellReader {
  return (row) => {
    if (unknown?.[row] === 1) return null;
    return Array.from({ length: first[row + 1] - first[row] }, (_, i) => readItem(first[row] + i));
  };
}

/** Reads rows of a table as objects. */
class RowReader {
  readonly #keys: readonly string[];
  readonly #cells: readonly CellReader[];
  /** An object with all fields: copies of one have one layout, and are filled faster than new objects. */
  readonly #template: Record<string, unknown>;

  constructor({ columns }: RowTable) {
    this.#keys = Object.keys(columns);
    this.#cells = Object.values(columns).map(cellReader);
    this.#template = Object.fromEntries(this.#keys.map((key) => [key, null]));
  }

  /** The cells of a row; who made the table knows its type. */
  at<Row extends object>(row: number): Row;
  at(row: number): object {
    const cells = { ...this.#template };
    for (let i = 0; i < this.#keys.length; i++) {
      const value = this.#cells[i](row);
      if (value === undefined) return this.#withoutAbsent(row);
      cells[this.#keys[i]] = value;
    }
    return cells;
  }

  #withoutAbsent(row: number): object {
    const cells = this.#keys.map((key, i) => [key, this.#cells[i](row)] as const);
    return Object.fromEntries(cells.filter(([, value]) => value !== undefined));
  }
}

const tables = new WeakMap<readonly unknown[], RowTable>();

/** The table behind rows of `rowsOf`; undefined for other arrays. */
export function tableOf(rows: unknown): RowTable | undefined {
  return Array.isArray(rows) ? tables.get(rows) : undefined;
}

/** An array of the rows as objects, which cannot be changed. A row is made when it is first read; who made the table knows its type. */
export function rowsOf<Row extends object = Readonly<Record<string, unknown>>>(table: RowTable): Row[] {
  const reader = new RowReader(table);
  const readRow = (row: number): Row => {
    target[row] ??= reader.at(row);
    return target[row];
  };
  const target = new Array<Row>(table.length);
  Object.defineProperty(target, INSPECT, { value: () => rows.slice(), configurable: true });
  const rows: Row[] = new Proxy(target, {
    get: (array, key) => {
      const row = placeOf(key, table.length);
      return row === undefined ? Reflect.get(array, key, rows) : readRow(row);
    },
    has: (array, key) => placeOf(key, table.length) !== undefined || Reflect.has(array, key),
    ownKeys: (array) => [
      ...Array.from({ length: table.length }, (_, row) => String(row)),
      ...Reflect.ownKeys(array).filter((key) => key !== INSPECT && placeOf(key, table.length) === undefined),
    ],
    getOwnPropertyDescriptor: (array, key) => {
      const row = placeOf(key, table.length);
      if (row === undefined) return Reflect.getOwnPropertyDescriptor(array, key);
      return { value: readRow(row), writable: false, enumerable: true, configurable: true };
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    // Frozen, the array would have to hold all rows.
    preventExtensions: () => false,
  });
  tables.set(rows, table);
  return rows;
}

/** What `console.log` asks, which looks behind proxies. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** The row that a property names, if it is one of `length` rows. */
function placeOf(key: string | symbol, length: number): number | undefined {
  if (typeof key !== 'string') return undefined;
  const row = Number(key);
  return Number.isInteger(row) && row >= 0 && row < length && String(row) === key ? row : undefined;
}
