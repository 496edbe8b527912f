/** Counted receivers: a row for each class of objects that a call met at a site. */
import type { RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { SITE, STACK, TYPE } from './shared-fields.js';

export const RECEIVER_EVENTS = defineEvents('receiver', 'Receiver types', [
  STACK,
  SITE,
  TYPE,
  {
    key: 'count',
    title: 'Calls',
    holds: 'number',
    unit: 'count',
    meaning: 'calls with a receiver of this type',
    wide: true,
    nature: 'site',
  },
]);
export type ReceiverEvents = RowsOf<typeof RECEIVER_EVENTS>;
