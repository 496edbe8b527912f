/** Allocations: samples, and the events of thread-local buffers, which are other measurements of the same. */
import { ALLOCATION_EVENTS, TLAB_EVENTS } from '../../../models/events/allocation.js';
import type { KindOfEvents } from './kind-source.js';

const ALLOCATED = { stack: 'stackTrace', thread: 'eventThread', time: 'startTime', class: 'objectClass', count: 1 };

export const ALLOCATIONS: readonly KindOfEvents[] = [
  {
    kind: ALLOCATION_EVENTS,
    sources: [{ type: 'jdk.ObjectAllocationSample', columns: { ...ALLOCATED, bytes: 'weight' } }],
    metrics: [
      ALLOCATION_EVENTS.metric('bytes', { id: 'allocated', title: 'Allocated bytes' }),
      ALLOCATION_EVENTS.metric('count', { id: 'allocation-samples', title: 'Allocation samples' }),
    ],
  },
  {
    kind: TLAB_EVENTS,
    sources: [
      { type: 'jdk.ObjectAllocationInNewTLAB', columns: { ...ALLOCATED, bytes: 'tlabSize' } },
      { type: 'jdk.ObjectAllocationOutsideTLAB', columns: { ...ALLOCATED, bytes: 'allocationSize' } },
    ],
    metrics: [
      TLAB_EVENTS.metric('bytes', { id: 'tlab-bytes', title: 'Bytes of new buffers and outside of them' }),
      TLAB_EVENTS.metric('count', { id: 'tlab-events', title: 'Allocations of buffers' }),
    ],
  },
];
