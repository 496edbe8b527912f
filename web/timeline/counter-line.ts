/** Counters as lines: from reading to reading, and nothing before the first and after the last; and the scale of their values. Pure. */
import { roundStep } from '../../src/pictures/axis.js';
import { type DrawnRows, type DrawnTime, type LaneModel, rowAt } from './model.js';

/** Steps of a scale, which has one more line. */
const STEPS = 3;

/** Values from 0 to `top`, at round ones of which there are lines. */
export interface CounterScale {
  readonly top: number;
  readonly lines: readonly number[];
}

/** The scale for values up to a largest one; of values that are all 0 or less it has the line of 0 only. */
export function counterScale(most: number): CounterScale {
  if (!(most > 0)) return { top: 0, lines: [0] };
  const step = roundStep(most / STEPS);
  const count = Math.ceil(most / step - 1e-9);
  return { top: count * step, lines: Array.from({ length: count + 1 }, (_, i) => i * step) };
}

/** By pixel: the lowest and the highest place of the line, readings included; NaN without one. */
export function fillLine(
  rows: DrawnRows,
  lane: LaneModel,
  window: DrawnTime,
  least: Float64Array,
  most: Float64Array,
): void {
  const { pixels } = window;
  const step = (window.to - window.from) / pixels;
  let at = rowAt(rows, lane, lane.first, window.from);
  let edge = valueAt(rows, lane, at, window.from);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const time = pixel + 1 < pixels ? window.from + (pixel + 1) * step : window.to;
    let [low, high] = [edge, edge];
    const isLast = pixel + 1 === pixels;
    for (; at < lane.end && (rows.from[at] < time || (isLast && rows.from[at] === time)); at++) {
      if (!(low <= rows.value[at])) low = rows.value[at];
      if (!(high >= rows.value[at])) high = rows.value[at];
    }
    edge = valueAt(rows, lane, at, time);
    // A line that begins at the edge is not in the pixel before it.
    const end = at > lane.first ? edge : Number.NaN;
    least[pixel] = end < low || Number.isNaN(low) ? end : low;
    most[pixel] = end > high || Number.isNaN(high) ? end : high;
  }
}

/** The place of the line at a time; `at` is the first reading that is not before it. */
function valueAt(rows: DrawnRows, { first, end }: LaneModel, at: number, time: number): number {
  const { from: times, value } = rows;
  if (at >= end || (at === first && times[at] > time)) return Number.NaN;
  if (times[at] === time) return value[at];
  return value[at - 1] + ((value[at] - value[at - 1]) * (time - times[at - 1])) / (times[at] - times[at - 1]);
}
