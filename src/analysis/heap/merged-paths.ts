/** Shortest paths to many objects as one tree: nodes are objects, or all objects of one class below the same node. */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { type HeapObjects, NO_ROW } from '../../models/heap/heap.js';
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
  graph: HeapObjects,
  { above }: ShortestPaths,
  selected: ArrayLike<number>,
  size: (row: number) => number,
  merge: boolean,
): PathTree {
  const builder = new PathTreeBuilder(graph, above, merge);
  let reachable = 0;
  for (let i = 0; i < selected.length; i++) {
    const row = selected[i];
    if (above[row] === NO_ROW) continue;
    reachable++;
    builder.select(row, size(row));
  }
  return builder.finish(reachable);
}

class PathTreeBuilder {
  readonly #graph: HeapObjects;
  readonly #above: Uint32Array;
  readonly #merge: boolean;
  /** (parent node, class or object) → node. */
  readonly #nodes = new IntTable();
  readonly #parent = new Int32Builder();
  readonly #depth = new Int32Builder();
  readonly #object = new Float64Builder();
  readonly #members = new Int32Builder();
  readonly #objects = new Float64Builder();
  readonly #bytes = new Float64Builder();
  /** By row: its node, plus 1; 0: none yet. */
  readonly #known: Int32Array;

  constructor(graph: HeapObjects, above: Uint32Array, merge: boolean) {
    this.#graph = graph;
    this.#above = above;
    this.#merge = merge;
    this.#known = new Int32Array(above.length);
  }

  /** Counts a selected object at its node. */
  select(row: number, bytes: number): void {
    const node = this.#nodeOf(row);
    this.#objects.values[node]++;
    this.#bytes.values[node] += bytes;
  }

  #nodeOf(row: number): number {
    const path: number[] = [];
    let at = row;
    while (at !== IS_ROOT && this.#known[at] === 0) {
      path.push(at);
      at = this.#above[at];
    }
    let node = at === IS_ROOT ? NONE : this.#known[at] - 1;
    for (const one of path.reverse()) {
      node = this.#below(node, one);
      this.#members.values[node]++;
      this.#known[one] = node + 1;
    }
    return node;
  }

  /** The node of an object below another node. Roots stay single, since each is held for a reason of its own. */
  #below(node: number, row: number): number {
    const merged = this.#merge && node >= 0;
    const next = this.#nodes.add(node, merged ? this.#graph.class[row] : row, merged ? 1 : 0);
    if (next < this.#parent.length) return next;
    this.#parent.push(node);
    this.#depth.push(node < 0 ? 0 : this.#depth.values[node] + 1);
    this.#object.push(row);
    this.#members.push(0);
    this.#objects.push(0);
    this.#bytes.push(0);
    return next;
  }

  finish(reachable: number): PathTree {
    const parent = this.#parent.finish();
    const objects = this.#objects.finish();
    const bytes = this.#bytes.finish();
    for (let node = parent.length - 1; node >= 0; node--) {
      if (parent[node] < 0) continue;
      objects[parent[node]] += objects[node];
      bytes[parent[node]] += bytes[node];
    }
    return {
      length: parent.length,
      reachable,
      parent,
      object: this.#object.finish(),
      members: this.#members.finish(),
      objects,
      bytes,
      depth: (node) => this.#depth.values[node],
      heaviest: (limit) => heaviest(parent, objects, limit),
    };
  }
}

/** The nodes with most objects, in the order of a depth-first walk, heavier children first; all for 0. Parents come before children. */
export function heaviest(parent: Int32Array, weight: Float64Array, limit: number): number[] {
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
