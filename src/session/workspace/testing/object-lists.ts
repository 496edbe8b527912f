/** Which lists of an answer are columns, and which are arrays of objects. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../testing/shared-data.js';
import { type RowTable, type TableColumn, tableOf } from '../../../views/row-table.js';

/** The lists that stay arrays of objects, since they are short however much is recorded: why each is. */
export const SHORT_LISTS: Readonly<Record<string, string>> = {
  'calls-check patterns': 'patterns of the question',
  'check codes': 'codes of problems',
  'diff runs': 'recordings of the question',
  'heap-inspect dominators.shown': 'twenty at most',
  'heap-inspect referrers.shown': 'twenty at most',
  'heap-inspect path.shown': 'twenty at most',
  'io-sizes kinds': 'kinds of calls',
  'pgo-branches code.findings': 'reasons',
  'pgo-hot origins': 'origins of methods',
  'pgo-receivers code.findings': 'reasons',
  'pgo-receivers shapes': 'shapes of calls',
  'pgo-stale kinds': 'kinds of entries',
  'pgo-stale states': 'states of methods',
  'processes data': 'kinds of data',
  'processes metadata': 'facts of a recorder',
  'summary calls.loaders': 'the largest',
  'summary calls.packages': 'the largest',
  'summary calls.reasons': 'the largest',
  'summary classes.largest': 'the largest',
  'summary findings': 'kinds of findings',
  'summary heap.out_of_memory': 'threads that threw an error when the dump was made',
  'summary heap.repeated.shown': 'the largest',
  'summary metrics': 'metrics of a recording',
  'summary metrics[].cut': 'depths of cut stacks',
  'summary metrics[].hottest': 'the largest',
  'summary receivers': 'shapes of calls',
  'threads changes.dumps': 'a hundred at most',
  'timeline states': 'kinds of lanes',
};

/** Of every answer: its columns, and texts that have parts. */
const OF_EVERY_ANSWER = /^\S+ (columns|(notes|headlines)(\[\].*)?)$/;

/** Whether a list is one of those that may stay objects. */
export function isShortList(path: string): boolean {
  return Object.hasOwn(SHORT_LISTS, path) || OF_EVERY_ANSWER.test(path);
}

/** The lists of answers by path, such as `summary metrics[].hottest`. */
export class ObjectLists {
  /** Lists over columns that had a row. */
  readonly tables = new Set<string>();
  /** Arrays with objects, also in cells. */
  readonly arrays = new Set<string>();

  add(view: string, result: unknown): void {
    this.#add(result, view, ' ');
  }

  #add(value: unknown, path: string, separator: string): void {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
    const table = tableOf(value);
    if (table !== undefined) this.#addTable(table, path);
    else if (Array.isArray(value)) {
      if (value.some((item) => typeof item === 'object' && item !== null)) this.arrays.add(path);
      for (const item of value) this.#add(item, `${path}[]`, '.');
    } else for (const [key, inner] of Object.entries(value)) this.#add(inner, `${path}${separator}${key}`, '.');
  }

  #addTable({ length, columns }: RowTable, path: string): void {
    if (length > 0) this.tables.add(path);
    for (const [key, column] of Object.entries(columns)) this.#addColumn(column, `${path}[].${key}`);
  }

  #addColumn(column: TableColumn, path: string): void {
    if (column.kind === 'parts') this.#addTable(column.parts, path);
    else if (column.kind === 'lists') this.#addColumn(column.items, path);
    else if (column.kind === 'values' && column.values.some((value) => typeof value === 'object' && value !== null))
      this.arrays.add(path);
  }
}

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The lists of objects that the published schema of a view has, by path. */
export function publishedLists(view: string): string[] {
  const folder = join(ROOT, 'docs', 'schema');
  const file = readdirSync(folder).find((name) => name.replace(/-v\d+\.schema\.json$/, '') === view);
  if (file === undefined) throw new Error(`no schema of ${view}`);
  const schema: Schema = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return [...listsIn(schema, view, ' ')];
}

function* listsIn({ anyOf = [], properties = {}, items }: Schema, path: string, separator: string): Generator<string> {
  for (const choice of anyOf) yield* listsIn(choice, path, separator);
  for (const [key, property] of Object.entries(properties)) yield* listsIn(property, `${path}${separator}${key}`, '.');
  if (items === undefined) return;
  if (isObject(items)) yield path;
  yield* listsIn(items, `${path}[]`, '.');
}

function isObject({ type, anyOf = [] }: Schema): boolean {
  return type === 'object' || anyOf.some(isObject);
}
