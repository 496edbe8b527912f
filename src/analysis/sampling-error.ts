/** How many samples a metric has, from which `intervalOf` gives the error of its values. Exact counts (calls, bytes of objects) have none. */
import { ALLOCATION_EVENTS, TLAB_EVENTS } from '../models/events/allocation.js';
import { SAMPLE_KINDS } from '../models/events/thread-samples.js';
import { eventTable, type Metric, type Profile } from '../models/profile/profile.js';
import type { Sampling } from './interval.js';
import { metricSums } from './stacks/stack-values.js';

/** Kinds of samples of different weights. */
const WEIGHTED: ReadonlySet<string> = new Set([ALLOCATION_EVENTS, TLAB_EVENTS].map(({ kind }) => kind));

/**
 * The samples of a metric: its sum if it counts samples, or its sum divided by a known period in its unit; of samples of different
 * weights the effective number (Kish, 1965): the square of the sum of the weights by the sum of their squares. Undefined for other
 * metrics. One pass over the rows of its table, the first time.
 */
export function samplingOf(metric: Metric, profile: Profile): Sampling | undefined {
  const { period, unit } = metric;
  const table = eventTable(profile, metric.table);
  const counts = SAMPLE_KINDS.has(metric.table) && unit !== 'ns' && unit !== 'bytes';
  const step = period?.unit === unit ? period.value : counts ? 1 : 0;
  const isWeighted = WEIGHTED.has(metric.table) && unit === 'bytes';
  if (!(step > 0 || isWeighted) || table === undefined) return undefined;
  const { total, squares, isPartial } = metricSums(metric, table);
  if (isPartial || total <= 0) return undefined;
  return { samples: isWeighted ? (total * total) / squares : total / step, total };
}
