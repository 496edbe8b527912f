/** Memory that was not freed. */
import { IntTable } from '../../../base/columns/hash.js';
import { note } from '../../../base/note.js';
import { NATIVE_MEMORY_EVENTS, OLD_OBJECT_EVENTS } from '../../../models/events/memory.js';
import { batchesOf, type KindColumns, type KindOfEvents } from './kind-source.js';

const ALLOCATED = { stack: 'stackTrace', thread: 'eventThread' };
const NATIVE = {
  ...ALLOCATED,
  stack: { field: 'stackTrace', isWithoutHook: true },
  time: 'startTime',
  address: 'address',
} as const;
const UNFREED = [note('earlier-allocations', 'Allocations before the start of the recording are missing.')];

/** Sampled objects of recorders that write each that is alive at the end once, without the way to its root. */
const LIVE = { ...ALLOCATED, time: 'startTime', class: 'objectClass', objects: 1 };

export const MEMORY: readonly KindOfEvents[] = [
  {
    kind: OLD_OBJECT_EVENTS,
    sources: [
      {
        type: 'jdk.OldObjectSample',
        columns: {
          ...ALLOCATED,
          time: 'allocationTime',
          class: 'object.type',
          age: 'objectAge',
          found: 'startTime',
          heap_use: 'lastKnownHeapUsage',
          description: 'object.description',
          elements: 'arrayElements',
          root: 'root.type',
          root_system: 'root.system',
          root_description: 'root.description',
          reference: 'object',
          objects: 1,
          bytes: 'objectSize',
        },
      },
      {
        type: 'profiler.LiveObject',
        columns: { ...LIVE, time: 'allocationTime', bytes: 'allocationSize' },
      },
      { type: 'datadog.HeapLiveObject', columns: { ...LIVE, bytes: 'size' } },
    ],
    metrics: [
      OLD_OBJECT_EVENTS.metric('objects', { id: 'old-objects', title: 'Sampled objects that were alive' }),
      OLD_OBJECT_EVENTS.metric('bytes', { id: 'old-bytes', title: 'Bytes of sampled objects that were alive' }),
    ],
    complete: numberBatches,
  },
  {
    kind: NATIVE_MEMORY_EVENTS,
    sources: [
      { type: 'profiler.Malloc', columns: { ...NATIVE, allocations: 1, bytes: 'size', live: 0 } },
      { type: 'profiler.Free', columns: { ...NATIVE, allocations: 0, bytes: 0, live: 0 } },
    ],
    metrics: [
      NATIVE_MEMORY_EVENTS.metric('bytes', { id: 'native-bytes', title: 'Native memory allocated' }),
      NATIVE_MEMORY_EVENTS.metric('allocations', { id: 'native-allocations', title: 'Native allocations' }),
      NATIVE_MEMORY_EVENTS.metric('live', { id: 'native-live', title: 'Native memory not freed', notes: UNFREED }),
    ],
    // The columns of an earlier snapshot stay as they are.
    complete: (columns) => {
      columns.live = liveOf(columns);
    },
  },
];

/**
 * The recorder writes the objects that are alive at each dump (`JFR.dump`) and at the end, all of them with one time: the same objects
 * again. Several such times are dumps.
 */
function numberBatches(columns: KindColumns): void {
  const { found } = columns;
  const dump = found === undefined ? [] : batchesOf(found);
  if (dump.some((number) => number > 0)) columns.dump = Int32Array.from(dump);
}

/** What is not freed after it was allocated is live. Addresses are used again, so events count in the order of their times. */
function liveOf({
  time,
  address,
  allocations,
  bytes,
}: Readonly<Record<string, Int32Array | Float64Array>>): Float64Array {
  const live = new Float64Array(time.length);
  const order = Int32Array.from(time, (_, row) => row).sort((a, b) => time[a] - time[b] || a - b);
  const blocks = new IntTable(1024);
  /** By block: the row of its last allocation, -1 once freed. */
  const last = new Int32Array(time.length);
  for (const row of order) {
    const block = blocks.add(address[row] | 0, Math.floor(address[row] / 0x1_0000_0000) | 0);
    if (allocations[row] > 0) last[block] = row;
    else last[block] = -1;
  }
  for (let block = 0; block < blocks.length; block++) if (last[block] >= 0) live[last[block]] = bytes[last[block]];
  return live;
}
