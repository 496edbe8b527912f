/** Samples: times a stack was sampled. The metric has the interval. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { DUMP, SITE, STACK, THREAD, TIME, TRACE } from './shared-fields.js';

export const SAMPLE_EVENTS = defineEvents('sample', 'Samples', [
  STACK,
  optional(SITE),
  optional(TRACE),
  optional(THREAD),
  optional(TIME),
  optional(DUMP),
  {
    key: 'count',
    title: 'Samples',
    holds: 'number',
    unit: 'samples',
    meaning: 'times the stack was sampled',
    wide: true,
    nature: 'flow',
  },
]);
export type SampleEvents = RowsOf<typeof SAMPLE_EVENTS>;
