/** Rows in the order of numbers: sorts without a comparison of two rows, where there are many. */
import { NONE } from '../../base/flavor.js';

/** Rows by a key of at least -1; those with the same key keep their order. One counting sort: 4 bytes a key. */
export function inOrder(rows: Int32Array, key: Int32Array): Int32Array {
  let largest = NONE;
  for (const row of rows) if (key[row] > largest) largest = key[row];
  const starts = new Int32Array(largest + 3);
  for (const row of rows) starts[key[row] + 2]++;
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  const order = new Int32Array(rows.length);
  for (const row of rows) order[starts[key[row] + 1]++] = row;
  return order;
}

/** Sorts each run of rows that `same` accepts as equal to the first of them, by `compare`. */
export function sortRuns(
  order: Int32Array,
  same: (a: number, b: number) => boolean,
  compare: (a: number, b: number) => number,
): void {
  for (let from = 0, to = 1; from < order.length; from = to++) {
    while (to < order.length && same(order[from], order[to])) to++;
    if (to - from > 1) order.subarray(from, to).sort(compare);
  }
}
