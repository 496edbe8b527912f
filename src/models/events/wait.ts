/** Waiting: who waited, why, and how long. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { STACK, THREAD, TIME } from './shared-fields.js';

/**
 * Why a thread waits. `enter`: for a monitor that another one holds. `object-wait`: in `Object.wait`, to be notified. `mutex`,
 * `condition`, `join` and `barrier` are those of native threads.
 */
export const WAIT_REASONS = ['enter', 'object-wait', 'park', 'sleep', 'mutex', 'condition', 'join', 'barrier'] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

export const WAIT_EVENTS = defineEvents('wait', 'Waits', [
  optional(STACK),
  THREAD,
  optional(TIME),
  { key: 'reason', title: 'Reason', holds: 'number', unit: 'none', meaning: 'index into the reasons to wait' },
  optional({
    key: 'monitor',
    title: 'Monitor',
    holds: 'string',
    unit: 'none',
    meaning: 'what it waited for, in the words of the recording; -1 nothing',
  }),
  optional({
    key: 'timeout',
    title: 'Timeout',
    holds: 'number',
    unit: 'ns',
    meaning: 'longest time, 0 for ever; -1 in rows that do not tell the beginning',
    wide: true,
  }),
  {
    key: 'waited',
    title: 'Waited',
    holds: 'number',
    unit: 'ns',
    meaning: 'time it took; -1 in rows that tell only the beginning',
    wide: true,
  },
]);
export type WaitEvents = RowsOf<typeof WAIT_EVENTS>;
