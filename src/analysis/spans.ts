/** TimeSpans of time as two columns, in order and apart: joined from others, cut to others, and their length. */
import { inTimeOrder } from '../base/columns/order.js';
import { firstNot } from '../base/columns/search.js';
import type { TimeSpans } from '../models/scope.js';

/** TimeSpans in any order as spans that are in order; those that overlap or touch are one. */
export function joinedSpans(times: Float64Array, endOf: (row: number) => number): TimeSpans {
  const order = inTimeOrder(times);
  const starts: number[] = [];
  const ends: number[] = [];
  for (let i = 0; i < times.length; i++) {
    const row = order?.[i] ?? i;
    const last = ends.length - 1;
    if (last >= 0 && times[row] <= ends[last]) ends[last] = Math.max(ends[last], endOf(row));
    else {
      starts.push(times[row]);
      ends.push(endOf(row));
    }
  }
  return { starts: Float64Array.from(starts), ends: Float64Array.from(ends) };
}

/** What two lists of spans have in common. */
export function commonSpans(one: TimeSpans, other: TimeSpans): TimeSpans {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let i = 0, j = 0; i < one.ends.length && j < other.ends.length; ) {
    const start = Math.max(one.starts[i], other.starts[j]);
    const end = Math.min(one.ends[i], other.ends[j]);
    if (start < end) {
      starts.push(start);
      ends.push(end);
    }
    if (one.ends[i] < other.ends[j]) i++;
    else j++;
  }
  return { starts: Float64Array.from(starts), ends: Float64Array.from(ends) };
}

/** The sum of the lengths of spans. */
export function totalLength({ starts, ends }: TimeSpans): number {
  return starts.reduce((sum, start, i) => sum + ends[i] - start, 0);
}

/** One span. */
export function oneSpan(start: number, end: number): TimeSpans {
  return { starts: Float64Array.of(start), ends: Float64Array.of(end) };
}

/** Whether an event that begins at a time and lasts so long has a moment in one of the spans. */
export function overlaps({ starts, ends }: TimeSpans, time: number, duration: number): boolean {
  const next = firstNot(0, ends.length, (span) => ends[span] <= time);
  return next < ends.length && starts[next] <= time + duration;
}
