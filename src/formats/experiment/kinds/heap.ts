/** Heap tracing: allocations and what freed them. */
import { NATIVE_MEMORY_EVENTS } from '../../../models/events/memory.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Field, Table } from '../../../models/table.js';
import type { Packet } from '../packets.js';
import { CommonFields, type EventSource } from './event-source.js';
import type { KindRows } from './kind.js';
import { liveBytes } from './live-memory.js';

/** Functions that change the heap; calloc and memalign are recorded as malloc. */
export const HEAP_STEPS = ['malloc', 'free', 'realloc', 'mmap', 'munmap'] as const;
const FREES: ReadonlySet<number> = new Set([HEAP_STEPS.indexOf('free'), HEAP_STEPS.indexOf('munmap')]);

const STEP = {
  key: 'step',
  title: 'Function',
  holds: 'number',
  unit: 'none',
  meaning: 'kind of the function that was called',
  names: HEAP_STEPS,
} as const satisfies Field;

const SIZE = {
  key: 'size',
  title: 'Size',
  holds: 'number',
  unit: 'bytes',
  meaning: 'size that was passed to the function',
  wide: true,
} as const satisfies Field;

const PREVIOUS = {
  key: 'previous',
  title: 'Old address',
  holds: 'number',
  unit: 'address',
  meaning: 'address passed to realloc; 0 where it was not recorded',
  wide: true,
} as const satisfies Field;

const LEAKS = {
  key: 'leaks',
  title: 'Leaks',
  holds: 'number',
  unit: 'count',
  meaning: '1 for allocations of which something was not freed',
  wide: true,
  nature: 'level',
} as const satisfies Field;

const ROWS = NATIVE_MEMORY_EVENTS.having(['thread', 'time']).extended([STEP, SIZE, PREVIOUS, LEAKS]);
const LIVE = [
  'An address that is returned again was freed before, although the recorder does not write the old address of realloc.',
];

export class HeapRows implements KindRows {
  readonly packets = [5];
  readonly #rows = ROWS.builder();

  reader(source: EventSource): (packet: Packet) => void {
    const common = new CommonFields(source);
    const [type, bytesField, place, old] = [
      common.packetField('HTYPE'),
      common.packetField('HSIZE'),
      common.packetField('HVADDR'),
      common.packetField('HOVADDR'),
    ];
    const { stack, thread, time, address, allocations, bytes, live, step, size, previous, leaks } = this.#rows.builders;
    return (packet) => {
      const kind = type.number(packet);
      const at = place.number(packet);
      const given = Math.max(0, bytesField.number(packet));
      const isNew = kind >= 0 && !FREES.has(kind) && at > 0;
      stack.push(common.stack(packet));
      thread?.push(common.thread(packet));
      time?.push(common.time(packet));
      address.push(at);
      allocations.push(isNew ? 1 : 0);
      bytes.push(isNew ? given : 0);
      live.push(0);
      leaks.push(0);
      step.push(kind >= 0 && kind < HEAP_STEPS.length ? kind : -1);
      size.push(given);
      previous.push(Math.max(0, old.number(packet)));
    };
  }

  finish(): { readonly table: Table; readonly metrics: readonly Metric[] } | undefined {
    const table = this.#rows.finish();
    if (table.length === 0) return undefined;
    const rows = ROWS.rows(table);
    const live = liveBytes(rows);
    const leaks = live.map((bytes) => (bytes > 0 ? 1 : 0));
    return {
      table: { ...table, columns: { ...table.columns, live, leaks } },
      metrics: [
        NATIVE_MEMORY_EVENTS.metric('bytes', { id: 'heap-bytes', title: 'Bytes allocated' }),
        NATIVE_MEMORY_EVENTS.metric('allocations', { id: 'heap-allocations', title: 'Allocations' }),
        NATIVE_MEMORY_EVENTS.metric('live', { id: 'heap-leaked', title: 'Bytes leaked', notes: LIVE }),
        ROWS.metric('leaks', { id: 'heap-leaks', title: 'Leaks', notes: LIVE }),
      ],
    };
  }
}
