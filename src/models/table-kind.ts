/**
 * The contract of all tables of one kind: their fields and meanings. It creates and reads the tables: `rows` returns
 * the columns by name, so that readers do not spell fields as strings.
 */
import { chosenColumns, columnLength, rowParts, rowsOfColumns } from './packed-columns.js';
import type { Metric } from './profile/profile.js';
import { type Column, columnKeys, type Field, type Nature, type Table, TableBuilder } from './table.js';

/** A column for each field by its key; optional fields only if present. */
export type Columns<F extends Field> = {
  readonly [K in F as K extends { readonly optional: true } ? never : K['key']]: Column;
} & { readonly [K in F as K extends { readonly optional: true } ? K['key'] : never]?: Column | undefined };

/** The rows of a table, as columns. */
export type TableRows<F extends Field> = { readonly length: number } & Columns<F>;

/** Rows of some columns. */
type RowsWith<F extends Field, Key extends string> = TableRows<Extract<F, { readonly key: Key }>>;

/** The rows of the tables of a kind: `RowsOf<typeof CALL_EVENTS>`. */
export type RowsOf<Kind> = Kind extends TableKind<infer F> ? TableRows<F> : never;

/** Builder of the tables of a kind. */
export type BuilderOf<Kind> = Kind extends TableKind<infer F> ? TableBuilder<F> : never;

/** Interface of a kind of tables. */
export type Contract = Pick<TableKind<Field>, 'kind' | 'title' | 'fields'>;

export type OptionalKey<F extends Field> = F extends { readonly optional: true } ? F['key'] : never;

type MeasureKey<F extends Field> = F extends { readonly nature: Nature } ? F['key'] : never;

/** Properties of a metric beyond its field; unit and nature if they differ from the field. */
type MetricWords = Pick<Metric, 'id' | 'title'> & Partial<Omit<Metric, 'id' | 'title' | 'table' | 'field'>>;

/** The field as optional. */
export function optional<const F extends Field>(field: F): F & { readonly optional: true } {
  return { ...field, optional: true };
}

/** An optional field as a required one. */
type Present<F extends Field> = Omit<F, 'optional'> & Field;

export type Having<F extends Field, Key extends string> = F extends { readonly key: Key } ? Present<F> : F;

export class TableKind<F extends Field> {
  readonly kind: string;
  readonly title: string;
  /** For tables with all of them, in order. */
  readonly fields: readonly Field[];

  constructor(kind: string, title: string, fields: readonly Field[]) {
    this.kind = kind;
    this.title = title;
    this.fields = fields;
    const twice = fields.find(({ key }, i) => fields.findIndex((other) => other.key === key) < i);
    if (twice !== undefined) throw new Error(`two fields of ${kind} are ${twice.key}`);
  }

  /** The columns of a table of this kind; throws if it lacks a required one, a programming error. Cost: none a row. */
  rows(table: Table): TableRows<F> {
    const rows = rowsOfColumns(table.columns, table.length);
    if (table.kind === this.kind && this.#isComplete(rows)) return rows;
    const lacking = this.fields.filter(({ key, optional: may }) => may !== true && table.columns[key] === undefined);
    const words = lacking.map(({ key }) => key).join(', ');
    throw new Error(
      `a table ${table.kind}${words === '' ? '' : ` without ${words}`} does not match the kind ${this.kind}`,
    );
  }

  #isComplete(rows: object): rows is TableRows<F> {
    const keys = new Set(Object.keys(rows));
    return this.fields.every(({ key, optional: may }) => may === true || keys.has(key));
  }

  /**
   * The columns with these keys, for loops that read each row once: in parts, whose values are valid until the next part, where columns are
   * packed. Memory: a part.
   */
  *parts<Key extends F['key']>(table: Table, keys: readonly Key[]): Generator<RowsWith<F, Key>> {
    for (const { length, columns } of rowParts(table, keys)) {
      const part = { length, ...Object.fromEntries(keys.map((key, i) => [key, columns[i]])) };
      if (this.#has(part, keys)) yield part;
    }
  }

  #has<Key extends F['key']>(part: object, keys: readonly Key[]): part is RowsWith<F, Key> {
    const found = new Map<string, unknown>(Object.entries(part));
    const lacking = this.fields
      .filter(({ key }) => keys.some((asked) => asked === key))
      .find(({ key, optional: may }) => may !== true && found.get(key) === undefined);
    if (lacking !== undefined) throw new Error(`a table without ${lacking.key} does not match the kind ${this.kind}`);
    return true;
  }

  /** Builds a table row by row, with all fields that are not optional. */
  builder(title = this.title): TableBuilder<F> {
    const fields = this.fields.filter((field) => field.optional !== true);
    return new TableBuilder(this.kind, title, fields);
  }

  /** The table of the existing columns. */
  table(columns: Columns<F>, title = this.title): Table {
    const given: Readonly<Record<string, Column | undefined>> = columns;
    const present = chosenColumns(given, columnKeys(this.fields));
    const fields = this.fields.filter(({ key }) => Object.hasOwn(present, key));
    return { kind: this.kind, title, length: columnLength(present), fields, columns: present };
  }

  /** The same with further fields that only the file names: theirs come after those of the kind. A missing column is a programming error. */
  tableWith(columns: Readonly<Record<string, Column | undefined>>, more: readonly Field[]): Table {
    const all = this.fieldsWith(more);
    const present = chosenColumns(columns, columnKeys(all));
    const fields = all.filter(({ key }) => Object.hasOwn(present, key));
    const table = { kind: this.kind, title: this.title, length: columnLength(present), fields, columns: present };
    this.rows(table);
    return table;
  }

  /** The metric that sums a field. */
  metric(key: MeasureKey<F>, words: MetricWords): Metric {
    const field = this.fields.find((candidate) => candidate.key === key);
    if (field?.nature === undefined) throw new Error(`the field ${key} of ${this.kind} cannot be summed`);
    return { unit: field.unit, nature: field.nature, table: this.kind, field: key, ...words };
  }

  /** The metric that counts the rows. */
  rowMetric(words: Omit<Metric, 'table' | 'field'>): Metric {
    return { ...words, table: this.kind };
  }

  /** The kind, of tables that have these optional fields. */
  having<Key extends OptionalKey<F>>(keys: readonly Key[]): TableKind<Having<F, Key>> {
    return new TableKind<Having<F, Key>>(this.kind, this.title, this.fieldsHaving(keys));
  }

  /** The kind with further fields of a format, after its own. */
  extended<const More extends readonly Field[]>(more: More): TableKind<F | More[number]> {
    return new TableKind<F | More[number]>(this.kind, this.title, this.fieldsWith(more));
  }

  protected fieldsHaving(keys: readonly string[]): Field[] {
    return this.fields.map((field) => {
      const { optional: _, ...present } = field;
      return keys.includes(field.key) ? present : field;
    });
  }

  protected fieldsWith(more: readonly Field[]): Field[] {
    return [...this.fields, ...more.map((field): Field => ({ ...field, extension: true }))];
  }
}

/** The columns of these fields, of tables of any kind; throws if a required one is missing, a programming error. */
export function rowsOf<F extends Field>(table: Table, fields: readonly F[]): TableRows<F> {
  return new TableKind<F>(table.kind, table.title, fields).rows(table);
}

/** The kind of tables with these fields. */
export function defineTable<const Fields extends readonly Field[]>(
  kind: string,
  title: string,
  fields: Fields,
): TableKind<Fields[number]> {
  return new TableKind<Fields[number]>(kind, title, fields);
}
