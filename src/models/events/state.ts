/** What each thread did at a dump: one row per thread and dump. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { DUMP, STACK, THREAD, TRACE } from './shared-fields.js';

/**
 * State of a thread, by the constants of `Thread.State`; sleeping and parked differ from waiting if the recording
 * distinguishes them.
 */
export const THREAD_STATES = [
  'unknown',
  'new',
  'runnable',
  'blocked',
  'waiting',
  'timed-waiting',
  'sleeping',
  'parked',
  'terminated',
] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

export const STATE_EVENTS = defineEvents('state', 'Threads', [
  STACK,
  THREAD,
  DUMP,
  { key: 'state', title: 'State', holds: 'number', unit: 'none', meaning: 'index into the thread states' },
  { key: 'status', title: 'Status', holds: 'string', unit: 'none', meaning: 'state as written in the recording' },
  optional(TRACE),
  optional({
    key: 'cpu',
    title: 'CPU',
    holds: 'number',
    unit: 'ns',
    meaning: 'CPU time of the thread since it started; -1 unknown',
    wide: true,
  }),
]);
export type StateEvents = RowsOf<typeof STATE_EVENTS>;
