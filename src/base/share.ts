/** Parts of a whole, and sums up to a value. */

/** `value` as a share of `sum`; null if either is unknown or the sum is 0. */
export function share(value: number | null, sum: number): number | null {
  return value === null || sum === 0 ? null : value / sum;
}

/** A sum of what is known: NaN stands for unknown, and the sum is unknown until a value is known. */
export function knownSum(sum: number, value: number): number {
  if (Number.isNaN(value)) return sum;
  return Number.isNaN(sum) ? value : sum + value;
}

/** For each value the sum of itself and all that are larger (of equals, those before it). */
export function accumulated(values: readonly number[]): Float64Array {
  const order = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b);
  const sums = new Float64Array(values.length);
  let sum = 0;
  for (const i of order) {
    sum += values[i];
    sums[i] = sum;
  }
  return sums;
}
