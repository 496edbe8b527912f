/** All views by name. A new one is added here and nowhere else. */
import type { z } from 'zod';
import { disasmView } from './code/disasm.js';
import { sourceView } from './code/source.js';
import { diffView } from './diff/diff.js';
import { flameView } from './flame/flame.js';
import { histogramView } from './heap/histogram.js';
import { monitorsView } from './locks/monitors.js';
import { branchesView } from './pgo/branches.js';
import { coverageView } from './pgo/coverage.js';
import { hotView } from './pgo/hot.js';
import { inliningView } from './pgo/inlining.js';
import { receiversView } from './pgo/receivers.js';
import { staleView } from './pgo/stale.js';
import { callersView } from './recording/callers.js';
import { checkView } from './recording/check.js';
import { functionsView } from './recording/functions.js';
import { sitesView } from './recording/sites.js';
import { summaryView } from './recording/summary.js';
import { threadGroupsView } from './recording/thread-groups.js';
import { threadsView } from './recording/threads.js';
import { treeView } from './recording/tree.js';

export const VIEWS = {
  summary: summaryView,
  check: checkView,
  functions: functionsView,
  callers: callersView,
  tree: treeView,
  threads: threadsView,
  'thread-groups': threadGroupsView,
  flame: flameView,
  monitors: monitorsView,
  sites: sitesView,
  diff: diffView,
  source: sourceView,
  disasm: disasmView,
  'heap-histogram': histogramView,
  'pgo-coverage': coverageView,
  'pgo-hot': hotView,
  'pgo-branches': branchesView,
  'pgo-receivers': receiversView,
  'pgo-inlining': inliningView,
  'pgo-stale': staleView,
} as const;

export type ViewName = keyof typeof VIEWS;
export type OptionsOf<Name extends ViewName> = z.input<(typeof VIEWS)[Name]['options']>;
export type ResultOf<Name extends ViewName> = z.output<(typeof VIEWS)[Name]['result']>;
