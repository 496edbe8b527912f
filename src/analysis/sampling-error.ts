/**
 * How far sampled numbers may be from the truth: 95 % intervals of shares of independent samples, by Wilson's score (1927). What
 * they assume, and where that fails, is in docs/noise.md. Exact counts (calls, bytes of objects) have no such error.
 */
import { SAMPLE_EVENTS } from '../models/events/sample.js';
import { STACK } from '../models/events/shared-fields.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../models/profile/profile.js';
import { columnOf } from '../models/table.js';

/** Standard deviations of a normal distribution that hold 95 % of it. */
const DEVIATIONS_95 = 1.959963984540054;

/** What a metric was sampled with. */
export interface Sampling {
  /** How many samples there are. */
  readonly samples: number;
  /** All of the metric, in its unit. */
  readonly total: number;
}

/**
 * The samples of a metric; undefined where it was not sampled, or not by counted samples: numbers of samples, and values of a known
 * period in the metric's unit, of which each is one sample. One pass over the rows of its table.
 */
export function samplingOf(metric: Metric, profile: Profile): Sampling | undefined {
  const { period, unit } = metric;
  const step = period?.unit === unit ? period.value : metric.table === SAMPLE_EVENTS.kind ? 1 : 0;
  const table = eventTable(profile, metric.table);
  const stack = table && columnOf(table, STACK);
  if (!(step > 0) || table === undefined || stack === undefined) return undefined;
  const values = metricColumn(metric, table);
  let total = 0;
  for (let row = 0; row < table.length; row++) {
    const value = values === undefined ? 1 : values[row];
    if (!(value >= 0)) return undefined;
    if (stack[row] >= 0) total += value;
  }
  return total > 0 ? { samples: total / step, total } : undefined;
}

/** The 95 % interval of a value, in its unit; undefined where the value is no part of the total (damaged files). */
export function intervalOf(
  value: number,
  { samples, total }: Sampling,
): { readonly low: number; readonly high: number } | undefined {
  const share = value / total;
  if (!(share >= 0 && share <= 1)) return undefined;
  const square = DEVIATIONS_95 ** 2 / samples;
  const centre = (share + square / 2) / (1 + square);
  const half = (DEVIATIONS_95 / (1 + square)) * Math.sqrt((share * (1 - share)) / samples + square / (4 * samples));
  // At the ends only rounding would keep the interval from them.
  const low = share === 0 ? 0 : Math.max(0, centre - half);
  const high = share === 1 ? 1 : Math.min(1, centre + half);
  return { low: low * total, high: high * total };
}
