/** Samples of running threads. */
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import type { KindOfEvents } from './kind-source.js';

const SAMPLES = SAMPLE_EVENTS.having(['thread', 'time']);

export const EXECUTION_SAMPLES: KindOfEvents = {
  kind: SAMPLES,
  sources: [
    {
      type: 'jdk.ExecutionSample',
      columns: { stack: 'stackTrace', thread: 'sampledThread', time: 'startTime', count: 1 },
    },
  ],
  metrics: [SAMPLES.metric('count', { id: 'samples', title: 'Execution samples' })],
};
