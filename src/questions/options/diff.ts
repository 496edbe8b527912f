/** Options of comparisons. */
import { z } from 'zod';
import { flag, optionalChoice, optionalText } from './option.js';

/** The rows that `diff` compares. */
export const DIFF_BY = [
  'function',
  'class',
  'root',
  'context',
  'branch',
  'receiver',
  'instanceof',
  'inlining',
  'thread',
  'site',
  'site-class',
  'monitor',
] as const;
export type DiffBy = (typeof DIFF_BY)[number];

/** The rows of a comparison of reports of calls. */
export const CALL_DIFF_BY = ['cause', 'function', 'class', 'package', 'entry', 'site', 'target'] as const;
export type CallDiffBy = (typeof CALL_DIFF_BY)[number];

/** The expected variation of sampled numbers between runs. */
export const USUAL_LEVEL = 0.05;

const BY = {
  value: 'rows',
  usual:
    'class if all recordings count objects by class, thread for thread dumps, cause for reports of calls, else function',
};
const BY_MEANING =
  'rows to compare; site and site-class are of allocations, monitor of contention; branch, receiver, instanceof and inlining need PGO profiles, cause, package, entry, site and target reports of calls';

export const MATCH = optionalText('Match', 'only rows with a matching name', { value: 'regex' });

export const DIFF_OPTIONS = z.object({
  by: optionalChoice(DIFF_BY, 'Rows', BY_MEANING, BY),
  metric: optionalText('Metric', 'metric to compare', {
    value: 'id',
    usual: 'calls for PGO profiles, else the usual metric that all have',
  }),
  match: MATCH,
  normalise: flag('Normalise', 'scale the base, and each run, to the same total'),
  noise: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .meta({
      title: 'Noise',
      description: 'expected variation between runs, as a percentage of each number',
      value: 'percent',
      unit: 'ratio',
      usual: `${USUAL_LEVEL * 100}, or 0 for objects by class`,
    }),
  same: flag('Unchanged rows', 'include rows without a change'),
  all: flag('All rows', 'include rows without a change and rows within noise'),
});

export const CALLS_DIFF_OPTIONS = z.object({
  by: optionalChoice(CALL_DIFF_BY, 'Rows', BY_MEANING, BY),
  match: MATCH,
});

/** The rows of comparisons of recordings of any kind. */
export const ANY_DIFF_BY = [...DIFF_BY, 'cause', 'package', 'entry', 'target'] as const;

/** Options of `diff` of recordings of any kind. */
export const ANY_DIFF_OPTIONS = DIFF_OPTIONS.extend({ by: optionalChoice(ANY_DIFF_BY, 'Rows', BY_MEANING, BY) });
