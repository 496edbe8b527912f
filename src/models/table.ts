/**
 * Self-described tables: columns over typed arrays with, for each, its name, unit and meaning. Event tables, traces,
 * arcs, counters and ranges are all of this shape, so that filters, metrics and listings need no code per kind.
 */
import { Float64Builder, Int32Builder } from '../base/columns.js';
import type { Unit } from '../base/units.js';

export type Column = Int32Array | Float64Array;

/** What the numbers of a field stand for: a row of another table, or themselves. */
export type Holds = 'number' | 'stack' | 'function' | 'class' | 'thread' | 'string' | 'row';

/** A column: its key is the word a filter uses for it, its title heads the column on screen. */
export interface Field {
  readonly key: string;
  readonly title: string;
  readonly holds: Holds;
  readonly unit: Unit;
  readonly meaning: string;
  /** Counts and times need a double; ids and indexes fit 32 bits. */
  readonly wide?: boolean;
}

/** `length` rows; `columns[field.key]` holds the values of a field. `-1` in a column of row ids means "none". */
export interface Table {
  readonly kind: string;
  readonly title: string;
  readonly length: number;
  readonly fields: readonly Field[];
  readonly columns: Readonly<Record<string, Column>>;
}

/** The values of a field; a programming error where the table has no such field. */
export function column(table: Table, key: string): Column {
  const values = table.columns[key];
  if (values === undefined) throw new Error(`table ${table.kind} has no field ${key}`);
  return values;
}

export function hasField(table: Table, key: string): boolean {
  return table.columns[key] !== undefined;
}

/** The last of the dumps that the rows of a table belong to; -1 where there are none. */
export function lastDump(dumps: Column): number {
  let last = -1;
  for (const dump of dumps) if (dump > last) last = dump;
  return last;
}

/** The rows `rows` of a table, in that order; columns of `replaced` are taken as they are. */
export function selectRows(table: Table, rows: Int32Array, replaced: Record<string, Column> = {}): Table {
  const columns: Record<string, Column> = {};
  for (const field of table.fields) {
    const source = column(table, field.key);
    const target = source instanceof Int32Array ? new Int32Array(rows.length) : new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]];
    columns[field.key] = replaced[field.key] ?? target;
  }
  return { ...table, length: rows.length, columns };
}

/** Calls `visit` for each run of rows with the same `site`: the records of one entry of the file. */
export function forEachSite(
  table: Table | undefined,
  visit: (site: number, stack: number, from: number, to: number) => void,
): void {
  if (table === undefined) return;
  const site = column(table, 'site');
  const stack = column(table, 'stack');
  for (let from = 0; from < table.length; ) {
    let to = from + 1;
    while (to < table.length && site[to] === site[from]) to++;
    visit(site[from], stack[from], from, to);
    from = to;
  }
}

/** Builds a table row by row. */
export class TableBuilder {
  readonly #kind: string;
  readonly #title: string;
  readonly #fields: readonly Field[];
  readonly #builders: Record<string, Int32Builder | Float64Builder> = {};

  constructor(kind: string, title: string, fields: readonly Field[]) {
    this.#kind = kind;
    this.#title = title;
    this.#fields = fields;
    for (const field of fields)
      this.#builders[field.key] = field.wide === true ? new Float64Builder() : new Int32Builder();
  }

  /** The builder of one column, for hot loops: the caller pushes the same number of values to each. */
  field(key: string): Int32Builder | Float64Builder {
    const builder = this.#builders[key];
    if (builder === undefined) throw new Error(`table ${this.#kind} has no field ${key}`);
    return builder;
  }

  add(row: Readonly<Record<string, number>>): void {
    for (const field of this.#fields) this.field(field.key).push(row[field.key] ?? -1);
  }

  finish(): Table {
    const columns: Record<string, Column> = {};
    let length = 0;
    for (const field of this.#fields) {
      const values = this.field(field.key).finish();
      columns[field.key] = values;
      length = values.length;
    }
    return { kind: this.#kind, title: this.#title, length, fields: this.#fields, columns };
  }
}
