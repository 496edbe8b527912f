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

/** Calls of methods that were all timed, since the row before of the same method; the stack is the method alone. */
export const METHOD_TIMING_EVENTS = defineEvents('method-timing', 'Timed methods', [
  STACK,
  TIME,
  {
    key: 'invocations',
    title: 'Calls',
    holds: 'number',
    unit: 'count',
    meaning: 'calls of the method',
    wide: true,
    nature: 'flow',
  },
  {
    key: 'timed',
    title: 'Time',
    holds: 'number',
    unit: 'ns',
    meaning: 'of these calls, from start to end: their number times the average',
    wide: true,
    nature: 'flow',
  },
  optional({
    key: 'minimum',
    title: 'Shortest',
    holds: 'number',
    unit: 'ns',
    meaning: 'shortest call so far; -1 unknown',
    wide: true,
  }),
  optional({
    key: 'maximum',
    title: 'Longest',
    holds: 'number',
    unit: 'ns',
    meaning: 'longest call so far; -1 unknown',
    wide: true,
  }),
  optional({
    key: 'earlier',
    title: 'Earlier calls',
    holds: 'number',
    unit: 'count',
    meaning: 'that may be of the time before the recording: they are not in its calls, nor their time in its time',
    wide: true,
  }),
]);
export type MethodTimingEvents = RowsOf<typeof METHOD_TIMING_EVENTS>;
