/** The fields of the tables of a profile that are no events: names of stacks, arcs, counters and ranges. */
import type { StringId } from '../../base/text.js';
import type { Field, Table } from '../table.js';

const STACK: Field = { key: 'stack', title: 'Stack', holds: 'stack', unit: 'none', meaning: 'the stack, by its leaf' };
const THREAD: Field = { key: 'thread', title: 'Thread', holds: 'thread', unit: 'none', meaning: 'where it happened' };
const TIME: Field = {
  key: 'time',
  title: 'Time',
  holds: 'number',
  unit: 'ns',
  meaning: 'since the recording began',
  wide: true,
};

/** Threads. Formats add what else they know of one. */
export const THREAD_FIELDS: readonly Field[] = [
  { key: 'name', title: 'Thread', holds: 'string', unit: 'none', meaning: 'name of the thread' },
];

/** A table of threads with nothing but their names. */
export function threadsNamed(names: readonly StringId[]): Table {
  return {
    kind: 'thread',
    title: 'Threads',
    length: names.length,
    fields: THREAD_FIELDS,
    columns: { name: Int32Array.from(names) },
  };
}

/** The recording's own names for stacks, such as TRACE 300123. */
export const TRACE_FIELDS: readonly Field[] = [
  { key: 'serial', title: 'Trace', holds: 'number', unit: 'none', meaning: "the recording's own number", wide: true },
  STACK,
  THREAD,
];

/** Caller and callee pairs of recordings without stacks; no tree is made of them. */
export const ARC_FIELDS: readonly Field[] = [
  { key: 'caller', title: 'Caller', holds: 'function', unit: 'none', meaning: 'the function that called' },
  { key: 'callee', title: 'Callee', holds: 'function', unit: 'none', meaning: 'the function that was called' },
  { key: 'calls', title: 'Calls', holds: 'number', unit: 'count', meaning: 'how often', wide: true },
  { key: 'value', title: 'Inclusive', holds: 'number', unit: 'none', meaning: 'spent in these calls', wide: true },
];

/** Values over time: CPU load, heap in use. `track` is a row of the names of the program. */
export const COUNTER_FIELDS: readonly Field[] = [
  { key: 'track', title: 'Track', holds: 'string', unit: 'none', meaning: 'what was measured' },
  TIME,
  { key: 'value', title: 'Value', holds: 'number', unit: 'none', meaning: 'at that time', wide: true },
];

/** Spans of time: pauses, lives of threads, times between samples. */
export const RANGE_FIELDS: readonly Field[] = [
  { key: 'track', title: 'Track', holds: 'string', unit: 'none', meaning: 'what it is a span of' },
  THREAD,
  TIME,
  { key: 'duration', title: 'Duration', holds: 'number', unit: 'ns', meaning: 'how long', wide: true },
];

/** Kind of the event table of objects by class, one row a class and dump. */
export const CLASS_EVENTS = 'class';

export const CLASS_FIELDS: readonly Field[] = [
  { key: 'class', title: 'Class', holds: 'class', unit: 'none', meaning: 'class of the objects' },
  { key: 'dump', title: 'Dump', holds: 'row', unit: 'none', meaning: 'which of the dumps, from 0 on' },
  { key: 'objects', title: 'Objects', holds: 'number', unit: 'count', meaning: 'how many there were', wide: true },
  { key: 'bytes', title: 'Bytes', holds: 'number', unit: 'bytes', meaning: 'what they took themselves', wide: true },
];
