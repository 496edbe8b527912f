/** Classes: their objects at the moments of dumps (one row per class and dump), and how they were loaded. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { CLASS, DUMP, STACK, THREAD, TIME } from './shared-fields.js';

export const CLASS_EVENTS = defineEvents('class', 'Objects by class', [
  CLASS,
  DUMP,
  {
    key: 'objects',
    title: 'Objects',
    holds: 'number',
    unit: 'count',
    meaning: 'number of objects',
    wide: true,
    nature: 'level',
  },
  {
    key: 'bytes',
    title: 'Bytes',
    holds: 'number',
    unit: 'bytes',
    meaning: 'shallow size of the objects',
    wide: true,
    nature: 'level',
    optional: true,
  },
]);
export type ClassEvents = RowsOf<typeof CLASS_EVENTS>;

/** Classes that were looked up (`loaded`, with the time it took) or made (`defined`): two events of one class mostly. */
export const CLASS_LOAD_EVENTS = defineEvents('class-load', 'Class loading', [
  STACK,
  optional(THREAD),
  TIME,
  CLASS,
  {
    key: 'loaded',
    title: 'Loaded',
    holds: 'number',
    unit: 'count',
    meaning: '1 if it was loaded',
    wide: true,
    nature: 'flow',
  },
  {
    key: 'defined',
    title: 'Defined',
    holds: 'number',
    unit: 'count',
    meaning: '1 if it was defined',
    wide: true,
    nature: 'flow',
  },
  {
    key: 'spent',
    title: 'Time',
    holds: 'number',
    unit: 'ns',
    meaning: 'of loading it, with the classes that it needed; 0 of definitions',
    wide: true,
    nature: 'flow',
  },
]);
export type ClassLoadEvents = RowsOf<typeof CLASS_LOAD_EVENTS>;
