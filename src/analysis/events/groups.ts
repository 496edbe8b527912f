/** Groups of rows by codes, and what the values of each group amount to. Columns only: 4 bytes a row and code, 12 a value. */
import { IntTable } from '../../base/columns/hash.js';
import { percentile } from '../percentile.js';

/** Rows in groups: `group[row]` counts from 0 on, in the order of first appearance; `first[group]` is its first row. */
export interface Groups {
  readonly length: number;
  readonly group: Int32Array;
  readonly first: Int32Array;
  readonly count: Int32Array;
}

/** The groups of rows that have the same codes. */
export function groupRows(length: number, codes: readonly Int32Array[]): Groups {
  let group: Int32Array = new Int32Array(length);
  let groups = Math.min(1, length);
  for (const code of codes) {
    const table = new IntTable();
    const finer = new Int32Array(length);
    for (let row = 0; row < length; row++) finer[row] = table.add(group[row], code[row]);
    group = finer;
    groups = table.length;
  }
  const first = new Int32Array(groups).fill(-1);
  const count = new Int32Array(groups);
  for (let row = 0; row < length; row++) {
    if (count[group[row]]++ === 0) first[group[row]] = row;
  }
  return { length: groups, group, first, count };
}

/** By group; NaN where no value is known. */
export interface Amounts {
  readonly sum: Float64Array;
  readonly mean: Float64Array;
  readonly max: Float64Array;
  /** As `percentile` defines them. */
  readonly p50: Float64Array;
  readonly p90: Float64Array;
  readonly p99: Float64Array;
}

/** What the values amount to in each group; unknown ones (NaN) do not count. */
export function amountsOf({ length, group }: Groups, values: Float64Array): Amounts {
  const start = new Int32Array(length + 1);
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) start[group[row] + 1]++;
  for (let id = 0; id < length; id++) start[id + 1] += start[id];
  const sorted = new Float64Array(start[length]);
  const next = start.slice(0, length);
  for (let row = 0; row < values.length; row++)
    if (!Number.isNaN(values[row])) sorted[next[group[row]]++] = values[row];
  const unknown = () => new Float64Array(length).fill(NaN);
  const amounts = { sum: unknown(), mean: unknown(), max: unknown(), p50: unknown(), p90: unknown(), p99: unknown() };
  for (let id = 0; id < length; id++) {
    const own = sorted.subarray(start[id], start[id + 1]).sort();
    if (own.length === 0) continue;
    let sum = 0;
    for (const value of own) sum += value;
    amounts.sum[id] = sum;
    amounts.mean[id] = sum / own.length;
    amounts.max[id] = own[own.length - 1];
    amounts.p50[id] = percentile(own, 0.5) ?? NaN;
    amounts.p90[id] = percentile(own, 0.9) ?? NaN;
    amounts.p99[id] = percentile(own, 0.99) ?? NaN;
  }
  return amounts;
}
