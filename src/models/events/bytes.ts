/** Bytes by stack: what was allocated, read or written there, as defined by the recording. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { STACK, THREAD } from './shared-fields.js';

export const BYTES_EVENTS = defineEvents('bytes', 'Bytes', [
  STACK,
  optional(THREAD),
  { key: 'bytes', title: 'Bytes', holds: 'number', unit: 'bytes', meaning: 'of the stack', wide: true, nature: 'flow' },
]);
export type BytesEvents = RowsOf<typeof BYTES_EVENTS>;
