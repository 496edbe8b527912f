/** Binary search: the first of rising things that is not before another. */

/** The first number from `from` to before `to` that `isBefore` is false for, else `to`; it is true for a first part of them. Cost: log2 calls. */
export function firstNot(from: number, to: number, isBefore: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first place from `from` to before `to` whose value is not below another, else `to`; the values there rise. */
export function lowerBound(values: ArrayLike<number>, value: number, from = 0, to = values.length): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of a value among rising ones, -1 if it is not there. */
export function placeOf(values: ArrayLike<number>, value: number, from = 0, to = values.length): number {
  const at = lowerBound(values, value, from, to);
  return at < to && values[at] === value ? at : -1;
}

/** Values that are scanned before a search: a few dozen consecutive reads cost less than its jumps. */
const SCANNED = 24;

/** As `lowerBound`, where the place is probably near `from`: searched in growing steps. */
export function lowerBoundNear(values: ArrayLike<number>, value: number, from: number, to: number): number {
  let high = from;
  const scanned = Math.min(to, from + SCANNED);
  while (high < scanned && (values[high] ?? 0) < value) high++;
  if (high < scanned || high === to) return high;
  let low = high;
  let step = SCANNED;
  while (high < to && (values[high] ?? 0) < value) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  return lowerBound(values, value, low, Math.min(high, to));
}
