/** How many samples a metric has, from which `intervalOf` gives the error of its values. Exact counts (calls, bytes of objects) have none. */
import { STACK } from '../models/events/shared-fields.js';
import { SAMPLE_KINDS } from '../models/events/thread-samples.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../models/profile/profile.js';
import { columnOf } from '../models/table.js';
import type { Sampling } from './interval.js';

/**
 * The samples of a metric: its sum if it counts samples, or its sum divided by a known period in its unit. Undefined
 * for other metrics. One pass over the rows of its table.
 */
export function samplingOf(metric: Metric, profile: Profile): Sampling | undefined {
  const { period, unit } = metric;
  const table = eventTable(profile, metric.table);
  const counts = SAMPLE_KINDS.has(metric.table) && unit !== 'ns' && unit !== 'bytes';
  const step = period?.unit === unit ? period.value : counts ? 1 : 0;
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
