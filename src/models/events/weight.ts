/** Values by stack that other tools summed: weights, which are numbers of unknown meaning, bytes, and values that the recorder names. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { STACK, THREAD, TIME } from './shared-fields.js';

export const WEIGHT_EVENTS = defineEvents('weight', 'Weight', [
  STACK,
  optional(THREAD),
  {
    key: 'weight',
    title: 'Weight',
    holds: 'number',
    unit: 'none',
    meaning: 'of the stack',
    wide: true,
    nature: 'flow',
  },
]);
export type WeightEvents = RowsOf<typeof WEIGHT_EVENTS>;

/** What was allocated, read or written, as defined by the recording. */
export const BYTES_EVENTS = defineEvents('bytes', 'Bytes', [
  STACK,
  optional(THREAD),
  { key: 'bytes', title: 'Bytes', holds: 'number', unit: 'bytes', meaning: 'of the stack', wide: true, nature: 'flow' },
]);
export type BytesEvents = RowsOf<typeof BYTES_EVENTS>;

/** Values whose types the recorder names: pprof, OTLP. What they are of is in fields that the format adds. */
export const VALUE_EVENTS = defineEvents('value', 'Values', [STACK, optional(THREAD), optional(TIME)]);
export type ValueEvents = RowsOf<typeof VALUE_EVENTS>;
