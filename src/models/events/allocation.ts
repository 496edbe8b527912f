/** Allocations as they happened: all of them, sampled ones, and those for which a thread needed room. */
import type { Profile } from '../profile/profile.js';
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { CLASS, STACK, THREAD, TIME } from './shared-fields.js';

const FIELDS = [
  STACK,
  optional(THREAD),
  optional(TIME),
  CLASS,
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

/**
 * Sampled allocations: the bytes of one are those that its thread allocated since the one before. Those of a time that was not recorded are
 * apart, in `earlier`.
 */
export const ALLOCATION_EVENTS = defineEvents('allocation', 'Allocation samples', [
  ...FIELDS,
  optional({
    key: 'earlier',
    title: 'Earlier bytes',
    holds: 'number',
    unit: 'bytes',
    meaning:
      'of a first sample whose weight is mostly of the time before the recording: that weight, which is not in its bytes',
    wide: true,
  }),
]);
export type AllocationEvents = RowsOf<typeof ALLOCATION_EVENTS>;

/** All allocations, each with its own bytes. */
export const OBJECT_ALLOCATION_EVENTS = defineEvents('object-allocation', 'Allocations', FIELDS);

/** Allocations for which a thread got a new buffer (the bytes of the buffer count), and those outside of buffers. */
export const TLAB_EVENTS = defineEvents('tlab', 'Allocations of buffers', FIELDS);
export type TlabEvents = RowsOf<typeof TLAB_EVENTS>;

/** What each thread allocated since it started, by its own counter, at some moments. */
export const THREAD_ALLOCATION_EVENTS = defineEvents('thread-allocation', 'Allocated bytes by thread', [
  THREAD,
  TIME,
  {
    key: 'total',
    title: 'Total',
    holds: 'number',
    unit: 'bytes',
    meaning: 'allocated by the thread since it started',
    wide: true,
  },
]);
export type ThreadAllocationEvents = RowsOf<typeof THREAD_ALLOCATION_EVENTS>;

/** The kind that says most of the allocations of a profile: all of them, else samples, which stand for all bytes, else the events of buffers. */
export function allocationKind(profile: Profile | undefined): typeof TLAB_EVENTS | undefined {
  return [OBJECT_ALLOCATION_EVENTS, ALLOCATION_EVENTS, TLAB_EVENTS].find((kind) => kind.of(profile) !== undefined);
}
