/** Who holds objects, as a person would say it: the objects on the way to one, and the object through which the paths to many lead. */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import { type HeapObjects, NO_ROW } from '../../../models/heap/heap.js';
import type { ObjectId } from '../../../models/heap/object-ids.js';
import { ROOT_KINDS } from '../../../models/heap/root-kinds.js';
import { IS_ROOT, type ShortestPaths } from '../shortest-paths.js';

const THREAD = ROOT_KINDS.indexOf('thread');

/** Objects at which a path begins for a person, whatever holds them: class objects and threads. */
export function namedStarts({ mirrorRow, roots }: HeapObjects): ReadonlySet<ObjectId> {
  const starts = new Set<ObjectId>(mirrorRow);
  for (let i = 0; i < roots.length; i++) if (roots.kind[i] === THREAD) starts.add(roots.row[i]);
  return starts;
}

/** The objects from the nearest start above an object, else from a root, down to the object itself; undefined if it is unreachable. */
export function chainTo(
  { above }: ShortestPaths,
  row: ObjectId,
  isStart: (row: ObjectId) => boolean,
): ObjectId[] | undefined {
  if (above[row] === NO_ROW) return undefined;
  const chain = [row];
  for (let at = above[row]; at < IS_ROOT; at = above[at]) {
    chain.push(at);
    if (isStart(at)) break;
  }
  return chain.reverse();
}

/** An object, and the share of the weights of a set that is held through it. `isMember`: it is of the set itself. */
export interface CommonHolder {
  readonly row: ObjectId;
  readonly share: number;
  readonly isMember: boolean;
}

/**
 * The member with more than half of the weight of a set; else the nearest object through which the paths to more than half of it lead; undefined
 * if there is neither. Members of the set are no holders of the others, nor are objects below them. Of a chain of objects of one class, such as the nodes of a list, it is the first one. Costs the length of
 * all paths that are not shared.
 */
export function commonHolder(
  { class: classes }: HeapObjects,
  { above }: ShortestPaths,
  rows: ArrayLike<ObjectId>,
  weight: (i: number) => number,
  isStart: (row: ObjectId) => boolean,
): CommonHolder | undefined {
  const tree = new PathUnion(above);
  let total = 0;
  let most = NONE;
  for (let i = 0; i < rows.length; i++) {
    if (above[rows[i]] === NO_ROW) continue;
    total += weight(i);
    if (most === NONE || weight(i) > weight(most)) most = i;
    tree.add(rows[i], weight(i));
  }
  if (total === 0) return undefined;
  if (weight(most) > total / 2) return { row: rows[most], share: weight(most) / total, isMember: true };
  const deepest = tree.deepest(total / 2);
  if (deepest === undefined) return undefined;
  let row = deepest;
  while (!isStart(row) && above[row] < IS_ROOT && classes[above[row]] === classes[row]) row = above[row];
  return { row, share: tree.weightOf(row) / total, isMember: false };
}

/** The union of paths: a tree whose nodes are objects, those above first. */
class PathUnion {
  readonly #above: Uint32Array;
  readonly #nodes = new IntTable(64);
  readonly #parent = new Int32Builder(64);
  readonly #weight = new Float64Builder(64);
  /** By node: 1 for members of the set, and for what is below them. */
  readonly #inside = new Int32Builder(64);
  #isSummed = false;

  constructor(above: Uint32Array) {
    this.#above = above;
  }

  add(member: ObjectId, weight: number): void {
    const path: number[] = [];
    let at: number = member;
    let node = NONE;
    for (; at < IS_ROOT; at = this.#above[at]) {
      node = this.#nodes.find(at);
      if (node >= 0) break;
      path.push(at);
    }
    for (const row of path.reverse()) {
      const next = this.#nodes.add(row);
      this.#parent.push(node);
      this.#weight.push(0);
      this.#inside.push(0);
      node = next;
    }
    this.#weight.values[node] += weight;
    this.#inside.values[node] = 1;
  }

  /** The last node outside the set with more than this weight: such nodes are one below the other. */
  deepest(half: number): ObjectId | undefined {
    this.#sum();
    const inside = this.#inside.values;
    let deepest = NONE;
    for (let node = 0; node < this.#nodes.length; node++) {
      const parent = this.#parent.values[node];
      if (parent >= 0 && inside[parent] === 1) inside[node] = 1;
      if (inside[node] === 0 && this.#weight.values[node] > half) deepest = node;
    }
    return deepest < 0 ? undefined : this.#nodes.key(deepest, 0);
  }

  weightOf(row: ObjectId): number {
    this.#sum();
    return this.#weight.values[this.#nodes.find(row)];
  }

  #sum(): void {
    if (this.#isSummed) return;
    this.#isSummed = true;
    const weights = this.#weight.values;
    for (let node = this.#nodes.length - 1; node > 0; node--) {
      const parent = this.#parent.values[node];
      if (parent >= 0) weights[parent] += weights[node];
    }
  }
}
