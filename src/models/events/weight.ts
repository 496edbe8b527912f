/** Weights by stack: numbers of unknown meaning. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { STACK, THREAD } from './shared-fields.js';

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
