/** The events and metrics of collapsed stacks. What is counted is not in the file: samples, bytes or nanoseconds. */
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { optional } from '../../models/table-kind.js';

/** Samples, of which differential files have two numbers a stack. */
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

/** Of differential files the first number; the second is `samples`. */
export const BASE_METRIC = COLLAPSED_SAMPLES.metric('base', { id: 'base', title: 'Samples before', unit: 'count' });
