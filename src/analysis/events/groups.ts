/** Groups of rows by codes, and what the values of each group amount to. 4 bytes a row and code, 12 a value, 24 of integers with more digits than a double. */
import { IntTable } from '../../base/columns/hash.js';
import { type ExactNumber, exactNumber, narrowed } from '../../base/exact-integers.js';
import { exactPercentile, percentile } from '../percentile.js';

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
  /** Of groups with integers that have more digits than a double, or such a sum. */
  readonly exact: ReadonlyMap<number, ExactAmounts>;
}

/** What integers of a group amount to, without loss. */
export interface ExactAmounts {
  readonly sum: ExactNumber;
  readonly max: ExactNumber;
  readonly p50: ExactNumber;
  readonly p90: ExactNumber;
  readonly p99: ExactNumber;
}

/** What the values amount to in each group; unknown ones (NaN) do not count. `rests`: what is added to the values, if anything. */
export function amountsOf({ length, group }: Groups, values: Float64Array, rests?: Float64Array): Amounts {
  const start = new Int32Array(length + 1);
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) start[group[row] + 1]++;
  for (let id = 0; id < length; id++) start[id + 1] += start[id];
  const sorted = new Float64Array(start[length]);
  const sortedRests = rests && new Float64Array(start[length]);
  const next = start.slice(0, length);
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row])) continue;
    const place = next[group[row]]++;
    sorted[place] = values[row];
    if (sortedRests !== undefined) sortedRests[place] = rests?.[row] ?? 0;
  }
  const unknown = () => new Float64Array(length).fill(NaN);
  const amounts = { sum: unknown(), mean: unknown(), max: unknown(), p50: unknown(), p90: unknown(), p99: unknown() };
  const exact = new Map<number, ExactAmounts>();
  for (let id = 0; id < length; id++) {
    const own = sorted.subarray(start[id], start[id + 1]);
    if (own.length === 0) continue;
    const exactOfGroup = exactAmounts(own, sortedRests?.subarray(start[id], start[id + 1]));
    if (exactOfGroup !== undefined) exact.set(id, exactOfGroup);
    own.sort();
    let sum = 0;
    for (const value of own) sum += value;
    amounts.sum[id] = sum;
    amounts.mean[id] = Number(exactOfGroup?.sum ?? sum) / own.length;
    amounts.max[id] = own[own.length - 1];
    amounts.p50[id] = percentile(own, 0.5) ?? NaN;
    amounts.p90[id] = percentile(own, 0.9) ?? NaN;
    amounts.p99[id] = percentile(own, 0.99) ?? NaN;
  }
  return { ...amounts, exact };
}

/** Undefined if doubles are exact, or the values are no integers. */
function exactAmounts(values: Float64Array, rests: Float64Array | undefined): ExactAmounts | undefined {
  let size = 0;
  let isLarge = false;
  for (const value of values) {
    if (!Number.isInteger(value)) return undefined;
    size += Math.abs(value);
    isLarge ||= !Number.isSafeInteger(value);
  }
  if (size <= Number.MAX_SAFE_INTEGER || (isLarge && rests === undefined)) return undefined;
  let sum = 0n;
  for (let i = 0; i < values.length; i++) sum += BigInt(values[i]) + BigInt(rests?.[i] ?? 0);
  const restOf = (place: number): number => rests?.[place] ?? 0;
  const order = Int32Array.from(values, (_, place) => place);
  order.sort((a, b) => values[a] - values[b] || restOf(a) - restOf(b));
  const sorted = { length: order.length, at: (i: number) => exactNumber(values[order[i]], restOf(order[i])) };
  return {
    sum: narrowed(sum),
    max: sorted.at(order.length - 1),
    p50: exactPercentile(sorted, 0.5),
    p90: exactPercentile(sorted, 0.9),
    p99: exactPercentile(sorted, 0.99),
  };
}
