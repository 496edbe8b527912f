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

/** Single calls of methods that were traced, with the time in the method and in what it called. */
export const METHOD_TRACE_EVENTS = defineEvents('method-trace', 'Traced calls', [
  STACK,
  optional(THREAD),
  optional(TIME),
  {
    key: 'function',
    title: 'Function',
    holds: 'function',
    unit: 'none',
    meaning: 'the traced method, which the stack lacks',
  },
  {
    key: 'spent',
    title: 'Time',
    holds: 'number',
    unit: 'ns',
    meaning: 'from the start of the call to its end',
    wide: true,
    nature: 'site',
  },
]);
export type MethodTraceEvents = RowsOf<typeof METHOD_TRACE_EVENTS>;
