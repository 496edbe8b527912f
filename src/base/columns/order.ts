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
  let source = new Int32Array(length);
  for (let row = 0; row < length; row++) source[row] = row;
  let target = new Int32Array(length);
  for (;;) {
    const runs = mergeRuns(keys, source, target);
    [source, target] = [target, source];
    if (runs <= 1) return source;
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

/** Merges each two runs that follow each other; returns the number of runs in `target`. */
function mergeRuns(keys: Float64Array, source: Int32Array, target: Int32Array): number {
  const { length } = source;
  let runs = 0;
  let start = 0;
  while (start < length) {
    const middle = endOfRun(keys, source, start);
    const end = middle < length ? endOfRun(keys, source, middle) : middle;
    let left = start;
    let right = middle;
    for (let at = start; at < end; at++)
      target[at] =
        left < middle && (right >= end || keys[source[left]] <= keys[source[right]]) ? source[left++] : source[right++];
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
