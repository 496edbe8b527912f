/** The fields of threads in thread dumps, beyond those of all recordings. */
import { STATE_EVENTS } from '../../models/events/state.js';
import { THREADS } from '../../models/profile/tables.js';

export const DUMP_THREADS = THREADS.having(['number', 'native', 'address', 'daemon', 'virtual', 'priority']);

/** With the thread container, if the dump has any. */
export const GROUPED_THREADS = DUMP_THREADS.having(['group']);

export const DUMP_STATES = STATE_EVENTS.having(['cpu', 'elapsed', 'framed']).extended([
  {
    key: 'allocated',
    title: 'Allocated',
    holds: 'number',
    unit: 'bytes',
    meaning: 'bytes allocated by the thread since it started; -1 if unknown',
    wide: true,
  },
  {
    key: 'defined',
    title: 'Classes',
    holds: 'number',
    unit: 'count',
    meaning: 'classes defined by the thread; -1 if unknown',
  },
]);

const ALL_THREADS = STATE_EVENTS.rowMetric({
  id: 'all-threads',
  title: 'All thread states',
  unit: 'samples',
  nature: 'flow',
});

/** Threads of the VM do not have a Java stack: in a picture of the stacks they would only be a large empty box. */
export const THREAD_METRICS = [
  DUMP_STATES.metric('framed', {
    id: 'threads',
    title: 'Thread states',
    whole: { metric: ALL_THREADS.id, rest: 'threads without Java frames, such as GC and JIT threads of the VM' },
  }),
  ALL_THREADS,
];
