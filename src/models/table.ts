/**
 * Self-described tables: columns over typed arrays with, for each, its name, unit and meaning. Event tables, traces,
 * arcs, counters and ranges are all of this shape, so that filters, metrics and listings need no code per kind.
 */
import { Float64Builder, Int32Builder } from '../base/columns/columns.js';
import { taken } from '../base/columns/marks.js';
import type { Unit } from '../base/units.js';

export type Column = Int32Array | Float64Array;

/** Meaning of the values of a field: rows of another table, or plain numbers. */
export type FieldMeaning = 'number' | 'stack' | 'function' | 'class' | 'thread' | 'string' | 'row';

/**
 * flow: happens over time and may be summed along stacks. level: true at a moment, never summed over moments.
 * site: belongs to one place of code only, so it has exclusive values and no inclusive ones. static: about the code itself.
 */
export type Nature = 'flow' | 'level' | 'site' | 'static';

/** A column: its key is its name in filters, its title heads the column on screen. */
export interface Field {
  readonly key: string;
  readonly title: string;
  readonly holds: FieldMeaning;
  readonly unit: Unit;
  readonly meaning: string;
  /** Counts and times need a double; ids and indexes fit 32 bits. */
  readonly wide?: boolean;
  /** How its values add up; absent if they must not be summed. */
  readonly nature?: Nature;
  /** Optional in tables of the kind. */
  readonly optional?: true;
  /** Added by a format, not part of the kind. */
  readonly extension?: true;
  /** Of numbers that stand for words: the words, by number. */
  readonly names?: readonly string[];
  /** Of row numbers: the number that people call the first row by, if not 0. */
  readonly first?: number;
  /** Of row numbers: the table in whose field `serial` the recording has its own number for each row. */
  readonly numberedBy?: 'traces';
  /**
   * Its names on the other side, which filters take, too. Of tables of a kind: those of the file, of events of one type or another.
   * Of tables whose fields the file names: those of the kind that the events belong to.
   */
  readonly otherNames?: readonly string[];
  /** The number that means "unknown"; NaN always does. */
  readonly unknown?: number;
  /**
   * Of integers some of which have more digits than a double: the key of a column without a field, whose values are added to those of this one
   * (`base/exact-integers.ts`).
   */
  readonly rest?: string;
}

/** `length` rows; `columns[field.key]` holds the values of a field. `-1` in a column of row ids means "none". */
export interface Table {
  readonly kind: string;
  readonly title: string;
  readonly length: number;
  readonly fields: readonly Field[];
  readonly columns: Readonly<Record<string, Column>>;
  /**
   * Of tables whose fields are named by the file: the keys of those that mean what `STACK`, `THREAD` and `TIME` mean, by
   * the keys of these. Other fields with such a key have it by chance. Absent if all fields are those of the house.
   */
  readonly shared?: Readonly<Record<string, string>>;
  /** Of events during which all threads of the program may stand still, such as collections: whose thread they have matters to no other. */
  readonly isOfAllThreads?: boolean;
}

/** The keys of the columns of some fields, those of their rests among them. */
export function columnKeys(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ key, rest }) => (rest === undefined ? [key] : [key, rest]));
}

/** The values of a field; throws if the table has no such field, a programming error. */
export function column(table: Table, key: string): Column {
  const values = table.columns[key];
  if (values === undefined) throw new Error(`table ${table.kind} has no field ${key}`);
  return values;
}

export function hasField(table: Table, key: string): boolean {
  return Object.hasOwn(table.columns, key);
}

/** The values of a field; undefined if the table lacks it. */
export function columnOf(table: Table, field: Field): Column | undefined {
  const key = keyIn(table, field);
  return key === undefined ? undefined : table.columns[key];
}

/** The key of a field of the house in a table; undefined if the file names the fields, and lacks it: a file may use any key. */
export function keyIn({ shared }: Table, { key }: Field): string | undefined {
  return shared === undefined ? key : shared[key];
}

/** The rows `rows` of a table, in that order; columns in `replaced` are used as given. */
export function selectRows(table: Table, rows: Int32Array, replaced: Record<string, Column> = {}): Table {
  // A file may call a field `constructor`, or `__proto__`.
  const columns = columnKeys(table.fields).map((key): [string, Column] => [
    key,
    Object.hasOwn(replaced, key) ? replaced[key] : taken(column(table, key), rows),
  ]);
  return { ...table, length: rows.length, columns: Object.fromEntries(columns) };
}

/** The table with other rows in all columns that hold rows of one kind: `moved[row]` in place of each row; -1 stays. */
export function withMovedRows(table: Table, holds: FieldMeaning, moved: ArrayLike<number>): Table {
  const own = table.fields.filter((field) => field.holds === holds);
  if (own.length === 0) return table;
  const columns = own.map(({ key }): [string, Column] => [
    key,
    Int32Array.from(column(table, key), (row) => (row < 0 ? row : (moved[row] ?? row))),
  ]);
  return { ...table, columns: { ...table.columns, ...Object.fromEntries(columns) } };
}

type ColumnBuilder = Int32Builder | Float64Builder;

/** The builders of the columns of a table by key, for hot loops: the caller pushes the same number of values to each. */
export type ColumnBuilders<F extends Field> = {
  readonly [K in F as K['key']]: K extends { readonly optional: true } ? ColumnBuilder | undefined : ColumnBuilder;
};

/** Values of a row by the keys of their fields. */
export type NewRow<F extends Field> = Readonly<Partial<Record<F['key'], number>>>;

/** Builds a table row by row. */
export class TableBuilder<F extends Field = Field> {
  readonly builders: ColumnBuilders<F>;
  readonly #kind: string;
  readonly #title: string;
  readonly #fields: readonly Field[];
  readonly #columns: readonly { readonly key: string; readonly values: ColumnBuilder }[];

  constructor(kind: string, title: string, fields: readonly Field[]) {
    this.#kind = kind;
    this.#title = title;
    this.#fields = fields;
    this.#columns = fields.map(({ key, wide }) => ({
      key,
      values: wide === true ? new Float64Builder() : new Int32Builder(),
    }));
    const builders = Object.fromEntries(this.#columns.map(({ key, values }) => [key, values]));
    if (!this.#isComplete(builders)) throw new Error(`two fields of ${kind} have the same key`);
    this.builders = builders;
  }

  get length(): number {
    return this.#columns[0]?.values.length ?? 0;
  }

  /** Adds a row; missing values are -1. */
  add(row: NewRow<F>): void {
    const given: Readonly<Record<string, number | undefined>> = row;
    for (const { key, values } of this.#columns) values.push(given[key] ?? -1);
  }

  finish(): Table {
    const columns: Record<string, Column> = {};
    for (const { key, values } of this.#columns) columns[key] = values.finish();
    return { kind: this.#kind, title: this.#title, length: this.length, fields: this.#fields, columns };
  }

  #isComplete(builders: object): builders is ColumnBuilders<F> {
    return Object.keys(builders).length === this.#fields.length;
  }
}
