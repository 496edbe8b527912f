/** Lists of rows with metrics, sorted as gprofng sorts them: functions, lines, places of code, index objects. */
import { peerSort } from './code/peer-sort.js';
import { metricKey, type ShownMetric, type Sorting } from './metrics.js';
import { addressText, byBytes } from './numbers.js';
import { headLines, type Row, rowLine, shapeOf } from './table.js';
import { type Asked, type Grouping, type RowValues, shownValue } from './values.js';

/** A row with the facts of its columns and what breaks ties. */
export interface ListedRow extends Row {
  /** Row of the grouping; -1 is `<Total>`. */
  readonly row: number;
  /** Names are compared by this. */
  readonly key: string;
  /** Rows of equal names and values are in this order. */
  readonly order: number;
  /** What rows are sorted by. */
  readonly sort: number | string;
}

/** What is known of a row besides its values. */
export interface RowFacts {
  readonly name: string;
  readonly key?: string;
  readonly object: number;
  readonly start: number;
  readonly size: number;
  /** Of comparisons: the size in each group. */
  readonly sizes?: readonly number[];
}

export interface Listing {
  readonly metrics: readonly ShownMetric[];
  readonly rows: readonly ListedRow[];
  /** By column without the name. */
  readonly wholes: readonly number[];
}

export const TOTAL_FACTS: RowFacts = { name: '<Total>', object: 1, start: 0, size: 0 };

export interface ListOptions {
  readonly metrics: readonly ShownMetric[];
  readonly sorting: Sorting;
  readonly total?: RowFacts;
}

/** The rows of a grouping that have events, with all metrics, `<Total>` first. */
export async function listing(
  asked: Asked,
  grouping: Grouping,
  facts: (row: number) => RowFacts,
  { metrics, sorting, total = TOTAL_FACTS }: ListOptions,
): Promise<Listing> {
  const columns = metrics.filter(({ base }) => base.id !== 'name');
  const values = new Map<string, RowValues>();
  for (const { base } of [...columns, sorting.metric])
    if (base.kind !== 'static' && !values.has(metricKey(base)))
      values.set(metricKey(base), await asked.byRow(base, grouping));
  const used = await asked.usedRows(grouping);
  const cell = (metric: ShownMetric, row: number, of: RowFacts): number | string => {
    const own = values.get(metricKey(metric.base));
    if (own === undefined) return factText(metric, of);
    return row < 0 ? own.sum : shownValue(metric, own, row);
  };
  const rowOf = (row: number, of: RowFacts): ListedRow => ({
    row,
    name: of.name,
    key: of.key ?? of.name,
    order: of.object * 2 ** 40 + of.start,
    values: columns.map((metric) => cell(metric, row, of)),
    sort: sortValue(sorting.metric, of) ?? cell(sorting.metric, row, of),
  });
  const rows: ListedRow[] = [];
  for (let row = 0; row < grouping.count; row++) if (used[row] === 1) rows.push(rowOf(row, facts(row)));
  const rises = ['name', 'address'].includes(sorting.metric.base.id);
  rows.sort((a, b) => comparison(a, b, rises) * (sorting.reversed ? -1 : 1));
  const top = rowOf(-1, total);
  const all = sorting.reversed ? [...rows, top] : [top, ...rows];
  return { metrics, rows: all, wholes: columns.map(({ base }) => values.get(metricKey(base))?.sum ?? 0) };
}

/** Rows in the order in which gprofng needs their names, to sort rows with one value. */
export function namedInSorting({ rows }: Listing): readonly number[] {
  const named: number[] = [];
  peerSort(
    [...rows].sort((a, b) => a.row - b.row),
    (a, b) => {
      const first = typeof a.sort === 'number' && typeof b.sort === 'number' ? b.sort - a.sort : 0;
      if (first !== 0) return first;
      named.push(a.row, b.row);
      return byBytes(a.name, b.name);
    },
  );
  return named;
}

/** What a static metric sorts rows by, falling if it is a number: sizes fall, addresses and names rise. */
function sortValue({ base }: ShownMetric, { name, size, object, start }: RowFacts): number | string | undefined {
  if (base.id === 'name') return name;
  if (base.id === 'address') return -(object * 2 ** 40 + start);
  return base.id === 'size' ? size : undefined;
}

/** Falling values, then rising names, then falling values of the other columns (rising ones if `rises`), then rising addresses. */
function comparison(a: ListedRow, b: ListedRow, rises: boolean): number {
  const first = typeof a.sort === 'number' && typeof b.sort === 'number' ? b.sort - a.sort : 0;
  if (first !== 0) return first;
  const byName = byBytes(a.key, b.key);
  if (byName !== 0) return byName;
  const falls = rises ? -1 : 1;
  for (const [i, value] of a.values.entries()) {
    // Addresses are no numbers.
    const difference = Number(b.values[i]) - Number(value);
    if (difference !== 0 && !Number.isNaN(difference)) return difference * falls;
  }
  return a.order - b.order || a.row - b.row;
}

/** A static metric of a row: its size, or its address. */
export function factText({ base }: ShownMetric, { size, sizes, object, start }: Omit<RowFacts, 'name'>): string {
  return base.id === 'size' ? String(sizes?.[base.compared?.group ?? 0] ?? size) : addressText(object, start);
}

/** A list as text: heads, rows, an empty line. `limit` 0 is none. */
export function listText({ metrics, rows, wholes }: Listing, limit: number): string {
  const shape = shapeOf(metrics, rows, wholes);
  const shown = limit > 0 ? rows.slice(0, limit) : rows;
  return `${[...headLines(shape), ...shown.map((row) => rowLine(shape, row))].join('\n')}\n\n`;
}
