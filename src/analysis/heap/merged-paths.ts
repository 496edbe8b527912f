/** Shortest paths to many objects as one tree: nodes are objects, or all objects of one class below the same node. */
import { Float64Builder, Int32Builder } from '../../base/columns.js';
import { NONE } from '../../base/flavor.js';
import { IntTable } from '../../base/hash.js';
import { NO_ROW, type ObjectGraph } from '../../models/heap/heap.js';
import { IS_ROOT, type ShortestPaths } from './shortest-paths.js';

/** A tree of columns; nodes above come first. */
export interface PathTree {
  readonly length: number;
  /** Selected objects that are reachable. */
  readonly reachable: number;
  /** -1 at a root. */
  readonly parent: Int32Array;
  /** An object of the node, and how many it has. */
  readonly object: Float64Array;
  readonly members: Int32Array;
  /** Selected objects at the node and below, and their bytes. */
  readonly objects: Float64Array;
  readonly bytes: Float64Array;
  depth(node: number): number;
  /** The heaviest nodes, each behind its parent; all for 0. */
  heaviest(limit: number): number[];
}

/**
 * `merge`: objects of one class below the same node are one node; else each object is a node. Costs the length of all paths
 * that are not shared.
 */
export function mergedPaths(
  graph: ObjectGraph,
  { above }: ShortestPaths,
  selected: readonly number[],
  size: (row: number) => number,
  merge: boolean,
): PathTree {
  /** (parent node, class or object) → node. */
  const nodes = new IntTable();
  const parent = new Int32Builder();
  const depth = new Int32Builder();
  const object = new Float64Builder();
  const members = new Int32Builder();
  const objects = new Float64Builder();
  const bytes = new Float64Builder();
  /** Object → its node. */
  const known = new Map<number, number>();
  let reachable = 0;
  const nodeOf = (row: number): number => {
    const path: number[] = [];
    let at = row;
    while (at !== IS_ROOT && !known.has(at)) {
      path.push(at);
      at = above[at];
    }
    let node = at === IS_ROOT ? NONE : (known.get(at) ?? NONE);
    for (let i = path.length - 1; i >= 0; i--) {
      const one = path[i];
      const count = nodes.length;
      // Roots stay single, since each is held for a reason of its own.
      const next = nodes.add(node, merge && node >= 0 ? graph.class[one] : one, merge && node >= 0 ? 1 : 0);
      if (next === count) {
        parent.push(node);
        depth.push(node < 0 ? 0 : depth.values[node] + 1);
        object.push(one);
        members.push(0);
        objects.push(0);
        bytes.push(0);
      }
      members.values[next]++;
      known.set(one, next);
      node = next;
    }
    return node;
  };
  for (const row of selected) {
    if (above[row] === NO_ROW) continue;
    reachable++;
    const node = nodeOf(row);
    objects.values[node]++;
    bytes.values[node] += size(row);
  }
  for (let node = nodes.length - 1; node >= 0; node--) {
    const over = parent.values[node];
    if (over < 0) continue;
    objects.values[over] += objects.values[node];
    bytes.values[over] += bytes.values[node];
  }
  const columns = {
    parent: parent.finish(),
    object: object.finish(),
    members: members.finish(),
    objects: objects.finish(),
    bytes: bytes.finish(),
  };
  return {
    length: nodes.length,
    reachable,
    ...columns,
    depth: (node) => depth.values[node],
    heaviest: (limit) => heaviest(columns.parent, columns.objects, limit),
  };
}

/** The nodes with most objects, in the order of a depth-first walk, heavier children first. */
function heaviest(parent: Int32Array, weight: Float64Array, limit: number): number[] {
  const order = Array.from(parent.keys());
  // Nodes above come first among equals, so that a parent is chosen before its children.
  order.sort((a, b) => weight[b] - weight[a] || a - b);
  const chosen = limit === 0 ? order : order.slice(0, limit);
  const children = new Map<number, number[]>();
  for (const node of chosen) {
    const of = children.get(parent[node]);
    if (of === undefined) children.set(parent[node], [node]);
    else of.push(node);
  }
  const shown: number[] = [];
  const stack = [...(children.get(NONE) ?? [])].reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    shown.push(node);
    for (const child of [...(children.get(node) ?? [])].reverse()) stack.push(child);
  }
  return shown;
}
