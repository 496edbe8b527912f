/** Percentiles of measured values. */
import { type ExactNumber, exactDifference, narrowed } from '../base/exact-integers.js';

/**
 * Percentiles of values that are sorted in rising order, for shares from 0 to 1; null if there are none. Between two values it is in
 * proportion, at place share × (count + 1), as `jfr view` and many spreadsheets have it; beyond the ends it is the first or last value.
 */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  const { before, part } = placeOf(sorted.length, share);
  if (sorted.length === 0) return null;
  return part === 0 ? sorted[before] : sorted[before] + part * (sorted[before + 1] - sorted[before]);
}

/** Some numbers, at least one, in rising order. */
interface ExactValues {
  readonly length: number;
  readonly at: (place: number) => ExactNumber;
}

/** The same of numbers that may be integers with more digits than a double; between two of these it is the nearest integer. */
export function exactPercentile(sorted: ExactValues, share: number): ExactNumber {
  const { before, part } = placeOf(sorted.length, share);
  const lower = sorted.at(before);
  if (part === 0) return lower;
  const upper = sorted.at(before + 1);
  const step = part * Number(exactDifference(lower, upper));
  if (typeof lower === 'number' && typeof upper === 'number') return lower + step;
  return narrowed(BigInt(lower) + BigInt(Math.round(step)));
}

/** The value at or before a percentile, and how far it is on the way to the next one. */
function placeOf(count: number, share: number): { readonly before: number; readonly part: number } {
  const place = share * (count + 1) - 1;
  if (place <= 0) return { before: 0, part: 0 };
  if (place >= count - 1) return { before: count - 1, part: 0 };
  const before = Math.floor(place);
  return { before, part: place - before };
}
