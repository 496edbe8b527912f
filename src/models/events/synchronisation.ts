/** Counted synchronisation: how often monitors of a class were entered. It contains neither waiting nor owners. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { SITE, STACK, TYPE } from './shared-fields.js';

export const SYNCHRONISATION_EVENTS = defineEvents('synchronisation', 'Synchronisation counts', [
  STACK,
  optional(SITE),
  TYPE,
  {
    key: 'count',
    title: 'Entries',
    holds: 'number',
    unit: 'count',
    meaning: 'times a monitor of this type was entered',
    wide: true,
    nature: 'site',
  },
]);
export type SynchronisationEvents = RowsOf<typeof SYNCHRONISATION_EVENTS>;
