/**
 * Values from printed shares. Each row of a table tells its share of the whole and the sum of the shares up to it, both
 * rounded to two places. Together they are narrower than either: the sum up to a row lies within both its own interval
 * and that of the sum before it plus the row's share.
 */
import { WHOLE } from './tables.js';

/** Half of the last place, in hundredths of a percent. */
const HALF = 0.5;

/**
 * The value of each row from `from` to before `to`, as a part of 1. The parts sum to the last sum that is printed, and
 * to 1 where that is 100 %. Rows whose shares contradict their sums count by their share alone.
 */
export function partsOf(share: Int32Array, accumulated: Int32Array, from: number, to: number): Float64Array {
  const parts = new Float64Array(to - from);
  let sum = 0;
  for (let row = from; row < to; row++) {
    const wanted = sum + share[row];
    const low = accumulated[row] - HALF;
    const high = accumulated[row] + HALF;
    const fits = wanted + HALF * 2 >= low && wanted - HALF * 2 <= high;
    const last = row === to - 1 && accumulated[row] === WHOLE && fits;
    const next = last
      ? Math.max(WHOLE, sum)
      : fits
        ? Math.min(Math.max(wanted, low, sum), Math.max(high, sum))
        : wanted;
    parts[row - from] = (next - sum) / WHOLE;
    sum = next;
  }
  return parts;
}
