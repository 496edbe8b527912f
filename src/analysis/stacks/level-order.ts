/**
 * A call tree in the order that a picture needs: level by level, so that the children of a node, and all nodes of a
 * depth, are adjacent. Two trees can first be joined by the names on their paths.
 *
 *   tree  0 main ─┬─ 1 get ── 2 hash      level by level   main │ add get │ hash
 *                 └─ 3 add                                    0 │   1   2 │    3
 *
 * Cost: time proportional to nodes and functions; 40 to 60 bytes a node while it runs.
 */
import { IntTable } from '../../base/columns/hash.js';
import { atOnce, type Steps } from '../../base/progress.js';
import type { CallTree } from './call-tree.js';

/** A tree whose nodes have labels (functions, or names of functions); parents come before children. */
export interface LabelledTree {
  readonly length: number;
  readonly parent: Int32Array;
  readonly label: Int32Array;
  /** Same as `CallTree.ending`. */
  readonly ending: Int32Array;
  /** As `CallTree.mode`. */
  readonly mode: Int32Array | undefined;
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** The values of the tree that this one is compared with. */
  readonly base?: { readonly self: Float64Array; readonly total: Float64Array };
}

export interface JoinedTree extends LabelledTree {
  /** The node of each node of the two trees: `now`, `base`. */
  readonly places: readonly [Int32Array, Int32Array];
}

/**
 * Joins `now` and `base` into one tree: nodes are the same if the labels on their paths are, and, for roots, the way
 * their stacks begin. Nodes of only one tree have 0 in the other. `nowLabels`, `baseLabels`: label of each function.
 */
export function joinTrees(
  now: CallTree,
  nowLabels: Int32Array,
  base: CallTree,
  baseLabels: Int32Array,
  inverted: boolean,
): JoinedTree {
  return atOnce(joinTreesSteps(now, nowLabels, base, baseLabels, inverted));
}

/** Nodes between two yields. */
const NODES_A_STEP = 1 << 13;

/** `joinTrees` in parts; yields the nodes of a tree that are done. */
export function* joinTreesSteps(
  now: CallTree,
  nowLabels: Int32Array,
  base: CallTree,
  baseLabels: Int32Array,
  inverted: boolean,
): Steps<JoinedTree> {
  const nodes = new IntTable(now.length);
  function* place(tree: CallTree, labels: Int32Array): Steps<Int32Array> {
    const placed = new Int32Array(tree.length);
    for (let node = 0; node < tree.length; node++) {
      if (node % NODES_A_STEP === 0) yield node;
      const above = tree.parent[node];
      // Roots of inverted trees are distinguished by function alone.
      const parent = above >= 0 ? placed[above] : inverted ? -1 : -1 - tree.ending[node];
      placed[node] = nodes.add(parent, labels[tree.function[node]]);
    }
    return placed;
  }
  const nowPlaces = yield* place(now, nowLabels);
  const basePlaces = yield* place(base, baseLabels);
  const { length } = nodes;
  const ending = new Int32Array(length).fill(-1);
  for (const [tree, places] of [
    [base, basePlaces],
    [now, nowPlaces],
  ] as const)
    for (let node = 0; node < tree.length; node++) if (tree.ending[node] >= 0) ending[places[node]] = tree.ending[node];
  const mode = now.mode === undefined && base.mode === undefined ? undefined : new Int32Array(length);
  for (const [tree, places] of [
    [base, basePlaces],
    [now, nowPlaces],
  ] as const)
    for (let node = 0; mode !== undefined && node < places.length; node++) mode[places[node]] = tree.mode?.[node] ?? 0;
  function* sums(column: Float64Array, places: Int32Array): Steps<Float64Array> {
    yield 0;
    const summed = new Float64Array(length);
    for (let node = 0; node < places.length; node++) summed[places[node]] += column[node];
    return summed;
  }
  return {
    length,
    parent: nodes.column(0).map((parent) => Math.max(parent, -1)),
    label: nodes.column(1),
    ending,
    mode,
    self: yield* sums(now.self, nowPlaces),
    total: yield* sums(now.total, nowPlaces),
    base: { self: yield* sums(base.self, basePlaces), total: yield* sums(base.total, basePlaces) },
    places: [nowPlaces, basePlaces],
  };
}

/**
 * The nodes to keep, as 1 for each: at most `deepest` levels deep (0: any), with a total of at least `least` (of the
 * base: `leastOfBase`) in the node or below. Nodes above a kept node are kept.
 */
export function keptNodes(tree: LabelledTree, deepest: number, least: number, leastOfBase: number): Uint8Array {
  const { length, parent, total, base } = tree;
  const kept = new Uint8Array(length);
  for (let node = length - 1; node >= 0; node--) {
    if (Math.abs(total[node]) >= least || (base !== undefined && Math.abs(base.total[node]) >= leastOfBase))
      kept[node] = 1;
    if (kept[node] === 1 && parent[node] >= 0) kept[parent[node]] = 1;
  }
  if (deepest === 0) return kept;
  const depth = new Int32Array(length);
  for (let node = 0; node < length; node++) {
    depth[node] = parent[node] >= 0 ? depth[parent[node]] + 1 : 0;
    if (depth[node] >= deepest) kept[node] = 0;
  }
  return kept;
}

/**
 * The kept nodes level by level; siblings by the `rank` of their labels, equal ones in the order of the tree. The
 * parents of kept nodes must be kept.
 */
export function levelOrder(tree: LabelledTree, kept: Uint8Array, rank: Int32Array): Int32Array {
  return atOnce(levelOrderSteps(tree, kept, rank));
}

/** `levelOrder` in parts; yields the nodes that are done in one of its four passes. */
export function* levelOrderSteps(tree: LabelledTree, kept: Uint8Array, rank: Int32Array): Steps<Int32Array> {
  const byRank = yield* sortedByRank(tree, kept, rank);
  const { first, next, roots } = yield* siblingLists(tree, byRank);
  const order = new Int32Array(byRank.length);
  let length = 0;
  for (let node = roots; node >= 0; node = next[node]) order[length++] = node;
  for (let done = 0; done < length; done++) {
    if (done % NODES_A_STEP === 0) yield done;
    for (let node = first[order[done]]; node >= 0; node = next[node]) order[length++] = node;
  }
  return order;
}

/** The kept nodes by rank, in one counting sort. */
function* sortedByRank(tree: LabelledTree, kept: Uint8Array, rank: Int32Array): Steps<Int32Array> {
  const starts = new Int32Array(rank.length + 1);
  for (let node = 0; node < tree.length; node++) {
    if (node % NODES_A_STEP === 0) yield node;
    if (kept[node] === 1) starts[rank[tree.label[node]] + 1]++;
  }
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  const sorted = new Int32Array(starts[rank.length]);
  for (let node = 0; node < tree.length; node++) {
    if (node % NODES_A_STEP === 0) yield node;
    if (kept[node] === 1) sorted[starts[rank[tree.label[node]]]++] = node;
  }
  return sorted;
}

interface SiblingLists {
  readonly first: Int32Array;
  readonly next: Int32Array;
  readonly roots: number;
}

/** For each node, the first child and the next sibling (-1: none), in the order of `nodes`. */
function* siblingLists(tree: LabelledTree, nodes: Int32Array): Steps<SiblingLists> {
  const first = new Int32Array(tree.length).fill(-1);
  const next = new Int32Array(tree.length).fill(-1);
  let roots = -1;
  for (let i = nodes.length - 1; i >= 0; i--) {
    if (i % NODES_A_STEP === 0) yield nodes.length - i;
    const node = nodes[i];
    const above = tree.parent[node];
    next[node] = above >= 0 ? first[above] : roots;
    if (above >= 0) first[above] = node;
    else roots = node;
  }
  return { first, next, roots };
}
