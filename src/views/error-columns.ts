/** The error of sampled numbers in a listing: 95 % intervals as fields of its rows, and as columns if `--error` asks for them. */
import { intervalOf, type Sampling } from '../analysis/interval.js';
import { type Note, note } from '../base/note.js';
import { maybe, type ResultColumn } from './listing.js';

/** Fields of the ends of the interval of `quantity`: null of numbers that were not sampled. */
export function lowEnd(quantity: string) {
  return maybe(`${quantity} low`, 'count', 'lower end of the 95 % interval; null for numbers that were not sampled');
}

export function highEnd(quantity: string) {
  return maybe(`${quantity} high`, 'count', 'upper end of the 95 % interval; null for numbers that were not sampled');
}

/** The keys of the ends of the intervals of `values`. */
export function endKeys(...values: readonly string[]): string[] {
  return values.flatMap((value) => [`${value}_low`, `${value}_high`]);
}

/** The columns, with the ends of intervals only if they were asked for and are known. */
export function withEnds(columns: readonly ResultColumn[], showsEnds: boolean, sampling: Sampling | undefined) {
  return showsEnds && sampling !== undefined ? [...columns] : columns.filter(({ key }) => !/_(?:low|high)$/.test(key));
}

/** The ends of the interval of a value. */
export function endsOf(value: number | null, sampling: Sampling | undefined) {
  const interval = value === null || sampling === undefined ? undefined : intervalOf(value, sampling);
  return { low: interval?.low ?? null, high: interval?.high ?? null };
}

/** Notes on the columns. */
export function errorNotes(showsEnds: boolean, sampling: Sampling | undefined): Note[] {
  if (!showsEnds) return [];
  return [
    sampling === undefined
      ? note('no-intervals', 'No intervals: the numbers are not sampled, or their number of samples is unknown.')
      : note(
          'intervals',
          'Low and high are the ends of 95 % intervals for independent samples (limits: docs/noise.md).',
        ),
  ];
}
