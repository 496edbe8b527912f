/** A dominator tree with its objects, and what the views about it share. */
import type { Dominators } from '../../analysis/heap/dominators.js';
import { objectSizes } from '../../analysis/heap/object-sizes.js';
import type { HeapObjects, HeapSizes } from '../../models/heap/heap.js';
import type { ObjectId } from '../../models/heap/object-ids.js';

export interface DominatorTree {
  readonly graph: HeapObjects;
  readonly dominators: Dominators;
  readonly sizes: HeapSizes;
}

/** Bytes of the object itself. */
export function shallowOf({ graph, sizes }: DominatorTree): (row: ObjectId) => number {
  const { size, unit } = objectSizes(graph, sizes);
  return (row) => size(row) * unit;
}

/** Rows of the objects directly below `above`, ascending. */
export function childrenOf({ dominator }: Dominators, above: number): Uint32Array {
  let count = 0;
  for (let i = 0; i < dominator.length; i++) if (dominator[i] === above) count++;
  const rows = new Uint32Array(count);
  for (let i = 0, at = 0; at < count; i++) if (dominator[i] === above) rows[at++] = i;
  return rows;
}
