/** What each thread did at a dump: one row a thread and dump. */
import type { Field } from '../table.js';
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

/** What stands for a state where many stand in a row; `-` where there is none. */
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
  meaning: 'index into the states of threads',
} as const satisfies Field;

export const STATE_EVENTS = defineEvents('state', 'Threads', [
  STACK,
  THREAD,
  DUMP,
  STATE,
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
  optional({
    key: 'elapsed',
    title: 'Elapsed',
    holds: 'number',
    unit: 'ns',
    meaning: 'since the thread began; -1 not told',
    wide: true,
  }),
  optional({
    key: 'framed',
    title: 'Threads with frames',
    holds: 'number',
    unit: 'samples',
    meaning: '1 for threads with frames, 0 for those without, such as the GC threads of a VM',
    nature: 'flow',
  }),
]);
export type StateEvents = RowsOf<typeof STATE_EVENTS>;
