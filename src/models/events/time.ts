/** Time spent: in the leaf of a stack itself. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { DUMP, STACK, THREAD, TIME, TRACE } from './shared-fields.js';

export const TIME_EVENTS = defineEvents('time', 'Time', [
  STACK,
  optional(TRACE),
  optional(THREAD),
  optional(TIME),
  optional(DUMP),
  optional({
    key: 'calls',
    title: 'Calls',
    holds: 'number',
    unit: 'count',
    meaning: 'returns of the innermost method',
    wide: true,
    nature: 'site',
  }),
  {
    key: 'spent',
    title: 'Time',
    holds: 'number',
    unit: 'ns',
    meaning: 'spent in the innermost method itself',
    wide: true,
    nature: 'flow',
  },
]);
export type TimeEvents = RowsOf<typeof TIME_EVENTS>;
