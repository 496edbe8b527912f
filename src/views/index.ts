/** All views by name: the only place where a view is registered. */
import type { z } from 'zod';

export const VIEWS = {
  summary: async () => (await import('./recording/summary.js')).summaryView,
  check: async () => (await import('./recording/check.js')).checkView,
  functions: async () => (await import('./recording/functions.js')).functionsView,
  callers: async () => (await import('./recording/callers.js')).callersView,
  tree: async () => (await import('./recording/tree.js')).treeView,
  threads: async () => (await import('./threads/threads.js')).threadsView,
  'thread-groups': async () => (await import('./threads/thread-groups.js')).threadGroupsView,
  flame: async () => (await import('./flame/flame.js')).flameView,
  'event-types': async () => (await import('./events/types.js')).eventTypesView,
  events: async () => (await import('./events/rows.js')).eventsView,
  'event-groups': async () => (await import('./events/groups.js')).eventGroupsView,
  monitors: async () => (await import('./locks/monitors.js')).monitorsView,
  sites: async () => (await import('./recording/sites.js')).sitesView,
  gc: async () => (await import('./gc/gc.js')).gcView,
  'gc-groups': async () => (await import('./gc/gc-groups.js')).gcGroupsView,
  'io-files': async () => (await import('./io/files.js')).ioFilesView,
  'io-sizes': async () => (await import('./io/sizes.js')).ioSizesView,
  memory: async () => (await import('./memory/sizes.js')).memoryView,
  processes: async () => (await import('./experiment/processes.js')).processesView,
  usage: async () => (await import('./experiment/usage.js')).usageView,
  'index-objects': async () => (await import('./experiment/index-objects.js')).indexObjectsView,
  timeline: async () => (await import('./timeline/timeline.js')).timelineView,
  diff: async () => (await import('./diff/diff.js')).diffView,
  source: async () => (await import('./code/source.js')).sourceView,
  disasm: async () => (await import('./code/disasm.js')).disasmView,
  'heap-dominators': async () => (await import('./heap/dominators.js')).dominatorsView,
  'heap-inspect': async () => (await import('./heap/inspect.js')).inspectView,
  'heap-objects': async () => (await import('./heap/objects.js')).objectsView,
  'heap-suspects': async () => (await import('./heap/holders/suspects.js')).suspectsView,
  'heap-paths': async () => (await import('./heap/paths.js')).pathsView,
  'heap-histogram': async () => (await import('./heap/histogram.js')).histogramView,
  'calls-why': async () => (await import('./calls/why.js')).whyView,
  'calls-reasons': async () => (await import('./calls/reasons.js')).reasonsView,
  'calls-callers': async () => (await import('./calls/callers.js')).callCallersView,
  'calls-tree': async () => (await import('./calls/tree.js')).callTreeView,
  'calls-graph': async () => (await import('./calls/graph.js')).graphView,
  'calls-entries': async () => (await import('./calls/entries.js')).entriesView,
  'calls-groups': async () => (await import('./calls/groups.js')).callGroupsView,
  'calls-cut': async () => (await import('./calls/cut/cut.js')).cutView,
  'calls-smallest-cut': async () => (await import('./calls/cut/smallest-cut.js')).smallestCutView,
  'calls-check': async () => (await import('./calls/check.js')).callsCheckView,
  'calls-diff': async () => (await import('./calls/diff.js')).callDiffView,
  'calls-unreached': async () => (await import('./calls/unreached.js')).unreachedView,
  'pgo-coverage': async () => (await import('./pgo/coverage.js')).coverageView,
  'pgo-hot': async () => (await import('./pgo/hot.js')).hotView,
  'pgo-methods': async () => (await import('./pgo/methods.js')).methodsView,
  'pgo-types': async () => (await import('./pgo/types.js')).typesView,
  'pgo-branches': async () => (await import('./pgo/branches.js')).branchesView,
  'pgo-receivers': async () => (await import('./pgo/receivers.js')).receiversView,
  'pgo-inlining': async () => (await import('./pgo/inlining.js')).inliningView,
  'pgo-stale': async () => (await import('./pgo/stale.js')).staleView,
} as const;

export type ViewName = keyof typeof VIEWS;
export type ViewOf<Name extends ViewName> = Awaited<ReturnType<(typeof VIEWS)[Name]>>;
export type OptionsOf<Name extends ViewName> = z.input<ViewOf<Name>['options']>;
export type ResultOf<Name extends ViewName> = z.output<ViewOf<Name>['result']>;

export function isViewName(name: string): name is ViewName {
  return Object.hasOwn(VIEWS, name);
}

/** Loads all views. */
export function allViews(): Promise<readonly ViewOf<ViewName>[]> {
  return Promise.all(Object.values(VIEWS).map((load) => load()));
}
