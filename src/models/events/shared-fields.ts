/** Fields that tables of many kinds have: place, thread and time of an event. Filters find them by these keys. */
import type { Field } from '../table.js';

export const STACK = {
  key: 'stack',
  title: 'Stack',
  holds: 'stack',
  unit: 'none',
  meaning: 'stack of the event, by its leaf; -1 unknown',
} as const satisfies Field;

/** Of events with several stacks: which one counts, the step `view-mode` of a scope chooses. */
export const MACHINE_STACK = {
  key: 'machine_stack',
  title: 'Machine stack',
  holds: 'stack',
  unit: 'none',
  meaning: 'native stack of the event, by its leaf; -1 unknown',
} as const satisfies Field;

export const EXPERT_STACK = {
  key: 'expert_stack',
  title: 'Expert stack',
  holds: 'stack',
  unit: 'none',
  meaning: 'stack of the program, or the native one where the runtime system worked; -1 unknown',
} as const satisfies Field;

export const PROCESSOR = {
  key: 'processor',
  title: 'Processor',
  holds: 'number',
  unit: 'none',
  meaning: 'number of the processor that the event happened on; -1 unknown',
  unknown: -1,
} as const satisfies Field;

export const TRACE = {
  key: 'trace',
  title: 'Trace',
  holds: 'row',
  unit: 'none',
  numberedBy: 'traces',
  meaning: 'number of the trace in the recording; -1 none',
} as const satisfies Field;

export const THREAD = {
  key: 'thread',
  title: 'Thread',
  holds: 'thread',
  unit: 'none',
  meaning: 'thread of the event; -1 unknown',
} as const satisfies Field;

export const TIME = {
  key: 'time',
  title: 'Time',
  holds: 'number',
  unit: 'ns',
  meaning: 'since the start of the recording',
  wide: true,
} as const satisfies Field;

/** Named like the scope step: `--dump 2` keeps the rows of dump 1. */
export const DUMP = {
  key: 'dump',
  title: 'Dump',
  holds: 'row',
  unit: 'none',
  meaning: 'number of the dump, from 0',
  first: 1,
} as const satisfies Field;

export const SITE = {
  key: 'site',
  title: 'Site',
  holds: 'row',
  unit: 'none',
  meaning: 'entry of the file; the rows of an entry are consecutive and share its number',
} as const satisfies Field;

export const TYPE = {
  key: 'type',
  title: 'Type',
  holds: 'class',
  unit: 'none',
  meaning: 'class of the object',
} as const satisfies Field;

export const CLASS = {
  key: 'class',
  title: 'Class',
  holds: 'class',
  unit: 'none',
  meaning: 'class of the objects; -1 unknown',
} as const satisfies Field;

/** The count of counted events; each kind defines what is counted. */
export const COUNT = {
  key: 'count',
  title: 'Count',
  holds: 'number',
  unit: 'count',
  meaning: 'number of occurrences',
  wide: true,
} as const satisfies Field;
