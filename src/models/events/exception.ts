/** Exceptions and errors as they were made, and events of types that have no kind. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { CLASS, COUNT, STACK, THREAD, TIME } from './shared-fields.js';

const FIELDS = [
  STACK,
  optional(THREAD),
  optional(TIME),
  CLASS,
  { key: 'message', title: 'Message', holds: 'string', unit: 'none', meaning: 'its message; -1 none' },
  { ...COUNT, nature: 'flow' },
] as const;

/** Exceptions of all classes, errors among them. */
export const EXCEPTION_EVENTS = defineEvents('exception', 'Exceptions', FIELDS);
export type ExceptionEvents = RowsOf<typeof EXCEPTION_EVENTS>;

/** Errors only (`java.lang.Error`); a recording may have them as exceptions, too, so both are not added up. */
export const ERROR_EVENTS = defineEvents('error', 'Errors', FIELDS);
export type ErrorEvents = RowsOf<typeof ERROR_EVENTS>;

/** Events of applications, and of recorders that describe their types themselves. */
export const OTHER_EVENTS = defineEvents('other', 'Other events', [
  STACK,
  optional(THREAD),
  optional(TIME),
  { key: 'type', title: 'Type', holds: 'string', unit: 'none', meaning: 'type of the event, as the file names it' },
  { ...COUNT, nature: 'flow' },
]);
export type OtherEvents = RowsOf<typeof OTHER_EVENTS>;
