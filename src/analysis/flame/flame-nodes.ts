/** The nodes of a flame graph as columns, level by level, siblings by name: a stage. */
import { mapped, taken } from '../../base/columns/marks.js';
import { pause, withPauses } from '../../base/progress.js';
import { type Stage, type StageUse, use } from '../../models/open-recording.js';
import { keptNodes, type LabelledTree, levelOrderSteps } from '../stacks/level-order.js';
import { type FlameLabels, type FlameTree, numbered } from './flame-tree.js';

/** Columns of nodes; parents come first, siblings are adjacent. */
export interface NodeColumns {
  readonly length: number;
  readonly parent: Int32Array;
  readonly function: Int32Array;
  readonly mode: Int8Array | undefined;
  readonly begins: Int8Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly base: { readonly self: Float64Array; readonly total: Float64Array } | undefined;
}

export interface FlameNodes {
  readonly nodes: NodeColumns;
  /** Nodes of the tree that are not among them. */
  readonly omittedCount: number;
  /** Where each node of the tree is; -1 for those that are not. */
  readonly place: Int32Array;
  readonly packages: readonly string[];
  readonly functions: {
    readonly name: string[];
    /** Index into `packages`. */
    readonly package: number[];
    readonly kind: number[];
  };
}

/** Which nodes of a tree. */
interface Extent {
  readonly tree: StageUse<FlameTree>;
  /** Number of levels; 0 for all. */
  readonly depth: number;
  /** Least share of the total that a node has; 0 for any. */
  readonly minShare: number;
}

const nodesStage: Stage<FlameNodes, Extent> = {
  name: 'nodes of a flame graph',
  version: 1,
  key: ({ tree, depth, minShare }) => JSON.stringify([tree.key, depth, minShare]),
  needs: (_, { tree }) => [tree],
  run: async (_, { tree: wanted, depth, minShare }, get, work) => {
    const { tree, labels, sum, baseSum } = await get(wanted);
    const least = (whole: number): number => (minShare === 0 ? 0 : minShare * Math.abs(whole) || Infinity);
    await pause(work, 'order of boxes', 0, tree.length);
    const kept = keptNodes(tree, depth, least(sum), least(baseSum));
    const steps = levelOrderSteps(tree, kept, ranks(labels.names));
    const order = await withPauses(steps, work, 'order of boxes', tree.length);
    const place = placesOf(order, tree.length);
    await pause(work, 'boxes', 0, order.length);
    const { functions, packages, used } = usedFunctions(tree, order, labels);
    const nodes = { ...nodeColumns(tree, order, place), function: used };
    return { nodes, omittedCount: tree.length - order.length, place, packages, functions };
  },
  bytes: ({ nodes: { parent, self, mode, begins, base }, place }) =>
    2 * parent.byteLength +
    (base === undefined ? 2 : 4) * self.byteLength +
    (mode?.byteLength ?? 0) +
    begins.byteLength +
    place.byteLength,
};

export function flameNodesUse(tree: StageUse<FlameTree>, depth: number, minShare: number): StageUse<FlameNodes> {
  return use(nodesStage, tree.of, { tree, depth, minShare });
}

/** Place of each name among all of them; UTF-16 order, the same everywhere. Equal names keep their order. */
export function ranks(names: readonly string[]): Int32Array {
  const order = names.map((_, label) => label);
  order.sort((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : names[a] === names[b] ? a - b : 1));
  const rank = new Int32Array(names.length);
  order.forEach((label, place) => {
    rank[label] = place;
  });
  return rank;
}

/** Where each of `length` nodes is in the order; -1 for those that are not. */
export function placesOf(order: Int32Array, length: number): Int32Array {
  const place = new Int32Array(length).fill(-1);
  for (let i = 0; i < order.length; i++) place[order[i]] = i;
  return place;
}

/** The nodes of a tree in the given order; functions are its labels. */
export function nodeColumns(tree: LabelledTree, order: Int32Array, place: Int32Array): NodeColumns {
  const { mode, base } = tree;
  return {
    length: order.length,
    parent: mapped(taken(tree.parent, order), place),
    function: taken(tree.label, order),
    mode: mode && bytesAt(mode, order),
    begins: bytesAt(tree.ending, order),
    self: taken(tree.self, order),
    total: taken(tree.total, order),
    base: base && { self: taken(base.self, order), total: taken(base.total, order) },
  };
}

function bytesAt(values: Int32Array, order: Int32Array): Int8Array {
  const bytes = new Int8Array(order.length);
  for (let i = 0; i < order.length; i++) bytes[i] = values[order[i]];
  return bytes;
}

/** The functions of the nodes in an order, and for each node the one of it. */
function usedFunctions(tree: LabelledTree, order: Int32Array, labels: FlameLabels) {
  const name: string[] = [];
  const kind: number[] = [];
  const inPackage: number[] = [];
  const packages = new Map<string, number>();
  const used = numbered(taken(tree.label, order), labels.names.length, (label) => {
    const own = labels.packages[label] ?? '';
    if (!packages.has(own)) packages.set(own, packages.size);
    inPackage.push(packages.get(own) ?? 0);
    kind.push(labels.kinds[label] ?? 0);
    return name.push(labels.names[label] ?? '') - 1;
  });
  return { functions: { name, package: inPackage, kind }, packages: [...packages.keys()], used };
}
