/** The shortest path from a root to each object: one breadth-first search over the references. 8 bytes an object. */
import { LAST_REFERENCE, NO_REFERENT, NO_ROW } from '../../models/heap/heap.js';
import type { ChosenGraph } from './reachable-edges.js';

/** In place of the object above: it is a root. */
export const IS_ROOT = 0xfffffffe;

export interface ShortestPaths {
  /** By row: the object that refers to it on a shortest path, `IS_ROOT`, or `NO_ROW` for unreachable objects. */
  readonly above: Uint32Array;
}

export function shortestPaths({ graph, skipsReferent, classTarget, isRoot, roots }: ChosenGraph): ShortestPaths {
  const { first, targets, class: classes } = graph;
  const above = new Uint32Array(graph.ids.length).fill(NO_ROW);
  const queue = new Uint32Array(graph.ids.length);
  let end = 0;
  for (const root of roots) {
    above[root] = IS_ROOT;
    queue[end++] = root;
  }
  for (let at = 0; at < end; at++) {
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
  return { above };
}
