/** What each thread did at a dump: one row a thread and dump. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { DUMP, STACK, THREAD, TRACE } from './shared-fields.js';

/**
 * What a thread does, by the constants of `Thread.State`; sleeping and parked told apart from waiting where the recording does.
 * `blocked` until it gets a monitor or, parked, a lock of java.util.concurrent; `parked` for anything else.
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
  { key: 'state', title: 'State', holds: 'number', unit: 'none', meaning: 'index into the states of threads' },
  { key: 'status', title: 'Status', holds: 'string', unit: 'none', meaning: "the state in the recording's own words" },
  optional(TRACE),
  optional({
    key: 'cpu',
    title: 'CPU',
    holds: 'number',
    unit: 'ns',
    meaning: 'of the thread since it began; -1 not told',
    wide: true,
  }),
]);
export type StateEvents = RowsOf<typeof STATE_EVENTS>;
