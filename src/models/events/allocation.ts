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

/** Sampled allocations: the bytes of one are those allocated since the one before. */
export const ALLOCATION_EVENTS = defineEvents('allocation', 'Allocation samples', FIELDS);
export type AllocationEvents = RowsOf<typeof ALLOCATION_EVENTS>;

/** All allocations, each with its own bytes. */
export const OBJECT_ALLOCATION_EVENTS = defineEvents('object-allocation', 'Allocations', FIELDS);

/** Allocations for which a thread got a new buffer (the bytes of the buffer count), and those outside of buffers. */
export const TLAB_EVENTS = defineEvents('tlab', 'Allocations of buffers', FIELDS);
export type TlabEvents = RowsOf<typeof TLAB_EVENTS>;

/** The kind that says most of the allocations of a profile: all of them, else samples, which stand for all bytes, else the events of buffers. */
export function allocationKind(profile: Profile | undefined): typeof ALLOCATION_EVENTS | undefined {
  return [OBJECT_ALLOCATION_EVENTS, ALLOCATION_EVENTS, TLAB_EVENTS].find((kind) => kind.of(profile) !== undefined);
}
