/** The heaviest nodes of a tree, connected: what a listing of a tree shows. */
import { FirstOf } from '../../base/columns/first-of.js';
import type { Steps } from '../../base/progress.js';
import type { CallTree } from './call-tree.js';

/** What the order of a tree needs: parents come before children. */
type TreeNodes = Pick<CallTree, 'length' | 'parent'>;

/** Nodes of a tree, the heaviest first; each comes after its parent. */
export interface RankedNodes {
  /** The first of them; all if there are no more than were asked for. */
  readonly nodes: Int32Array;
  /** Number of nodes above the level limit. */
  readonly count: number;
}

/** Rows of a tree in the order in which it is printed. */
export interface TreePage {
  readonly nodes: Int32Array;
  readonly depth: Int32Array;
  /** Number of nodes without a limit. */
  readonly of: number;
}

/** Nodes between two yields. */
const NODES_A_STEP = 1 << 14;

/**
 * The `most` heaviest nodes of at most `deepest` levels (0: all). A node is ranked by the largest absolute weight at or below it, so the heaviest
 * nodes are connected even if a damaged profile makes a child heavier than its parent.
 */
export function* rankedNodes(
  { length, parent }: TreeNodes,
  weight: Float64Array,
  most: number,
  deepest: number,
): Steps<RankedNodes> {
  const depth = deepest === 0 ? undefined : new Int32Array(length);
  const heaviest = weight.map(Math.abs);
  for (let node = length - 1; node >= 0; node--) {
    if (node % NODES_A_STEP === 0) yield length - node;
    const above = parent[node];
    if (above >= 0) heaviest[above] = Math.max(heaviest[above], heaviest[node]);
  }
  // Parents have smaller ids, so among equals they come first and are never separated from their children.
  const compare = (a: number, b: number): number => heaviest[b] - heaviest[a] || a - b;
  const first = new FirstOf<number>(Math.min(most, length), compare);
  let count = 0;
  for (let node = 0; node < length; node++) {
    if (node % NODES_A_STEP === 0) yield node;
    if (depth !== undefined) {
      depth[node] = parent[node] >= 0 ? depth[parent[node]] + 1 : 0;
      if (depth[node] >= deepest) continue;
    }
    count++;
    if (first.last === undefined || compare(node, first.last) < 0) first.add(node);
  }
  return { nodes: Int32Array.from(first.finish()), count };
}

/** The first `limit` ranked nodes (0: all), each after its parent, heaviest siblings first. */
export function treePage(tree: TreeNodes, { nodes, count }: RankedNodes, limit: number): TreePage {
  const chosen = limit === 0 ? nodes : nodes.subarray(0, limit);
  const place = placesIn(tree.length, chosen.length);
  const parents = new Int32Array(chosen.length);
  const depths = new Int32Array(chosen.length);
  for (let i = 0; i < chosen.length; i++) {
    place.set(chosen[i], i);
    const above = place.of(tree.parent[chosen[i]]);
    parents[i] = above;
    depths[i] = above < 0 ? 0 : depths[above] + 1;
  }
  const order = preorder(parents);
  return { nodes: order.map((i) => chosen[i]), depth: order.map((i) => depths[i]), of: count };
}

/** Remembers the place of nodes; few ones cost nothing for each node of the tree. */
function placesIn(length: number, few: number) {
  if (few < length / 16) {
    const places = new Map<number, number>();
    return {
      set: (node: number, place: number): void => void places.set(node, place),
      of: (node: number): number => places.get(node) ?? -1,
    };
  }
  const places = new Int32Array(length).fill(-1);
  return {
    set: (node: number, place: number): void => {
      places[node] = place;
    },
    of: (node: number): number => (node < 0 ? -1 : places[node]),
  };
}

/** The rows of a table in which parents come first, each behind its parent, siblings in their order. */
function preorder(parents: Int32Array): Int32Array {
  const { length } = parents;
  const first = new Int32Array(length).fill(-1);
  const next = new Int32Array(length).fill(-1);
  let roots = -1;
  for (let i = length - 1; i >= 0; i--) {
    const above = parents[i];
    next[i] = above >= 0 ? first[above] : roots;
    if (above >= 0) first[above] = i;
    else roots = i;
  }
  const order = new Int32Array(length);
  let count = 0;
  for (let i = roots; i >= 0; ) {
    order[count++] = i;
    if (first[i] >= 0) i = first[i];
    else {
      while (i >= 0 && next[i] < 0) i = parents[i];
      if (i >= 0) i = next[i];
    }
  }
  return order;
}
