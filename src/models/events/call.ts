/** Counted calls: times a method ran in a context. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { DUMP, SITE, STACK, THREAD, TRACE } from './shared-fields.js';

export const CALL_EVENTS = defineEvents('call', 'Call counts', [
  STACK,
  optional(SITE),
  optional(TRACE),
  optional(THREAD),
  optional(DUMP),
  {
    key: 'count',
    title: 'Calls',
    holds: 'number',
    unit: 'count',
    meaning: 'times the method ran in this context',
    wide: true,
    nature: 'site',
  },
]);
export type CallEvents = RowsOf<typeof CALL_EVENTS>;
