/** What questions about a reported call graph share. */
import { UsageError } from '../../base/errors.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { sitesByCaller, targetsByCallee } from '../../models/callgraph/sites-by-caller.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { keptColumns } from '../../models/stage-store.js';
import { type CallDominators, callDominators } from './call-dominators.js';
import { type CallIndex, type Reach, reachFrom } from './reach.js';
import { type ReachedCallees, type ReachedGraph, reachedCallees, reachedGraph } from './shortest-paths.js';

function graphOf([subject]: readonly Subject[]): { readonly graph: CallGraph; readonly functions: number } {
  const { callGraph, program, name } = subject?.snapshot.recording ?? {};
  if (callGraph === undefined || program === undefined)
    throw new UsageError(`${name}: no call graph`, { code: 'no-call-graph' });
  return { graph: callGraph, functions: program.functions.length };
}

type CallRows = Pick<CallIndex, 'sites' | 'callers'>;

const rowsStage: Stage<CallRows, void> = {
  name: 'callers and callees',
  version: 2,
  key: () => '',
  run: (of) => {
    const { graph, functions } = graphOf(of);
    return { sites: sitesByCaller(graph, functions), callers: targetsByCallee(graph, functions) };
  },
  bytes: ({ sites, callers }) =>
    [sites, callers].reduce((sum, { first, rows }) => sum + first.byteLength + rows.byteLength, 0),
  columns: keptColumns<CallRows>(['sites', 'callers']),
};

const rowsUse = (subject: Subject): StageUse<CallRows> => use(rowsStage, [subject], undefined);

const indexStage: Stage<CallIndex, void> = {
  name: 'call graph with its index',
  version: 1,
  key: () => '',
  needs: ([subject]) => [rowsUse(subject)],
  run: async (of, _, get) => ({ ...graphOf(of), ...(await get(rowsUse(of[0]))) }),
  bytes: () => 0,
  passing: true,
};

export function callIndexUse(subject: Subject): StageUse<CallIndex> {
  return use(indexStage, [subject], undefined);
}

const reachStage: Stage<Reach, void> = {
  name: 'shortest paths from entries',
  version: 1,
  key: () => '',
  needs: ([subject]) => [callIndexUse(subject)],
  run: async ([subject], _, get) => {
    const index = await get(callIndexUse(subject));
    return reachFrom(index, index.graph.entries.function);
  },
  bytes: ({ by, distance, order }) => by.byteLength + distance.byteLength + order.buffer.byteLength,
  columns: keptColumns<Reach>(['by', 'distance', 'count', 'order']),
};

/** The shortest path from an entry to each method. */
export function reachUse(subject: Subject): StageUse<Reach> {
  return use(reachStage, [subject], undefined);
}

const calleesStage: Stage<ReachedCallees, void> = {
  name: 'calls of reached methods',
  version: 2,
  key: () => '',
  needs: ([subject]) => [callIndexUse(subject), reachUse(subject)],
  run: async ([subject], _, get) => reachedCallees(await get(callIndexUse(subject)), await get(reachUse(subject))),
  bytes: ({ first, callees }) => first.byteLength + callees.byteLength,
  columns: keptColumns<ReachedCallees>(['first', 'callees']),
};

const calleesUse = (subject: Subject): StageUse<ReachedCallees> => use(calleesStage, [subject], undefined);

const reachedGraphStage: Stage<ReachedGraph, void> = {
  name: 'reached methods',
  version: 1,
  key: () => '',
  needs: ([subject]) => [callIndexUse(subject), reachUse(subject), calleesUse(subject)],
  run: async ([subject], _, get) => {
    const [index, reach] = [await get(callIndexUse(subject)), await get(reachUse(subject))];
    return reachedGraph(index, reach, await get(calleesUse(subject)));
  },
  bytes: ({ numbers, distance, parent }) => numbers.byteLength + distance.byteLength + parent.byteLength,
};

/** What entries reach, for searches that avoid methods. */
export function reachedGraphUse(subject: Subject): StageUse<ReachedGraph> {
  return use(reachedGraphStage, [subject], undefined);
}

const dominatorsStage: Stage<CallDominators, void> = {
  name: 'dominators of methods',
  version: 1,
  key: () => '',
  needs: ([subject]) => [callIndexUse(subject)],
  run: async ([subject], _, get, work) => callDominators(await get(callIndexUse(subject)), work),
  bytes: ({ above, methods }) => above.byteLength + methods.byteLength,
};

export function callDominatorsUse(subject: Subject): StageUse<CallDominators> {
  return use(dominatorsStage, [subject], undefined);
}
