/** States of sampled threads: in the words of the house, by which a scope chooses samples, and as the recorder wrote them. */
import { STATE, THREAD_STATES, type ThreadState } from '../../../models/events/state.js';
import { optional } from '../../../models/table-kind.js';
import type { KindSource } from './kind-source.js';

export const STATES = [
  optional(STATE),
  optional({
    key: 'status',
    title: 'Status',
    holds: 'string',
    unit: 'none',
    meaning: 'state as written in the recording; -1 unknown',
  }),
] as const;

/** Of `jdk.types.ThreadState`: those of the JVM, and those of its threads in the operating system, which Datadog's profiler writes. */
const WORDS: Readonly<Record<string, ThreadState>> = {
  STATE_NEW: 'new',
  STATE_RUNNABLE: 'runnable',
  STATE_BLOCKED_ON_MONITOR_ENTER: 'blocked',
  STATE_IN_OBJECT_WAIT: 'waiting',
  STATE_IN_OBJECT_WAIT_TIMED: 'timed-waiting',
  STATE_SLEEPING: 'sleeping',
  STATE_PARKED: 'parked',
  STATE_PARKED_TIMED: 'parked',
  STATE_TERMINATED: 'terminated',
  NEW: 'new',
  RUNNABLE: 'runnable',
  MONITOR_WAIT: 'blocked',
  OBJECT_WAIT: 'waiting',
  CONDVAR_WAIT: 'parked',
  SLEEPING: 'sleeping',
  TERMINATED: 'terminated',
};

const NUMBERS = Object.fromEntries(Object.entries(WORDS).map(([word, state]) => [word, THREAD_STATES.indexOf(state)]));

/** The states of events that have any. */
export const STATED: KindSource['columns'] = { state: { field: 'state', words: NUMBERS }, status: 'state' };
