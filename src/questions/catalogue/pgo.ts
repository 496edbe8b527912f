/** Questions about GraalVM PGO profiles. */
import { z } from 'zod';
import { defined } from '../../base/defined.js';
import { flag } from '../options/option.js';
import {
  BRANCHES_OPTIONS,
  COVERAGE_OPTIONS,
  HOT_OPTIONS,
  INLINING_OPTIONS,
  LISTED_METHODS_OPTIONS,
  LISTED_TYPES_OPTIONS,
  RECEIVERS_OPTIONS,
  STALE_OPTIONS,
} from '../options/pgo.js';
import { CLASSES, COUNT_STEPS, defineQuestion, OLD_CLASSES, SOURCES } from './entry.js';

const EXAMPLE = 'examples/krisfoster-binary-tree.iprof';
const LOOPS = 'examples/loops/loops.iprof --classes examples/loops';
const STALE = 'examples/stale/shop.iprof';
const [OLD, NEW] = ['examples/stale/shop-1.jar', 'examples/stale/shop-2.jar'];
const PROFILES = { description: 'PGO profiles', several: true };

export const hot = defineQuestion({
  id: 'pgo hot',
  steps: COUNT_STEPS,
  title: 'methods by number of calls, over all contexts',
  recordings: PROFILES,
  options: HOT_OPTIONS,
  view: (options) => ({ view: 'pgo-hot', options }),
  examples: [`pgo hot ${EXAMPLE}`, `pgo hot ${EXAMPLE} --origin own --sort contexts`],
});

export const methods = defineQuestion({
  id: 'pgo methods',
  title: 'methods that a profile lists, also those that never ran, with their numbers in the file',
  recordings: PROFILES,
  options: LISTED_METHODS_OPTIONS,
  hasScope: false,
  view: ({ method, state }) => ({ view: 'pgo-methods', options: defined({ method, state }) }),
  examples: [
    `pgo methods ${EXAMPLE} --method shootouts`,
    `pgo methods ${EXAMPLE} --state uncounted --limit 0 --format csv`,
  ],
});

export const types = defineQuestion({
  id: 'pgo types',
  title: 'types that a profile lists, also those without counts, with their numbers in the file',
  recordings: PROFILES,
  options: LISTED_TYPES_OPTIONS,
  hasScope: false,
  view: (options) => ({ view: 'pgo-types', options: defined({ class: options.class }) }),
  examples: [`pgo types ${EXAMPLE} --sort receivers`, `pgo types ${EXAMPLE} --class TreeNode`],
});

export const branches = defineQuestion({
  id: 'pgo branches',
  steps: COUNT_STEPS,
  title: 'outcomes of each branch',
  recordings: PROFILES,
  options: BRANCHES_OPTIONS,
  code: [CLASSES],
  view: (options) => ({ view: 'pgo-branches', options }),
  examples: [
    `pgo branches ${EXAMPLE}`,
    `pgo branches ${LOOPS}`,
    `pgo branches ${EXAMPLE} --focus shootouts --contexts --sort bias`,
  ],
});

export const receivers = defineQuestion({
  id: 'pgo receivers',
  steps: COUNT_STEPS,
  title: 'receiver types at virtual calls and type checks',
  recordings: PROFILES,
  options: z.object({
    contexts: RECEIVERS_OPTIONS.shape.contexts,
    instanceof: flag('Type checks', 'type checks instead of virtual calls'),
    monomorphic: RECEIVERS_OPTIONS.shape.monomorphic,
    ids: RECEIVERS_OPTIONS.shape.ids,
  }),
  code: [CLASSES],
  view: ({ instanceof: ofChecks, ...options }) => ({
    view: 'pgo-receivers',
    options: { ...options, kind: ofChecks ? 'instanceof' : 'virtual' },
  }),
  examples: [`pgo receivers ${EXAMPLE}`, `pgo receivers ${LOOPS}`, `pgo receivers ${EXAMPLE} --sort types --limit 5`],
});

export const inlining = defineQuestion({
  id: 'pgo inlining',
  steps: COUNT_STEPS,
  title: 'calls inlined into a method, or the methods it was inlined into',
  recordings: { description: 'PGO profile', several: false },
  subject: 'method',
  options: INLINING_OPTIONS,
  page: 'limit',
  view: (options) => ({ view: 'pgo-inlining', options }),
  examples: [
    `pgo inlining ${EXAMPLE} java.util.HashMap.putVal --limit 10`,
    `pgo inlining ${EXAMPLE} java.lang.String.hashCode --into --depth 3`,
  ],
});

export const stale = defineQuestion({
  id: 'pgo stale',
  steps: COUNT_STEPS,
  title: 'how much of a profile still fits newer classes, by method',
  recordings: PROFILES,
  options: STALE_OPTIONS,
  code: [OLD_CLASSES, CLASSES],
  view: ({ state, ids }) => ({ view: 'pgo-stale', options: { ids, ...defined({ state }) } }),
  examples: [
    `pgo stale ${STALE} --classes ${NEW}`,
    `pgo stale ${STALE} --old-classes ${OLD} --classes ${NEW}`,
    `pgo stale ${STALE} --old-classes ${OLD} --classes ${NEW} --repair /tmp/shop-2.iprof`,
  ],
});

export const coverage = defineQuestion({
  id: 'pgo coverage',
  steps: COUNT_STEPS,
  title: 'which methods and branches ran, by package',
  recordings: PROFILES,
  options: COVERAGE_OPTIONS,
  code: [CLASSES, SOURCES],
  view: (options) => ({ view: 'pgo-coverage', options }),
  examples: [`pgo coverage ${EXAMPLE}`, `pgo coverage ${EXAMPLE} --by class --origin own --sort -ran_share`],
});
