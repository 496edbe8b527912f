/** Events of types that have no kind: of applications, and of recorders that describe their types themselves. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { COUNT, STACK, THREAD, TIME } from './shared-fields.js';

export const OTHER_EVENTS = defineEvents('other', 'Other events', [
  STACK,
  optional(THREAD),
  optional(TIME),
  { key: 'type', title: 'Type', holds: 'string', unit: 'none', meaning: 'type of the event, as the file names it' },
  { ...COUNT, nature: 'flow' },
]);
export type OtherEvents = RowsOf<typeof OTHER_EVENTS>;
