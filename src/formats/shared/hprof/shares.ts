/**
 * Computes values from printed shares. Each row of a table has its share of the total and the sum of shares up to it,
 * both rounded to two decimal places. Together they are more precise than either: the sum up to a row lies within its
 * own interval, and within that of the previous sum plus the row's share.
 */
import { WHOLE } from './tables.js';

/** Half of the last place, in hundredths of a percent. */
const HALF = 0.5;

/**
 * The value of each row from `from` to before `to`, as a part of 1. The parts add up to the last printed sum, or to 1
 * if that is 100 %. For rows with contradictory shares and sums, the share alone counts.
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
