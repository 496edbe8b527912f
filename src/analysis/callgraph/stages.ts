/** What questions about a reported call graph share. */
import { UsageError } from '../../base/errors.js';
import { phrase, theView } from '../../base/phrase.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { sitesByCaller, targetsByCallee } from '../../models/callgraph/sites-by-caller.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { Recording } from '../../models/recording.js';
import { keptColumns } from '../../models/stage-store.js';
import { type CallDominators, callDominators } from './call-dominators.js';
import { observedGraph, unitGraph } from './observed-graph.js';
import { type CallIndex, type Reach, reachFrom } from './reach.js';
import { type ReachedCallees, type ReachedGraph, reachedCallees, reachedGraph } from './shortest-paths.js';
import { type UnitNodes, unitNodes } from './unit-nodes.js';

function graphOf([subject]: readonly Subject[]): { readonly graph: CallGraph; readonly functions: number } {
  const { callGraph, program } = subject?.snapshot.recording ?? {};
  if (callGraph === undefined || program === undefined) throw noCallGraph(subject?.snapshot.recording);
  return { graph: callGraph, functions: program.functions.length };
}

/** What can be asked of observed calls in place of a report. */
const OBSERVED_ONLY = phrase`A profile has only the calls that were inlined or sampled, so it cannot say what is reachable, or what a cut removes. ${theView('calls-graph')}, ${theView('callers')} and ${theView('tree')} show its calls, ${theView('pgo-methods')} its methods.`;

/** The error for a recording without a reported call graph. */
export function noCallGraph(recording: Recording | undefined): UsageError {
  const isObserved = recording !== undefined && hasObservedCalls(recording);
  return new UsageError(`${recording?.name} has no call graph: it is ${recording?.format}`, {
    code: 'no-call-graph',
    advice: isObserved
      ? OBSERVED_ONLY
      : phrase`Call trees of GraalVM have one: native-image -H:+PrintAnalysisCallTree writes them. ${theView('callers')} works on profiles.`,
    action: { ask: theView('callers', { choose: { function: 'FUNCTION' } }) },
  });
}

/** Whether a profile shows which methods called which, beside how often. */
export function hasObservedCalls({ callGraph, profile }: Pick<Recording, 'callGraph' | 'profile'>): boolean {
  return callGraph === undefined && CALL_EVENTS.of(profile) !== undefined;
}

/** Observed calls; with the nodes that its functions are, if there are units. */
export interface ObservedIndex extends CallIndex {
  readonly units?: UnitNodes;
}

const observedStage: Stage<ObservedIndex, boolean> = {
  name: 'observed call graph',
  version: 1,
  key: (byUnit) => (byUnit ? 'units' : ''),
  run: ([subject], byUnit) => {
    const { profile, program } = subject.snapshot.recording;
    if (profile === undefined)
      throw new UsageError(`${subject.snapshot.recording.name}: no calls`, { code: 'no-call-graph' });
    const units = byUnit ? unitNodes(profile, program) : undefined;
    const graph = units === undefined ? observedGraph(profile, program) : unitGraph(profile, program, units);
    const functions = units?.length ?? program.functions.length;
    const rows = { sites: sitesByCaller(graph, functions), callers: targetsByCallee(graph, functions) };
    return { graph, functions, ...rows, ...(units && { units }) };
  },
  bytes: ({ graph: { sites, targets, receivers }, functions }) =>
    30 * sites.length + 21 * targets.length + 16 * receivers.length + 8 * functions,
};

/** The calls that a profile shows, as a call graph with its index. */
export function observedIndexUse(subject: Subject, byUnit = false): StageUse<ObservedIndex> {
  return use(observedStage, [subject], byUnit);
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
