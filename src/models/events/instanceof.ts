/** Counted type checks: a row for each class of objects checked at a site. */
import type { RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { SITE, STACK, TYPE } from './shared-fields.js';

export const INSTANCEOF_EVENTS = defineEvents('instanceof', 'Type checks', [
  STACK,
  SITE,
  TYPE,
  {
    key: 'count',
    title: 'Checks',
    holds: 'number',
    unit: 'count',
    meaning: 'checks of an object of this type',
    wide: true,
    nature: 'site',
  },
]);
export type InstanceofEvents = RowsOf<typeof INSTANCEOF_EVENTS>;
