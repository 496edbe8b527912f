/** Waiting: who waited, why, and how long. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { CLASS, STACK, THREAD, TIME } from './shared-fields.js';

/**
 * Why a thread waits. `enter`: for a monitor that another thread holds. `object-wait`: in `Object.wait`, to be
 * notified. `mutex`, `condition`, `join` and `barrier` are those of native threads.
 */
export const WAIT_REASONS = ['enter', 'object-wait', 'park', 'sleep', 'mutex', 'condition', 'join', 'barrier'] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** The part of the waited time that metrics add up along stacks: that of some reasons. */
const timeOf = <const Key extends string>(key: Key, title: string, meaning: string) =>
  optional({ key, title, holds: 'number', unit: 'ns', meaning, wide: true, nature: 'flow' } as const);

export const WAIT_EVENTS = defineEvents('wait', 'Waits', [
  optional(STACK),
  THREAD,
  optional(TIME),
  {
    key: 'reason',
    title: 'Reason',
    holds: 'number',
    unit: 'none',
    meaning: 'index into the wait reasons',
    names: WAIT_REASONS,
  },
  optional({
    key: 'monitor',
    title: 'Monitor',
    holds: 'string',
    unit: 'none',
    meaning: 'object waited for, as written in the recording; -1 none',
  }),
  optional(CLASS),
  optional({
    key: 'address',
    title: 'Address',
    holds: 'number',
    unit: 'none',
    meaning: 'address of the object waited for, while it was waited for; -1 unknown',
    wide: true,
  }),
  optional({
    key: 'other',
    title: 'Other thread',
    holds: 'thread',
    unit: 'none',
    meaning: 'thread that held the monitor before, or that notified; -1 unknown',
  }),
  optional({
    key: 'timeout',
    title: 'Timeout',
    holds: 'number',
    unit: 'ns',
    meaning: 'timeout, 0 for no timeout; -1 in rows without the start of the wait',
    unknown: -1,
    wide: true,
  }),
  {
    key: 'waited',
    title: 'Waited',
    holds: 'number',
    unit: 'ns',
    meaning: 'duration; -1 in rows with only the start of the wait',
    unknown: -1,
    wide: true,
  },
  timeOf('contended', 'Contended', 'waited to enter or parked; else 0'),
  timeOf('blocked', 'Blocked', 'waited to enter; else 0'),
  timeOf('parked', 'Parked', 'parked; else 0'),
  timeOf('unnotified', 'Until notified', 'waited to be notified; else 0'),
  timeOf('slept', 'Slept', 'slept; else 0'),
  timeOf('native', 'Native locks', 'waited for a lock of native code; else 0'),
]);
export type WaitEvents = RowsOf<typeof WAIT_EVENTS>;
