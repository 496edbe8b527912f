/** Call trees of a subject and their orders, as stages: they are the dearest values that questions share. */
import { sumOf } from '../../base/columns/columns.js';
import { UsageError } from '../../base/errors.js';
import { phrase, theOption } from '../../base/phrase.js';
import { withPauses } from '../../base/progress.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { Metric } from '../../models/profile/profile.js';
import { unitedUse } from '../identity/united.js';
import { requireProfile, scopedUse } from '../scope/scoped.js';
import { type CallTree, callTreeSteps } from './call-tree.js';
import { mayBeLarger } from './cut-stacks.js';
import { type DurationsBelow, durationsBelow } from './durations.js';
import { type RankedNodes, rankedNodes } from './heaviest-nodes.js';
import { type JoinedTree, joinTreesSteps } from './level-order.js';
import { exclusiveUse, functionsUse } from './stages.js';

/** The remedy where a base without a total was to be scaled. */
export const WITHOUT_SCALE = {
  code: 'no-total',
  advice: phrase`Omit ${theOption('normalise')}.`,
  action: { omit: ['normalise'] },
};

/** Which tree of a subject. */
export interface TreeChoice {
  readonly metric: Metric;
  readonly inverted: boolean;
  /** The metric of another subject to whose total the values are scaled. */
  readonly scaledTo?: Metric | undefined;
}

function choiceKey({ metric, inverted, scaledTo }: TreeChoice): readonly unknown[] {
  return [metric.id, inverted, scaledTo?.id ?? null];
}

/** Subjects: the one with the tree, and the one to whose total it is scaled. */
const treeStage: Stage<CallTree, TreeChoice> = {
  name: 'call tree',
  version: 1,
  key: (choice) => JSON.stringify(choiceKey(choice)),
  needs: ([subject, model], { metric, scaledTo }) => [
    scopedUse(subject),
    exclusiveUse(subject, metric),
    ...(scaledTo === undefined ? [] : [exclusiveUse(model, scaledTo)]),
  ],
  run: async ([subject, model], { metric, inverted, scaledTo }, get, work) => {
    const scoped = await get(scopedUse(subject));
    const profile = requireProfile(scoped);
    const values = await get(exclusiveUse(subject, metric));
    const scale = scaledTo === undefined ? 1 : scaleTo(await get(exclusiveUse(model, scaledTo)), values);
    const scaled = scale === 1 ? values : values.map((value) => value * scale);
    const steps = callTreeSteps(profile, scoped.recording.program, scaled, { inverted, bySite: false });
    return withPauses(steps, work, 'call tree', profile.stacks.length);
  },
  bytes: treeBytes,
};

/** What makes the total of `values` that of `model`. */
export function scaleTo(model: Float64Array, values: Float64Array): number {
  const [modelSum, valueSum] = [sumOf(model), sumOf(values)];
  if (valueSum > 0 && modelSum > 0) return modelSum / valueSum;
  throw new UsageError('the base cannot be scaled: one of the recordings has no total', WITHOUT_SCALE);
}

/** Bytes of the columns of a tree. */
export function treeBytes(tree: CallTree): number {
  const { parent, self, mode, ofStack } = tree;
  return 5 * parent.byteLength + 3 * self.byteLength + (mode?.byteLength ?? 0) + ofStack.byteLength;
}

/** The call tree of a metric, functions merged. `model`: the subject of `scaledTo`. */
export function callTreeUse(subject: Subject, choice: TreeChoice, model?: Subject): StageUse<CallTree> {
  return use(treeStage, model === undefined ? [subject] : [subject, model], choice);
}

/** Which trees of a subject and its base. */
export interface JoinedChoice {
  readonly metric: Metric;
  readonly inverted: boolean;
  readonly baseMetric: Metric;
  /** The base is scaled to the total of the subject. */
  readonly normalise: boolean;
}

const joinedStage: Stage<JoinedTree, JoinedChoice> = {
  name: 'joined call trees',
  version: 1,
  key: ({ metric, inverted, baseMetric, normalise }) => JSON.stringify([metric.id, inverted, baseMetric.id, normalise]),
  needs: (of, choice) => [...sidesOf(of, choice), unitedUse(of)],
  run: async (of, choice, get, work) => {
    const [now, base] = sidesOf(of, choice);
    const { rows } = (await get(unitedUse(of))).functions;
    const [nowTree, baseTree] = [await get(now), await get(base)];
    const steps = joinTreesSteps(nowTree, rows[0], baseTree, rows[1], choice.inverted);
    return withPauses(steps, work, 'joining call trees', Math.max(nowTree.length, baseTree.length));
  },
  bytes: ({ parent, self, mode, places }) =>
    3 * parent.byteLength +
    4 * self.byteLength +
    (mode?.byteLength ?? 0) +
    places.reduce((sum, { byteLength }) => sum + byteLength, 0),
};

/** The trees of both sides. */
export function sidesOf(
  [subject, base]: readonly Subject[],
  { metric, inverted, baseMetric, normalise }: JoinedChoice,
): [StageUse<CallTree>, StageUse<CallTree>] {
  const now = callTreeUse(subject, { metric, inverted });
  if (!normalise) return [now, callTreeUse(base, { metric: baseMetric, inverted })];
  return [now, callTreeUse(base, { metric: baseMetric, inverted, scaledTo: metric }, subject)];
}

/** The joined trees of a subject and its base. Labels are the rows of the joined functions (`unitedUse`). */
export function joinedTreeUse(subject: Subject, base: Subject, choice: JoinedChoice): StageUse<JoinedTree> {
  return use(joinedStage, [subject, base], choice);
}

/** What nodes are chosen by: `largest` is for metrics without totals. With a base, by the change of their totals or own values. */
export type NodeWeight = 'total' | 'largest' | 'total-change' | 'self-change';

interface Ranking {
  readonly tree: StageUse<CallTree | JoinedTree>;
  readonly weight: NodeWeight;
  /** Number of levels; 0 for all. */
  readonly deepest: number;
  /** Number of nodes; the first ones of a listing are found without sorting all. */
  readonly most: number;
}

const rankedStage: Stage<RankedNodes, Ranking> = {
  name: 'heaviest nodes',
  version: 1,
  key: ({ tree, weight, deepest, most }) => JSON.stringify([tree.key, weight, deepest, most === Infinity ? 0 : most]),
  needs: (_, { tree }) => [tree],
  run: async (_, { tree, weight, deepest, most }, get, work) => {
    const nodes = await get(tree);
    const steps = rankedNodes(nodes, weightsOf(nodes, weight), most, deepest);
    return withPauses(steps, work, 'heaviest nodes', nodes.length);
  },
  bytes: ({ nodes }) => nodes.byteLength,
};

function weightsOf(tree: CallTree | JoinedTree, weight: NodeWeight): Float64Array {
  if ('largest' in tree) return weight === 'largest' ? tree.largest : tree.total;
  const { base = tree } = tree;
  return weight === 'total-change'
    ? tree.total.map((value, node) => value - base.total[node])
    : tree.self.map((value, node) => value - base.self[node]);
}

/** Nodes of the first listing of a tree. */
const FIRST_NODES = 1000;

/** The `limit` heaviest nodes of a tree, at least; 0: all. */
export function rankedUse(
  tree: StageUse<CallTree | JoinedTree>,
  weight: NodeWeight,
  deepest: number,
  limit: number,
): StageUse<RankedNodes> {
  const most = limit === 0 || limit > FIRST_NODES ? Infinity : FIRST_NODES;
  return use(rankedStage, tree.of, { tree, weight, deepest, most });
}

interface TreeEvents {
  readonly metric: Metric;
  readonly tree: StageUse<CallTree | JoinedTree>;
  /** The tree whose nodes the stacks are at. */
  readonly now: StageUse<CallTree>;
}

const treeDurationsStage: Stage<DurationsBelow, TreeEvents> = {
  name: 'durations below nodes',
  version: 1,
  key: ({ metric, tree }) => JSON.stringify([metric.id, tree.key]),
  needs: ([subject], { tree, now }) => [scopedUse(subject), tree, now],
  run: async ([subject], { metric, tree, now }, get) => {
    const { parent } = await get(tree);
    const { ofStack } = await get(now);
    return durationsBelow(requireProfile(await get(scopedUse(subject))), metric, parent, ofStack);
  },
  bytes: ({ values, begin, end }) => values.byteLength + begin.byteLength + end.byteLength,
};

/** `durationsBelow` of a tree; `now`: the same one, or the tree of the subject that is joined in it. */
export function treeDurationsUse(
  subject: Subject,
  metric: Metric,
  tree: StageUse<CallTree | JoinedTree>,
  now: StageUse<CallTree>,
): StageUse<DurationsBelow> {
  return use(treeDurationsStage, [subject], { metric, tree, now });
}

const largerStage: Stage<Uint8Array | undefined, Metric> = {
  name: 'functions of cut stacks',
  version: 1,
  key: ({ id }) => id,
  needs: ([subject], metric) => [scopedUse(subject), functionsUse(subject), exclusiveUse(subject, metric)],
  run: async ([subject], metric, get) => {
    const { recording, profile } = await get(scopedUse(subject));
    const functions = await get(functionsUse(subject));
    const values = await get(exclusiveUse(subject, metric));
    return profile && mayBeLarger(profile, recording.program, functions, values);
  },
  bytes: (larger) => larger?.byteLength ?? 0,
};

/** See `mayBeLarger`. */
export function mayBeLargerUse(subject: Subject, metric: Metric): StageUse<Uint8Array | undefined> {
  return use(largerStage, [subject], metric);
}
