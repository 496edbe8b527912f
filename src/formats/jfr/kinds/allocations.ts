/** Allocations: samples, and the events of thread-local buffers, which are other measurements of the same. */
import { ALLOCATION_EVENTS, TLAB_EVENTS } from '../../../models/events/allocation.js';
import { leaveOutEarlier } from './earlier.js';
import type { KindOfEvents } from './kind-source.js';
import { LABELLED, LABELS } from './labels.js';

const ALLOCATED = { stack: 'stackTrace', thread: 'eventThread', time: 'startTime', class: 'objectClass', ...LABELLED };
const COUNTED = { unit: 'count', nature: 'flow' } as const;

export const ALLOCATIONS: readonly KindOfEvents[] = [
  {
    kind: ALLOCATION_EVENTS.extended(LABELS),
    sources: [{ type: 'jdk.ObjectAllocationSample', columns: { ...ALLOCATED, bytes: 'weight' } }],
    metrics: [
      ALLOCATION_EVENTS.metric('bytes', { id: 'allocated', title: 'Allocated bytes' }),
      ALLOCATION_EVENTS.rowMetric({ ...COUNTED, id: 'allocation-samples', title: 'Allocation samples' }),
    ],
    complete: leaveOutEarlier,
  },
  {
    kind: TLAB_EVENTS.extended(LABELS),
    sources: [
      { type: 'jdk.ObjectAllocationInNewTLAB', columns: { ...ALLOCATED, bytes: 'tlabSize' } },
      { type: 'jdk.ObjectAllocationOutsideTLAB', columns: { ...ALLOCATED, bytes: 'allocationSize' } },
    ],
    metrics: [
      TLAB_EVENTS.metric('bytes', { id: 'tlab-bytes', title: 'Bytes of new buffers and outside of them' }),
      TLAB_EVENTS.rowMetric({ ...COUNTED, id: 'tlab-events', title: 'Allocations of buffers' }),
    ],
  },
];
