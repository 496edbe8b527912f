/** What thread dumps tell of threads, beyond what all recordings do. */
import { STATE_EVENTS } from '../../models/events/state.js';
import { THREADS } from '../../models/profile/tables.js';

export const DUMP_THREADS = THREADS.having(['number', 'native', 'address', 'daemon', 'virtual', 'priority']);

/** With the thread container, where the dump has any. */
export const GROUPED_THREADS = DUMP_THREADS.having(['group']);

export const DUMP_STATES = STATE_EVENTS.having(['cpu']).extended([
  {
    key: 'elapsed',
    title: 'Elapsed',
    holds: 'number',
    unit: 'ns',
    meaning: 'time since the thread started; -1 if unknown',
    wide: true,
  },
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

export const THREADS_METRIC = STATE_EVENTS.rowMetric({
  id: 'threads',
  title: 'Thread states',
  unit: 'samples',
  nature: 'flow',
});
