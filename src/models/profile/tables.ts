/** The tables of a profile that are no events: threads, names of stacks, arcs, counters and ranges. */
import { STACK, THREAD, TIME } from '../events/shared-fields.js';
import type { Field } from '../table.js';
import { defineTable, optional, type RowsOf } from '../table-kind.js';

export const TID = {
  key: 'tid',
  title: 'TID',
  holds: 'number',
  unit: 'none',
  meaning: "the operating system's number of the thread, where it is a part of its name",
  wide: true,
} as const satisfies Field;

/** Threads. What else a recording tells of one, formats add. */
export const THREADS = defineTable('thread', 'Threads', [
  { key: 'name', title: 'Thread', holds: 'string', unit: 'none', meaning: 'name of the thread' },
  optional({
    key: 'number',
    title: 'Number',
    holds: 'number',
    unit: 'none',
    meaning: "the recording's own number for the thread, such as Thread.threadId(); -1 not told",
    wide: true,
  }),
  optional({
    key: 'native',
    title: 'Native id',
    holds: 'number',
    unit: 'none',
    meaning: 'of the operating system; -1 not told',
    wide: true,
  }),
  optional(TID),
  optional({
    key: 'address',
    title: 'Address',
    holds: 'number',
    unit: 'none',
    meaning: 'in the VM; -1 not told',
    wide: true,
  }),
  optional({ key: 'daemon', title: 'Daemon', holds: 'number', unit: 'none', meaning: '1 for daemons; -1 not told' }),
  optional({
    key: 'virtual',
    title: 'Virtual',
    holds: 'number',
    unit: 'none',
    meaning: '1 for virtual threads; -1 not told',
  }),
  optional({ key: 'priority', title: 'Priority', holds: 'number', unit: 'none', meaning: 'of Java; -1 not told' }),
  optional({
    key: 'group',
    title: 'Group',
    holds: 'string',
    unit: 'none',
    meaning: 'name of its thread group or container',
  }),
  optional({
    key: 'object',
    title: 'Object',
    holds: 'number',
    unit: 'none',
    meaning: 'id of the thread object; many threads may share one',
    wide: true,
  }),
  optional({
    key: 'started',
    title: 'Started',
    holds: 'number',
    unit: 'none',
    meaning: 'byte of the input at which its start is told; -1 where it is not told',
    wide: true,
  }),
  optional({
    key: 'ended',
    title: 'Ended',
    holds: 'number',
    unit: 'none',
    meaning: 'byte of the input at which its end is told; -1 where it is not told',
    wide: true,
  }),
]);
export type ThreadRows = RowsOf<typeof THREADS>;

/** The recording's own names for stacks, such as TRACE 300123. */
export const TRACES = defineTable('trace', 'Traces', [
  { key: 'serial', title: 'Trace', holds: 'number', unit: 'none', meaning: "the recording's own number", wide: true },
  STACK,
  THREAD,
]);

export type TraceRows = RowsOf<typeof TRACES>;

/** Caller and callee pairs of recordings without stacks; no tree is made of them. */
export const ARCS = defineTable('arc', 'Calls', [
  { key: 'caller', title: 'Caller', holds: 'function', unit: 'none', meaning: 'the function that called' },
  { key: 'callee', title: 'Callee', holds: 'function', unit: 'none', meaning: 'the function that was called' },
  { key: 'calls', title: 'Calls', holds: 'number', unit: 'count', meaning: 'how often', wide: true, nature: 'site' },
  {
    key: 'value',
    title: 'Inclusive',
    holds: 'number',
    unit: 'none',
    meaning: 'spent in the callee and below it in these calls, in the unit of the metric',
    wide: true,
    nature: 'flow',
  },
]);

/** Values over time: CPU load, heap in use. `track` is a row of the names of the program. */
export const COUNTERS = defineTable('counter', 'Counters', [
  { key: 'track', title: 'Track', holds: 'string', unit: 'none', meaning: 'what was measured' },
  TIME,
  { key: 'value', title: 'Value', holds: 'number', unit: 'none', meaning: 'at that time', wide: true },
]);

/** Spans of time: pauses, lives of threads, times between samples. */
export const RANGES = defineTable('range', 'Ranges', [
  { key: 'track', title: 'Track', holds: 'string', unit: 'none', meaning: 'what it is a span of' },
  THREAD,
  TIME,
  { key: 'duration', title: 'Duration', holds: 'number', unit: 'ns', meaning: 'how long', wide: true },
]);
