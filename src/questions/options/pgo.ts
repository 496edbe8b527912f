/** Options of questions about PGO profiles. */
import { z } from 'zod';
import { choice, flag, optionalText, text } from './option.js';
import { CLASS, DEPTH, GROUPINGS, IDS } from './shared.js';

/** What became of a profiled method in other classes. */
export const METHOD_STATES = ['fits', 'unchanged', 'moved', 'changed', 'gone', 'new', 'outside'] as const;
export type MethodState = (typeof METHOD_STATES)[number];

/** Share of one class from which on a site is effectively monomorphic. */
export const EFFECTIVELY_MONOMORPHIC = 0.99;

const CONTEXTS = flag('Contexts', 'one row per context instead of one row per site');

export const HOT_OPTIONS = z.object({ ids: IDS });

export const BRANCHES_OPTIONS = z.object({ contexts: CONTEXTS, ids: IDS });

export const RECEIVERS_OPTIONS = z.object({
  contexts: CONTEXTS,
  kind: z.enum(['virtual', 'instanceof']).default('virtual'),
  monomorphic: z.number().min(0.5).max(1).default(EFFECTIVELY_MONOMORPHIC).meta({
    title: 'Monomorphic from',
    description: 'share of one class that makes a site effectively monomorphic',
    value: 'percent',
    unit: 'ratio',
  }),
  ids: IDS,
});

export const INLINING_OPTIONS = z.object({
  method: text('Method', 'name, Class.method, or a regular expression', 'method'),
  into: flag('Into', 'show the methods it was inlined into'),
  depth: DEPTH,
  ids: IDS,
});

export const COVERAGE_OPTIONS = z.object({
  by: choice(GROUPINGS, 'package', 'Group by', 'rows of the table'),
  ids: IDS,
});

/** Whether a listed method ran. */
export const RUN_STATES = ['ran', 'never', 'uncounted'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const LISTED_METHODS_OPTIONS = z.object({
  method: optionalText('Method', 'only methods with a matching name', { value: 'regex' }),
  state: z
    .array(z.enum(RUN_STATES))
    .optional()
    .meta({ title: 'States', description: 'only methods in these states', value: 'list' }),
});

export const LISTED_TYPES_OPTIONS = z.object({ class: CLASS });

export const STALE_OPTIONS = z.object({
  state: z
    .array(z.enum(METHOD_STATES))
    .optional()
    .meta({ title: 'States', description: 'only methods in these states', value: 'list' }),
  ids: IDS,
});
