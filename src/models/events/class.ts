/** Objects by class at the moments of dumps: one row per class and dump. */
import type { RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { CLASS, DUMP } from './shared-fields.js';

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
  },
]);
export type ClassEvents = RowsOf<typeof CLASS_EVENTS>;
