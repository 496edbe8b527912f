/** Percentiles of measured values. */

/**
 * Percentiles of values that are sorted in rising order, for shares from 0 to 1; null if there are none. Between two values it is in
 * proportion, at place share × (count + 1), as `jfr view` and many spreadsheets have it; beyond the ends it is the first or last value.
 */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  const count = sorted.length;
  if (count === 0) return null;
  const place = share * (count + 1) - 1;
  if (place <= 0) return sorted[0];
  if (place >= count - 1) return sorted[count - 1];
  const before = Math.floor(place);
  return sorted[before] + (place - before) * (sorted[before + 1] - sorted[before]);
}
