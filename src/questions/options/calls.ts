/** Options of questions about reported calls. */
import { z } from 'zod';
import { choice, count, flag, optionalChoice, optionalText, repeatedTexts, text } from './option.js';
import { DEPTH, GROUPINGS, IDS, METHOD } from './shared.js';

/** The rows of methods of a report. */
export const METHOD_GROUPS = ['package', 'class', 'module', 'loader'] as const;
/** The rows of entries of a report. */
export const ENTRY_GROUPS = [...METHOD_GROUPS, 'reason'] as const;
export type EntryGrouping = (typeof ENTRY_GROUPS)[number];

/** Kinds of methods that are missing on one side. */
export const MISSING_KINDS = ['unreached', 'missed', 'unobserved'] as const;

export const CALL_CALLERS_OPTIONS = z.object({ method: METHOD, ids: IDS });

export const CALL_TREE_OPTIONS = z.object({
  method: optionalText('From', 'the tree below these methods', { value: 'methods', usual: 'below the entries' }),
  depth: DEPTH,
  ids: IDS,
});

export const WHY_OPTIONS = z.object({
  method: METHOD,
  via: optionalText('Via', 'only paths through these methods', { value: 'methods' }),
  notVia: optionalText('Not via', 'only paths without these methods', { value: 'methods' }),
  paths: count(1, 'Paths', 'number of paths, each through another caller; 0 for all', 'n'),
});

export const REASONS_OPTIONS = z.object({
  element: optionalText('Element', 'a type, method or field', {
    value: 'element',
    usual: 'what the trace was made for',
  }),
  chains: count(1, 'Chains', 'number of chains for each element; 0 for all', 'n'),
});

export const GRAPH_OPTIONS = z.object({
  method: METHOD,
  depth: count(1, 'Depth', 'callers and callees up to this distance', 'calls'),
  most: count(40, 'Most', 'number of methods, the nearest first', 'methods', { least: 1, most: 1000 }),
  inlining: flag(
    'Inlining',
    'of PGO profiles: a method once in each compilation that it was inlined into; a box each in .dot',
  ),
});

export const GROUPS_OPTIONS = z.object({
  show: z.enum(['methods', 'entries']).default('methods'),
  by: z.enum(ENTRY_GROUPS),
});

export const ENTRIES_BY = optionalChoice(ENTRY_GROUPS, 'Group by', 'sums of entries', { usual: 'each entry' });
export const METHODS_BY = choice(METHOD_GROUPS, 'package', 'Group by', 'rows of the table');

export const CUT_OPTIONS = z.object({
  cut: optionalText('Cut', 'methods, or calls as "caller -> callee"', {
    value: 'methods',
    usual: 'what each single method holds',
  }),
  class: optionalText('Class', 'the methods of the classes with a matching name', { value: 'regex' }),
  package: optionalText('Package', 'the methods of this package and of those below it', { value: 'name' }),
  by: choice(['method', 'class', 'package'], 'method', 'Group by', 'rows of the table'),
});

const CUT_BYTES = 'free at least so much code by the fewest calls: 20MB, 512KiB';

export const SMALLEST_CUT_OPTIONS = z.object({
  bytes: text('Bytes', CUT_BYTES, 'amount'),
  keep: optionalText('Keep', 'methods that must stay reachable, beside entries and those that a profile saw', {
    value: 'methods',
  }),
});

/** What a person can choose of both questions about cuts. */
export const ANY_CUT_OPTIONS = CUT_OPTIONS.extend({
  bytes: optionalText('Bytes', CUT_BYTES, { value: 'amount' }),
  keep: optionalText(
    'Keep',
    'with an amount: methods that must stay reachable, beside entries and those that a profile saw',
    {
      value: 'methods',
    },
  ),
});

/** What paths of a broken policy lead to: one path for each. */
export const POLICY_PATHS = ['method', 'class', 'pattern'] as const;

export const CALLS_CHECK_OPTIONS = z.object({
  forbid: repeatedTexts(
    'Forbid',
    'methods that must not be reachable: classes, methods, method filters, globs',
    'methods',
  ),
  allow: repeatedTexts('Allow', 'exceptions from what is forbidden', 'methods'),
  by: choice(POLICY_PATHS, 'class', 'Paths to', 'one shortest path to each'),
});

export const UNREACHED_BY = choice(GROUPINGS, 'package', 'Group by', 'rows of the table');

export const UNREACHED_OPTIONS = z.object({ show: z.enum(MISSING_KINDS).default('unreached'), by: UNREACHED_BY });
