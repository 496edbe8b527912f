/** Counted branches: one row per outcome. Rows of one site are one branch in one context. */
import type { Field } from '../table.js';
import type { RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { SITE, STACK } from './shared-fields.js';

/** Target and index of an outcome of a branch. */
export const TARGET = {
  key: 'target',
  title: 'Target',
  holds: 'number',
  unit: 'bci',
  meaning: 'target BCI of the outcome; negative if none',
} as const satisfies Field;

export const INDEX = {
  key: 'index',
  title: 'Index',
  holds: 'number',
  unit: 'none',
  meaning: 'number of the outcome, in the order of the branch',
} as const satisfies Field;

export const BRANCH_EVENTS = defineEvents('branch', 'Branches', [
  STACK,
  SITE,
  TARGET,
  INDEX,
  {
    key: 'count',
    title: 'Taken',
    holds: 'number',
    unit: 'count',
    meaning: 'times the branch was taken',
    wide: true,
    nature: 'site',
  },
]);
export type BranchEvents = RowsOf<typeof BRANCH_EVENTS>;
