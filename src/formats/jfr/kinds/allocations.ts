/** Allocations: samples, and the events of thread-local buffers, which are other measurements of the same. */
import { ALLOCATION_EVENTS, TLAB_EVENTS } from '../../../models/events/allocation.js';
import { optional } from '../../../models/table-kind.js';
import { leaveOutEarlier } from './earlier.js';
import type { Facts } from './facts.js';
import type { KindColumns, KindOfEvents } from './kind-source.js';
import { LABELLED, LABELS } from './labels.js';

const ALLOCATED = { stack: 'stackTrace', thread: 'eventThread', time: 'startTime', class: 'objectClass', ...LABELLED };
/** How many objects a sample of Datadog's profiler stands for, of its size each. */
const WEIGHT = optional({
  key: 'weight',
  title: 'Weight',
  holds: 'number',
  unit: 'none',
  meaning: 'objects that the sample stands for; -1 if its bytes stand for all of them',
  wide: true,
});
const COUNTED = { unit: 'count', nature: 'flow' } as const;

export const ALLOCATIONS: readonly KindOfEvents[] = [
  {
    kind: ALLOCATION_EVENTS.extended([...LABELS, WEIGHT]),
    sources: [
      { type: 'jdk.ObjectAllocationSample', columns: { ...ALLOCATED, bytes: 'weight' } },
      { type: 'datadog.ObjectSample', columns: { ...ALLOCATED, bytes: 'size', weight: 'weight' } },
    ],
    metrics: [
      ALLOCATION_EVENTS.metric('bytes', { id: 'allocated', title: 'Allocated bytes' }),
      ALLOCATION_EVENTS.rowMetric({ ...COUNTED, id: 'allocation-samples', title: 'Allocation samples' }),
    ],
    complete: completed,
  },
  {
    kind: TLAB_EVENTS.extended(LABELS),
    sources: [
      { type: 'jdk.ObjectAllocationInNewTLAB', columns: { ...ALLOCATED, bytes: 'tlabSize' } },
      { type: 'jdk.ObjectAllocationOutsideTLAB', columns: { ...ALLOCATED, bytes: 'allocationSize' } },
    ],
    metrics: [
      TLAB_EVENTS.metric('bytes', {
        id: 'tlab-bytes',
        title: 'Bytes of new thread-local buffers, and of objects outside them',
      }),
      TLAB_EVENTS.rowMetric({
        ...COUNTED,
        id: 'tlab-events',
        title: 'New thread-local buffers, and objects outside them',
      }),
    ],
  },
];

/** Weights of HotSpot's samples may be of an earlier time; those of others are factors. */
function completed(columns: KindColumns, facts: Facts, others: Parameters<typeof leaveOutEarlier>[2]): void {
  const { weight, bytes }: Partial<KindColumns> = columns;
  if (weight === undefined || bytes === undefined) {
    leaveOutEarlier(columns, facts, others);
    return;
  }
  const scaled = Float64Array.from(bytes, (size, row) => size * (weight[row] >= 0 ? weight[row] : 1));
  if (weight.some((factor) => factor < 0)) leaveOutEarlier(columns, facts, others);
  const { earlier }: Partial<KindColumns> = columns;
  for (let row = 0; row < scaled.length; row++)
    if (weight[row] < 0) scaled[row] = columns.bytes[row];
    else if (earlier !== undefined) earlier[row] = 0;
  columns.bytes = scaled;
}
