/** Waiting: who waited, why, and how long. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { STACK, THREAD, TIME } from './shared-fields.js';

/**
 * Why a thread waits. `enter`: for a monitor that another thread holds. `object-wait`: in `Object.wait`, to be
 * notified. `mutex`, `condition`, `join` and `barrier` are those of native threads.
 */
export const WAIT_REASONS = ['enter', 'object-wait', 'park', 'sleep', 'mutex', 'condition', 'join', 'barrier'] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

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
]);
export type WaitEvents = RowsOf<typeof WAIT_EVENTS>;
