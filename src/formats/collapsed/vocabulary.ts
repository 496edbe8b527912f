/** The metrics of collapsed stacks. What is counted is not in the file: samples, bytes or nanoseconds. */
import type { Metric } from '../../models/profile/profile.js';

export const SAMPLES_METRIC: Metric = {
  id: 'samples',
  title: 'Samples',
  unit: 'count',
  nature: 'flow',
  table: 'sample',
  field: 'samples',
};

/** Of differential files the first number; the second is `samples`. */
export const BASE_METRIC: Metric = {
  id: 'base',
  title: 'Samples before',
  unit: 'count',
  nature: 'flow',
  table: 'sample',
  field: 'base',
};
