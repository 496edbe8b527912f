/** Contention by site: how often and how long threads were blocked by a monitor there. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { CLASS, DUMP, STACK, THREAD, TRACE } from './shared-fields.js';

export const CONTENTION_EVENTS = defineEvents('contention', 'Contention', [
  STACK,
  optional(TRACE),
  optional(THREAD),
  optional(DUMP),
  CLASS,
  { key: 'name', title: 'Name', holds: 'string', unit: 'none', meaning: 'of a raw monitor, else -1' },
  {
    key: 'count',
    title: 'Contended',
    holds: 'number',
    unit: 'count',
    meaning: 'times a thread time waited to enter',
    wide: true,
    nature: 'flow',
  },
  {
    key: 'waited',
    title: 'Time',
    holds: 'number',
    unit: 'ns',
    meaning: 'time waited to enter',
    wide: true,
    nature: 'flow',
  },
]);
export type ContentionEvents = RowsOf<typeof CONTENTION_EVENTS>;
