/** A short path from a root to each object: one breadth-first search over the references. 8 bytes an object. */
import { pause, STEPS_A_PAUSE, type Work } from '../../base/progress.js';
import { LAST_REFERENCE, NO_REFERENT, NO_ROW, type ObjectGraph } from '../../models/heap/heap.js';
import type { ChosenGraph } from './reachable-edges.js';

/** In place of the object above: it is a root. */
export const IS_ROOT = 0xfffffffe;

export interface ShortestPaths {
  /** By row: the object that refers to it on a shortest path, `IS_ROOT`, or `NO_ROW` for unreachable objects. */
  readonly above: Uint32Array;
}

/** Throws the signal's reason if `work` is aborted. */
export async function shortestPaths(chosen: ChosenGraph, work: Work = {}): Promise<ShortestPaths> {
  const search = new PathSearch(chosen.graph.ids.length);
  for (const root of chosen.roots) search.begin(root);
  await search.followAll(chosen, work);
  return { above: search.above };
}

/** A search that goes on from further roots when it has found all that the first ones lead to. */
export class PathSearch implements ShortestPaths {
  readonly above: Uint32Array;
  readonly #queue: Uint32Array;
  #next = 0;
  #end = 0;

  constructor(length: number) {
    this.above = new Uint32Array(length).fill(NO_ROW);
    this.#queue = new Uint32Array(length);
  }

  /** Goes on from a root, if nothing led to it. */
  begin(root: number): void {
    if (this.above[root] !== NO_ROW) return;
    this.above[root] = IS_ROOT;
    this.put(root);
  }

  put(row: number): void {
    this.#queue[this.#end++] = row;
  }

  async followAll(chosen: ChosenGraph, work: Work): Promise<void> {
    for (; this.#next < this.#end; this.#next = Math.min(this.#next + STEPS_A_PAUSE, this.#end)) {
      await pause(work, 'shortest paths', this.#next, this.above.length);
      // What is found goes to the end of the queue.
      const reached = { above: this.above, queue: this.#queue, end: this.#end };
      const to = this.#next + STEPS_A_PAUSE;
      this.#end = follow(chosen, reached, this.#next, to);
    }
  }

  /** Enters what only referents lead to that count in `chosen` and were left out before. */
  enterReferents({ graph: { first, targets, class: classes }, skipsReferent }: ChosenGraph, skipped: Uint8Array): void {
    const { above } = this;
    for (let at = 0, { length } = { length: this.#end }; at < length; at++) {
      const row = this.#queue[at];
      const heapClass = classes[row];
      if (skipped[heapClass] !== 1 || skipsReferent[heapClass] === 1 || first[row] === 0) continue;
      const target = (targets[first[row] - 1] & ~LAST_REFERENCE) >>> 0;
      if (target === NO_REFERENT || above[target] !== NO_ROW) continue;
      above[target] = row;
      this.put(target);
    }
  }
}

/** Follows the references of places `from .. to` of the queue, as far as it has so many; returns its new end. */
function follow(
  { graph, skipsReferent, classTarget, isRoot }: ChosenGraph,
  { above, queue, end: known }: { above: Uint32Array; queue: Uint32Array; end: number },
  from: number,
  to: number,
): number {
  const { first, targets, class: classes } = graph;
  let end = known;
  for (let at = from; at < Math.min(end, to); at++) {
    const row = queue[at];
    const heapClass = classes[row];
    let edge = first[row] - 1;
    if (edge >= 0 && skipsReferent[heapClass] === 1) edge = targets[edge] >= LAST_REFERENCE ? -1 : edge + 1;
    for (let last = edge < 0; !last; edge++) {
      let target = targets[edge];
      if (target >= LAST_REFERENCE) {
        target -= LAST_REFERENCE;
        last = true;
      }
      if (target === NO_REFERENT || above[target] !== NO_ROW) continue;
      above[target] = row;
      queue[end++] = target;
    }
    const target = classTarget[heapClass];
    if (target === NO_ROW || above[target] !== NO_ROW || ((isRoot[target >>> 5] >>> (target & 31)) & 1) !== 0) continue;
    above[target] = row;
    queue[end++] = target;
  }
  return end;
}

/**
 * By root: the objects that it leads to and no root before it: those below its line where a report lists roots in this order and expands
 * each object once. One search, O(references); 5 bytes an object.
 */
export function heldByRoots({ first, targets, roots }: ObjectGraph): Float64Array {
  const held = new Float64Array(roots.length);
  const isFound = new Uint8Array(first.length);
  const stack = new Uint32Array(first.length);
  let depth = 0;
  let found = 0;
  const find = (row: number): void => {
    if (row >= isFound.length || isFound[row] === 1) return;
    isFound[row] = 1;
    found++;
    stack[depth++] = row;
  };
  for (let root = 0; root < roots.length; root++) {
    found = 0;
    find(roots.row[root]);
    while (depth > 0) {
      const row = stack[--depth];
      if (first[row] === 0) continue;
      for (let at = first[row] - 1; ; at++) {
        const target = targets[at];
        const to = (target & ~LAST_REFERENCE) >>> 0;
        if (to !== NO_REFERENT) find(to);
        if (target >= LAST_REFERENCE) break;
      }
    }
    held[root] = found;
  }
  return held;
}
