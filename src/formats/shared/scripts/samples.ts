/** Samples of a script's thread: each is one sample, and the time until the next one. */
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import type { Metric } from '../../../models/profile/profile.js';

const SPENT = {
  key: 'spent',
  title: 'Time',
  holds: 'number',
  unit: 'ns',
  meaning: 'until the next sample',
  wide: true,
  nature: 'flow',
} as const;

export const SCRIPT_SAMPLES = SAMPLE_EVENTS.having(['time']).extended([SPENT]);
export const THREAD_SCRIPT_SAMPLES = SAMPLE_EVENTS.having(['time', 'thread']).extended([SPENT]);

/** Time first: intervals differ. */
export function sampleMetrics(kind: Pick<typeof SCRIPT_SAMPLES, 'metric'>): Metric[] {
  return [
    kind.metric('spent', { id: 'time', title: 'Time' }),
    kind.metric('count', { id: 'samples', title: 'Samples' }),
  ];
}
