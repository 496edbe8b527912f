/** What threads did: their states at dumps (one row per thread and dump), when they started and ended, and their CPU load. */
import type { Field } from '../table.js';
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { DUMP, STACK, THREAD, TIME, TRACE } from './shared-fields.js';

/**
 * State of a thread, by the constants of `Thread.State`; sleeping and parked differ from waiting if the recording
 * distinguishes them. `blocked` until it gets a monitor or, parked, a lock of java.util.concurrent; `parked` for
 * anything else. `suspended`: another thread stopped it while it was runnable; one that was blocked or waiting stays so.
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
  'suspended',
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
  suspended: 'U',
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

export const LIFE_STEPS = ['start', 'end'] as const;

/** Starts of threads, with the stack of who started them, and their ends. */
export const THREAD_LIFE_EVENTS = defineEvents('thread-life', 'Starts and ends of threads', [
  STACK,
  THREAD,
  TIME,
  { key: 'step', title: 'Step', holds: 'number', unit: 'none', meaning: 'start or end', names: LIFE_STEPS },
  optional({
    key: 'parent',
    title: 'Started by',
    holds: 'thread',
    unit: 'none',
    meaning: 'thread that started it; -1 unknown',
  }),
  {
    key: 'started',
    title: 'Threads started',
    holds: 'number',
    unit: 'count',
    meaning: '1 for starts, 0 for ends',
    wide: true,
    nature: 'flow',
  },
]);
export type ThreadLifeEvents = RowsOf<typeof THREAD_LIFE_EVENTS>;

/** CPU load of threads, each since the event before. */
export const THREAD_LOAD_EVENTS = defineEvents('thread-load', 'CPU load of threads', [
  THREAD,
  TIME,
  {
    key: 'user',
    title: 'User',
    holds: 'number',
    unit: 'ratio',
    meaning: 'share of all processors, in the program',
    wide: true,
  },
  {
    key: 'system',
    title: 'System',
    holds: 'number',
    unit: 'ratio',
    meaning: 'share of all processors, in the operating system',
    wide: true,
  },
  optional({
    key: 'cpu',
    title: 'CPU',
    holds: 'number',
    unit: 'ns',
    meaning: 'estimated CPU time: load, times the time that it is from, times the number of processors',
    wide: true,
  }),
]);
export type ThreadLoadEvents = RowsOf<typeof THREAD_LOAD_EVENTS>;
