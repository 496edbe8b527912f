/** What questions about a reported call graph share. */
import { UsageError } from '../../base/errors.js';
import { type Stage, type Subject, type Use, use } from '../../models/open-recording.js';
import { type CallDominators, callDominators } from './call-dominators.js';
import { type CallIndex, callIndex, type Reach, reachFrom } from './reach.js';
import { type ReachedGraph, reachedGraph } from './shortest-paths.js';

const indexStage: Stage<CallIndex, void> = {
  name: 'callers and callees',
  version: 1,
  key: () => '',
  run: ([subject]) => {
    const { callGraph, program, name } = subject?.snapshot.recording ?? {};
    if (callGraph === undefined || program === undefined) throw new UsageError(`${name}: no call graph`);
    return callIndex(callGraph, program.functions.length);
  },
  bytes: ({ sites, callers }) =>
    [sites, callers].reduce((sum, { first, rows }) => sum + first.byteLength + rows.byteLength, 0),
};

export function callIndexUse(subject: Subject): Use<CallIndex> {
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
};

/** The shortest path from an entry to each method. */
export function reachUse(subject: Subject): Use<Reach> {
  return use(reachStage, [subject], undefined);
}

const reachedGraphStage: Stage<ReachedGraph, void> = {
  name: 'calls of reached methods',
  version: 1,
  key: () => '',
  needs: ([subject]) => [callIndexUse(subject), reachUse(subject)],
  run: async ([subject], _, get) => reachedGraph(await get(callIndexUse(subject)), await get(reachUse(subject))),
  bytes: ({ numbers, first, callees }) => numbers.byteLength + first.byteLength + callees.byteLength,
};

/** What entries reach, for searches that avoid methods. */
export function reachedGraphUse(subject: Subject): Use<ReachedGraph> {
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

export function callDominatorsUse(subject: Subject): Use<CallDominators> {
  return use(dominatorsStage, [subject], undefined);
}
