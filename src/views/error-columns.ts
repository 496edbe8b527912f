/** The error of sampled numbers in a listing: 95 % intervals as fields of its rows, and as columns where they are asked for. */
import { z } from 'zod';
import { intervalOf, type Sampling } from '../analysis/sampling-error.js';
import { maybe } from './listing.js';

/** The option of a view whose columns show intervals; rows have them in any case. */
export const ERROR_OPTION = z.boolean().default(false).describe('columns with the 95 % intervals of sampled numbers');

/** Fields of the ends of the interval of `of`: null of numbers that were not sampled. */
export function lowEnd(of: string) {
  return maybe(`${of} low`, 'count', 'lower end of the 95 % interval; null for numbers that were not sampled');
}

export function highEnd(of: string) {
  return maybe(`${of} high`, 'count', 'upper end of the 95 % interval; null for numbers that were not sampled');
}

/** The ends of the interval of a value. */
export function endsOf(value: number | null, sampling: Sampling | undefined) {
  const found = value === null || sampling === undefined ? undefined : intervalOf(value, sampling);
  return { low: found?.low ?? null, high: found?.high ?? null };
}

/** What must be said of the columns. */
export function errorNotes(asked: boolean, sampling: Sampling | undefined): string[] {
  if (!asked) return [];
  return [
    sampling === undefined
      ? 'No intervals: the numbers are not sampled, or their number of samples is unknown.'
      : 'Low and high are the ends of 95 % intervals for independent samples (limits: docs/noise.md).',
  ];
}
