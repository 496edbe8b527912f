/** Rows in the order of their times. Recorders write the events of a thread in order, and those of several threads in blocks. */

/**
 * The rows 0 to `times.length` by time, equal times in their order, unknown ones (NaN) first; undefined if they are in
 * this order already. Merges runs: time grows with the number of rows and the logarithm of the number of blocks; 8 bytes
 * a row.
 */
export function inTimeOrder(times: ArrayLike<number>): Int32Array | undefined {
  const { length } = times;
  if (isOrdered(times)) return undefined;
  const keys = new Float64Array(length);
  for (let row = 0; row < length; row++) keys[row] = keyOf(times[row]);
  let from = new Int32Array(length);
  for (let row = 0; row < length; row++) from[row] = row;
  let to = new Int32Array(length);
  for (;;) {
    const runs = mergeRuns(keys, from, to);
    [from, to] = [to, from];
    if (runs <= 1) return from;
  }
}

function keyOf(time = 0): number {
  return Number.isNaN(time) ? -Infinity : time;
}

function isOrdered(times: ArrayLike<number>): boolean {
  let last = -Infinity;
  for (let row = 0; row < times.length; row++) {
    const key = keyOf(times[row]);
    if (key < last) return false;
    last = key;
  }
  return true;
}

/** Merges each two runs that follow each other; returns the number of runs in `to`. */
function mergeRuns(keys: Float64Array, from: Int32Array, to: Int32Array): number {
  const { length } = from;
  let runs = 0;
  let start = 0;
  while (start < length) {
    const middle = endOfRun(keys, from, start);
    const end = middle < length ? endOfRun(keys, from, middle) : middle;
    let left = start;
    let right = middle;
    for (let at = start; at < end; at++)
      to[at] = left < middle && (right >= end || keys[from[left]] <= keys[from[right]]) ? from[left++] : from[right++];
    runs++;
    start = end;
  }
  return runs;
}

function endOfRun(keys: Float64Array, rows: Int32Array, start: number): number {
  let end = start + 1;
  while (end < rows.length && keys[rows[end - 1]] <= keys[rows[end]]) end++;
  return end;
}
