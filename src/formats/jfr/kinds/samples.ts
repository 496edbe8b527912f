/** Samples of threads. Those of different clocks are different kinds. */
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import { CPU_SAMPLE_EVENTS, NATIVE_SAMPLE_EVENTS, WALL_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import type { KindOfEvents } from './kind-source.js';
import { LABELLED, LABELS } from './labels.js';
import { STATED, STATES } from './sampled-states.js';

const SAMPLE = { stack: 'stackTrace', time: 'startTime', count: 1, ...LABELLED };

const SAMPLED = { ...SAMPLE, thread: 'sampledThread', ...STATED };

/** Datadog's profiler takes some of the samples, each for several. */
const WEIGHTED = { ...SAMPLED, thread: 'eventThread', count: { field: 'weight', otherwise: 1 } };

const MORE = [...LABELS, ...STATES] as const;

export const SAMPLES: readonly KindOfEvents[] = [
  {
    kind: CPU_SAMPLE_EVENTS.extended(LABELS),
    sources: [
      {
        type: 'jdk.CPUTimeSample',
        columns: { ...SAMPLE, thread: 'eventThread', cpu: 'samplingPeriod' },
      },
    ],
    metrics: [
      CPU_SAMPLE_EVENTS.metric('cpu', { id: 'cpu-time', title: 'CPU time' }),
      CPU_SAMPLE_EVENTS.metric('count', { id: 'cpu-samples', title: 'CPU-time samples' }),
    ],
  },
  {
    kind: SAMPLE_EVENTS.extended(MORE),
    sources: [
      { type: 'jdk.ExecutionSample', columns: SAMPLED },
      { type: 'datadog.ExecutionSample', columns: WEIGHTED },
    ],
    metrics: [SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Execution samples' })],
  },
  {
    kind: WALL_SAMPLE_EVENTS.extended(MORE),
    sources: [
      // async-profiler joins equal samples that follow each other.
      { type: 'profiler.WallClockSample', columns: { ...SAMPLED, count: 'samples' } },
      { type: 'datadog.MethodSample', columns: WEIGHTED },
    ],
    metrics: [WALL_SAMPLE_EVENTS.metric('count', { id: 'wall-samples', title: 'Wall-clock samples' })],
  },
  {
    kind: NATIVE_SAMPLE_EVENTS.extended(MORE),
    sources: [{ type: 'jdk.NativeMethodSample', columns: SAMPLED }],
    metrics: [NATIVE_SAMPLE_EVENTS.metric('count', { id: 'native-samples', title: 'Samples in native methods' })],
  },
];
