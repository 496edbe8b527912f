/**
 * Adds event tables of one kind: rows that agree in everything but their numbers become one row. The rows are in the
 * order of their keys. Cost: one look-up a row and key; 8 bytes a number of a distinct row.
 */
import { IntTable } from '../../base/columns/hash.js';
import { rowsWhere, taken } from '../../base/columns/marks.js';
import { NONE } from '../../base/flavor.js';
import { SITE } from '../../models/events/shared-fields.js';
import { type Column, columnOf, type Field, type Table } from '../../models/table.js';
import { inOrder, sortRuns } from './counting-order.js';
import { ExactSums } from './exact-sums.js';
import type { WeightedTable } from './merge-branches.js';

/** Maps the row numbers in a field to joined rows; undefined for fields with plain numbers. */
export type RowMap = Int32Array | undefined;

export interface MergedRows {
  readonly columns: Readonly<Record<string, Column>>;
  readonly length: number;
  readonly saturated: number;
}

/** The fields that identify a row of a kind, and those that are added. */
export interface RowPlan {
  /** The first one is the stack, if any. */
  readonly keys: readonly Field[];
  readonly sums: readonly Field[];
  /** Whether the sums of a field are always whole numbers. */
  readonly whole: (field: Field) => boolean;
  /** Key of the sum that counts rows, for tables in which each row counts as 1. */
  readonly counted?: string;
}

/**
 * `mapped`: the joined rows of an input's rows, for the content of a field. `lost` is called for rows that refer to
 * something that cannot be joined.
 */
export function mergeRows(
  tables: readonly WeightedTable[],
  plan: RowPlan,
  denominator: bigint,
  mapped: (table: WeightedTable, field: Field) => RowMap,
  lost: (input: number, rows: number) => void,
): MergedRows {
  // Keys as a trie: (keys before, key, which key).
  const keys = new IntTable();
  const rowOf = new IntTable();
  const sums = plan.sums.map(() => new ExactSums(denominator));
  const fractional = plan.sums.map(() => false);
  for (const weighted of tables) {
    const { table, weight, exactWeight, input } = weighted;
    const readers = plan.keys.map((field) => keyReader(table, field, mapped(weighted, field)));
    const values = plan.sums.map((field) => columnOf(table, field));
    const missing = plan.sums.map(({ key }) => (key === plan.counted ? 1 : 0));
    // Entries are reported, not their records.
    const site = columnOf(table, SITE);
    let lastSite: number | undefined;
    let refused = 0;
    for (let row = 0; row < table.length; row++) {
      let node = NONE;
      for (let i = 0; i < readers.length && node > LOST; i++) {
        const key = readers[i]?.(row) ?? NONE;
        node = key === LOST ? LOST : keys.add(node, key, i);
      }
      if (node === LOST) {
        if (site === undefined || site[row] !== lastSite) refused++;
        lastSite = site?.[row];
        continue;
      }
      const at = rowOf.add(node);
      for (let i = 0; i < sums.length; i++) {
        const sum = sums[i];
        const value = values[i]?.[row] ?? missing[i] ?? 0;
        if (at === sum?.length) sum.push();
        sum?.add(at, value, weight, exactWeight);
        if (!Number.isInteger(value)) fractional[i] = true;
      }
    }
    lost(input, refused);
  }
  return finished(keys, rowOf, sums, plan, fractional);
}

/** Result of a key reader for a row that refers to something that cannot be joined. */
const LOST = -2;

function keyReader(table: Table, field: Field, map: RowMap): (row: number) => number {
  const values = columnOf(table, field);
  if (values === undefined) return () => NONE;
  const { holds } = field;
  if (holds === 'number') return (row) => values[row];
  return (row) => {
    const value = values[row];
    if (value < 0) return NONE;
    const joined = map?.[value] ?? NONE;
    return joined < 0 ? LOST : joined;
  };
}

function finished(
  keys: IntTable,
  rowOf: IntTable,
  sums: readonly ExactSums[],
  plan: RowPlan,
  fractional: readonly boolean[],
): MergedRows {
  const length = rowOf.length;
  const before = keys.column(0);
  const key = keys.column(1);
  const columns: Record<string, Column> = {};
  let nodes = rowOf.column(0);
  const lists = plan.keys.map(() => nodes);
  for (let i = lists.length - 1; i >= 0; i--) {
    lists[i] = taken(key, nodes);
    nodes = taken(before, nodes);
  }
  const order = orderOf(length, plan.keys, lists);
  plan.keys.forEach((field, i) => {
    columns[field.key] = taken(lists[i], order);
  });
  let saturated = 0;
  plan.sums.forEach((field, i) => {
    const sum = sums[i];
    if (sum === undefined) return;
    const whole = plan.whole(field) || fractional[i] !== true;
    const values = new Float64Array(length);
    for (let i = 0; i < length; i++) values[i] = whole ? sum.whole(order[i]) : sum.nearest(order[i]);
    columns[field.key] = values;
    saturated += sum.saturated;
  });
  return { columns, length, saturated };
}

/** Rows by their keys, the first one first. Row numbers are counted; other numbers, which may be any, are compared. */
function orderOf(length: number, keys: readonly Field[], lists: readonly Int32Array[]): Int32Array {
  const all = rowsWhere(length, () => true);
  const compare = (a: number, b: number): number => {
    for (const list of lists) if (list[a] !== list[b]) return list[a] - list[b];
    return 0;
  };
  const [first] = lists;
  if (first === undefined || keys[0].holds === 'number') return all.sort(compare);
  const order = inOrder(all, first);
  if (lists.length > 1) sortRuns(order, (a, b) => first[a] === first[b], compare);
  return order;
}
