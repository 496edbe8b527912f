/** The events and metrics of collapsed stacks. The file does not contain the unit: samples, bytes or nanoseconds. */
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { optional } from '../../models/table-kind.js';

/** Samples; differential files have two numbers per stack. */
export const COLLAPSED_SAMPLES = SAMPLE_EVENTS.extended([
  optional({
    key: 'base',
    title: 'Samples before',
    holds: 'number',
    unit: 'none',
    meaning: 'first of two numbers: the value before',
    wide: true,
    nature: 'flow',
  }),
]);

export const SAMPLES_METRIC = COLLAPSED_SAMPLES.metric('count', { id: 'samples', title: 'Samples', unit: 'count' });

/** The first number of differential files; the second is `samples`. */
export const BASE_METRIC = COLLAPSED_SAMPLES.metric('base', { id: 'base', title: 'Samples before', unit: 'count' });
