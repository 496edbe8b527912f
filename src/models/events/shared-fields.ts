/** Fields that tables of many kinds have: where, whose and when something happened. Filters know them by these keys. */
import type { Field } from '../table.js';

export const STACK = {
  key: 'stack',
  title: 'Stack',
  holds: 'stack',
  unit: 'none',
  meaning: 'where it happened, by the leaf; -1 where that is not told',
} as const satisfies Field;

export const TRACE = {
  key: 'trace',
  title: 'Trace',
  holds: 'row',
  unit: 'none',
  meaning: 'row of the traces of the recording; -1 where it belongs to none',
} as const satisfies Field;

export const THREAD = {
  key: 'thread',
  title: 'Thread',
  holds: 'thread',
  unit: 'none',
  meaning: 'whose it is; -1 where that is not told',
} as const satisfies Field;

export const TIME = {
  key: 'time',
  title: 'Time',
  holds: 'number',
  unit: 'ns',
  meaning: 'since the recording began',
  wide: true,
} as const satisfies Field;

/** Named as the scope's step is: `--dump 2` keeps the rows of dump 1. */
export const DUMP = {
  key: 'dump',
  title: 'Dump',
  holds: 'row',
  unit: 'none',
  meaning: 'which of the dumps of the recording, from 0 on',
} as const satisfies Field;

export const SITE = {
  key: 'site',
  title: 'Site',
  holds: 'row',
  unit: 'none',
  meaning: 'entry of the file: rows of one entry follow each other and have one number',
} as const satisfies Field;

export const TYPE = {
  key: 'type',
  title: 'Type',
  holds: 'class',
  unit: 'none',
  meaning: 'class of the object seen',
} as const satisfies Field;

export const CLASS = {
  key: 'class',
  title: 'Class',
  holds: 'class',
  unit: 'none',
  meaning: 'of the objects; -1 where it is not told',
} as const satisfies Field;

/** What counted events are summed by; each kind says what it counts. */
export const COUNT = {
  key: 'count',
  title: 'Count',
  holds: 'number',
  unit: 'count',
  meaning: 'how often it happened',
  wide: true,
} as const satisfies Field;
