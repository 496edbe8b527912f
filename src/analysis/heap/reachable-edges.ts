/** Which references of a graph count, and where they lead: the way into the graph for all algorithms. */
import {
  type HeapClasses,
  NO_ROW,
  noClass,
  type ObjectGraph,
  REFERENT_KINDS,
  type ReferentKind,
} from '../../models/heap/heap.js';

/** The graph within a choice of references and roots. */
export interface ChosenGraph {
  readonly graph: ObjectGraph;
  /** By heap class: 1 if the first reference of its instances does not count. */
  readonly skipsReferent: Uint8Array;
  /** By value of `graph.class`: the row of the class object that its objects refer to; `NO_ROW` if that is a root or unknown. */
  readonly classTarget: Uint32Array;
  /** A bit a row: 1 for roots. */
  readonly isRoot: Uint32Array;
  /** Rows of the roots, each once. */
  readonly roots: Uint32Array;
}

/** Chooses references and roots. `without`: kinds of referents that do not count. */
export function chooseGraph(
  graph: ObjectGraph,
  classes: HeapClasses,
  without: readonly ReferentKind[],
  roots: Uint32Array = graph.roots.row,
): ChosenGraph {
  const { length } = graph.ids;
  const isRoot = new Uint32Array(Math.ceil(length / 32));
  const distinct = new Uint32Array(roots.length);
  let count = 0;
  for (const row of roots) {
    const bit = 1 << (row & 31);
    if ((isRoot[row >>> 5] & bit) !== 0) continue;
    isRoot[row >>> 5] |= bit;
    distinct[count++] = row;
  }
  const none = noClass(graph.class);
  // One place for each value of the column, so that no value needs a check.
  const classTarget = new Uint32Array(none === NO_ROW ? classes.length : none + 1).fill(NO_ROW);
  for (let row = 0; row < classes.length; row++) {
    const object = graph.classObject[row];
    if (object !== NO_ROW && ((isRoot[object >>> 5] >>> (object & 31)) & 1) === 0) classTarget[row] = object;
  }
  const skipped = new Set(without.map((kind) => REFERENT_KINDS.indexOf(kind)));
  const skipsReferent = Uint8Array.from(classes.referent, (kind) => (skipped.has(kind) ? 1 : 0));
  return { graph, skipsReferent, classTarget, isRoot, roots: distinct.subarray(0, count) };
}
