/** Allocations as they happened: sampled ones, and those for which a thread needed room. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { CLASS, STACK, THREAD, TIME } from './shared-fields.js';

const FIELDS = [
  STACK,
  optional(THREAD),
  optional(TIME),
  CLASS,
  {
    key: 'count',
    title: 'Events',
    holds: 'number',
    unit: 'count',
    meaning: 'recorded allocations',
    wide: true,
    nature: 'flow',
  },
  {
    key: 'bytes',
    title: 'Bytes',
    holds: 'number',
    unit: 'bytes',
    meaning: 'what the allocation stands for, as far as the recorder knows',
    wide: true,
    nature: 'flow',
  },
] as const;

/** Sampled allocations: the bytes of one are those allocated since the one before. */
export const ALLOCATION_EVENTS = defineEvents('allocation', 'Allocation samples', FIELDS);
export type AllocationEvents = RowsOf<typeof ALLOCATION_EVENTS>;

/** Allocations for which a thread got a new buffer (the bytes of the buffer count), and those outside of buffers. */
export const TLAB_EVENTS = defineEvents('tlab', 'Allocations of buffers', FIELDS);
export type TlabEvents = RowsOf<typeof TLAB_EVENTS>;
