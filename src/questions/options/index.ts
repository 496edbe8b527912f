/** The options of each view, by its name: what a question may say beside its recordings, scope and page. */
import type { z } from 'zod';
import {
  CALL_CALLERS_OPTIONS,
  CALL_TREE_OPTIONS,
  CALLS_CHECK_OPTIONS,
  CUT_OPTIONS,
  GRAPH_OPTIONS,
  GROUPS_OPTIONS,
  REASONS_OPTIONS,
  SMALLEST_CUT_OPTIONS,
  UNREACHED_OPTIONS,
  WHY_OPTIONS,
} from './calls.js';
import { CALLS_DIFF_OPTIONS, DIFF_OPTIONS } from './diff.js';
import { DOMINATORS_OPTIONS, HISTOGRAM_OPTIONS, INSPECT_OPTIONS, OBJECTS_OPTIONS, PATHS_OPTIONS } from './heap.js';
import {
  BRANCHES_OPTIONS,
  COVERAGE_OPTIONS,
  HOT_OPTIONS,
  INLINING_OPTIONS,
  LISTED_METHODS_OPTIONS,
  LISTED_TYPES_OPTIONS,
  RECEIVERS_OPTIONS,
  STALE_OPTIONS,
} from './pgo.js';
import {
  CALLERS_OPTIONS,
  DISASM_OPTIONS,
  EVENT_GROUPS_OPTIONS,
  EVENT_TYPES_OPTIONS,
  EVENTS_OPTIONS,
  FLAME_OPTIONS,
  FUNCTIONS_OPTIONS,
  GC_GROUPS_OPTIONS,
  INDEX_OPTIONS,
  IO_FILES_OPTIONS,
  MONITORS_OPTIONS,
  SITES_OPTIONS,
  SOURCE_OPTIONS,
  THREAD_GROUPS_OPTIONS,
  THREADS_OPTIONS,
  TIMELINE_OPTIONS,
  TREE_OPTIONS,
  USAGE_OPTIONS,
} from './recording.js';
import { NO_OPTIONS } from './shared.js';

export const VIEW_OPTIONS = {
  summary: NO_OPTIONS,
  check: NO_OPTIONS,
  functions: FUNCTIONS_OPTIONS,
  callers: CALLERS_OPTIONS,
  tree: TREE_OPTIONS,
  flame: FLAME_OPTIONS,
  threads: THREADS_OPTIONS,
  'thread-groups': THREAD_GROUPS_OPTIONS,
  monitors: MONITORS_OPTIONS,
  sites: SITES_OPTIONS,
  'io-files': IO_FILES_OPTIONS,
  'io-sizes': NO_OPTIONS,
  memory: NO_OPTIONS,
  processes: NO_OPTIONS,
  usage: USAGE_OPTIONS,
  'index-objects': INDEX_OPTIONS,
  gc: NO_OPTIONS,
  'gc-groups': GC_GROUPS_OPTIONS,
  timeline: TIMELINE_OPTIONS,
  'event-types': EVENT_TYPES_OPTIONS,
  events: EVENTS_OPTIONS,
  'event-groups': EVENT_GROUPS_OPTIONS,
  source: SOURCE_OPTIONS,
  disasm: DISASM_OPTIONS,
  diff: DIFF_OPTIONS,
  'heap-histogram': HISTOGRAM_OPTIONS,
  'heap-dominators': DOMINATORS_OPTIONS,
  'heap-paths': PATHS_OPTIONS,
  'heap-objects': OBJECTS_OPTIONS,
  'heap-inspect': INSPECT_OPTIONS,
  'calls-callers': CALL_CALLERS_OPTIONS,
  'calls-tree': CALL_TREE_OPTIONS,
  'calls-why': WHY_OPTIONS,
  'calls-reasons': REASONS_OPTIONS,
  'calls-graph': GRAPH_OPTIONS,
  'calls-groups': GROUPS_OPTIONS,
  'calls-entries': NO_OPTIONS,
  'calls-cut': CUT_OPTIONS,
  'calls-smallest-cut': SMALLEST_CUT_OPTIONS,
  'calls-check': CALLS_CHECK_OPTIONS,
  'calls-unreached': UNREACHED_OPTIONS,
  'calls-diff': CALLS_DIFF_OPTIONS,
  'pgo-hot': HOT_OPTIONS,
  'pgo-methods': LISTED_METHODS_OPTIONS,
  'pgo-types': LISTED_TYPES_OPTIONS,
  'pgo-branches': BRANCHES_OPTIONS,
  'pgo-receivers': RECEIVERS_OPTIONS,
  'pgo-inlining': INLINING_OPTIONS,
  'pgo-coverage': COVERAGE_OPTIONS,
  'pgo-stale': STALE_OPTIONS,
} as const;

export type OptionedView = keyof typeof VIEW_OPTIONS;

/** A view with options of its own. */
export type ViewQuestion<Name extends OptionedView = OptionedView> = {
  [View in Name]: { readonly view: View; readonly options?: z.input<(typeof VIEW_OPTIONS)[View]> };
}[Name];
