/** The shape of sums of times in results. */
import { z } from 'zod';

const time = z.number().nullable();

export const sumsShape = z.object({
  count: z.number(),
  sum: z.number().describe('ns, as all times here'),
  share: z.number().nullable().describe('of the time, as far as they are within it; what overlaps counts once'),
  mean: time,
  p50: time,
  p90: time,
  p99: time,
  p999: time,
  max: time,
});
