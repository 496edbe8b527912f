/** The tables of a profile that are not events: threads, names of stacks, arcs, counters and ranges. */
import { STACK, THREAD, TIME } from '../events/shared-fields.js';
import type { Field } from '../table.js';
import { defineTable, optional, type RowsOf } from '../table-kind.js';

export const TID = {
  key: 'tid',
  title: 'TID',
  holds: 'number',
  unit: 'none',
  meaning: 'operating system thread id, if it is part of the name',
  wide: true,
} as const satisfies Field;

/** Threads. Formats add further fields. */
export const THREADS = defineTable('thread', 'Threads', [
  { key: 'name', title: 'Thread', holds: 'string', unit: 'none', meaning: 'name of the thread' },
  optional({
    key: 'number',
    title: 'Number',
    holds: 'number',
    unit: 'none',
    meaning: 'thread id in the recording, such as Thread.threadId(); -1 unknown',
    wide: true,
  }),
  optional({
    key: 'native',
    title: 'Native id',
    holds: 'number',
    unit: 'none',
    meaning: 'operating system thread id; -1 unknown',
    wide: true,
  }),
  optional(TID),
  optional({
    key: 'address',
    title: 'Address',
    holds: 'number',
    unit: 'none',
    meaning: 'address in the VM; -1 unknown',
    wide: true,
  }),
  optional({
    key: 'daemon',
    title: 'Daemon',
    holds: 'number',
    unit: 'none',
    meaning: '1 for daemon threads; -1 unknown',
  }),
  optional({
    key: 'virtual',
    title: 'Virtual',
    holds: 'number',
    unit: 'none',
    meaning: '1 for virtual threads; -1 unknown',
  }),
  optional({ key: 'priority', title: 'Priority', holds: 'number', unit: 'none', meaning: 'Java priority; -1 unknown' }),
  optional({
    key: 'group',
    title: 'Group',
    holds: 'string',
    unit: 'none',
    meaning: 'name of the thread group or container',
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
    meaning: 'byte offset of its start event in the input; -1 unknown',
    wide: true,
  }),
  optional({
    key: 'ended',
    title: 'Ended',
    holds: 'number',
    unit: 'none',
    meaning: 'byte offset of its end event in the input; -1 unknown',
    wide: true,
  }),
  optional({
    key: 'process',
    title: 'Process',
    holds: 'row',
    unit: 'none',
    meaning: 'number of its process, from 0; absent if all threads are of one',
  }),
]);
export type ThreadRows = RowsOf<typeof THREADS>;

/** The recording's own names for stacks, such as TRACE 300123. */
export const TRACES = defineTable('trace', 'Traces', [
  { key: 'serial', title: 'Trace', holds: 'number', unit: 'none', meaning: 'number in the recording', wide: true },
  STACK,
  THREAD,
]);

export type TraceRows = RowsOf<typeof TRACES>;

/** Caller and callee pairs of recordings without stacks; they form no tree. */
export const ARCS = defineTable('arc', 'Calls', [
  { key: 'caller', title: 'Caller', holds: 'function', unit: 'none', meaning: 'calling function' },
  { key: 'callee', title: 'Callee', holds: 'function', unit: 'none', meaning: 'called function' },
  {
    key: 'calls',
    title: 'Calls',
    holds: 'number',
    unit: 'count',
    meaning: 'number of calls',
    wide: true,
    nature: 'site',
  },
  {
    key: 'value',
    title: 'Inclusive',
    holds: 'number',
    unit: 'none',
    meaning: 'spent in the callee and its callees in these calls, in the unit of the metric',
    wide: true,
    nature: 'flow',
  },
]);

/** Values over time: CPU load, heap in use. `track` is a row of the names of the program. */
export const COUNTERS = defineTable('counter', 'Counters', [
  { key: 'track', title: 'Track', holds: 'string', unit: 'none', meaning: 'measured quantity' },
  TIME,
  { key: 'value', title: 'Value', holds: 'number', unit: 'none', meaning: 'value at that time', wide: true },
]);

/** Spans of time: pauses, lives of threads, times between samples. */
export const RANGES = defineTable('range', 'Ranges', [
  { key: 'track', title: 'Track', holds: 'string', unit: 'none', meaning: 'kind of the range' },
  THREAD,
  TIME,
  { key: 'duration', title: 'Duration', holds: 'number', unit: 'ns', meaning: 'duration', wide: true },
]);
