/** What each thread did at a dump: one row per thread and dump. */
import type { Field } from '../table.js';
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { DUMP, STACK, THREAD, TRACE } from './shared-fields.js';

/**
 * State of a thread, by the constants of `Thread.State`; sleeping and parked differ from waiting if the recording
 * distinguishes them. `blocked` until it gets a monitor or, parked, a lock of java.util.concurrent; `parked` for
 * anything else.
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

const LETTERS: Readonly<Record<ThreadState, string>> = {
  unknown: '?',
  new: 'N',
  runnable: 'R',
  blocked: 'B',
  waiting: 'W',
  'timed-waiting': 'T',
  sleeping: 'S',
  parked: 'P',
  terminated: 'X',
};

/** Short form of a state in a row of states; `-` if there is none. */
export function stateLetter(state: string | null): string {
  const known = THREAD_STATES.find((candidate) => candidate === state);
  return known === undefined ? '-' : LETTERS[known];
}

/** Named as the scope's step is: `--state blocked` keeps the rows of blocked threads. */
export const STATE = {
  key: 'state',
  title: 'State',
  holds: 'number',
  unit: 'none',
  meaning: 'index into the thread states',
  names: THREAD_STATES,
} as const satisfies Field;

export const STATE_EVENTS = defineEvents('state', 'Threads', [
  STACK,
  THREAD,
  DUMP,
  STATE,
  { key: 'status', title: 'Status', holds: 'string', unit: 'none', meaning: 'state as written in the recording' },
  optional(TRACE),
  optional({
    key: 'cpu',
    title: 'CPU',
    holds: 'number',
    unit: 'ns',
    meaning: 'CPU time of the thread since it started; -1 unknown',
    unknown: -1,
    wide: true,
  }),
  optional({
    key: 'elapsed',
    title: 'Elapsed',
    holds: 'number',
    unit: 'ns',
    meaning: 'time since the thread started; -1 unknown',
    unknown: -1,
    wide: true,
  }),
  optional({
    key: 'framed',
    title: 'Threads with frames',
    holds: 'number',
    unit: 'samples',
    meaning: '1 for threads with frames, 0 for others, such as GC threads of a VM',
    nature: 'flow',
  }),
]);
export type StateEvents = RowsOf<typeof STATE_EVENTS>;
