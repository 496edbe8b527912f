/**
 * Roots by the rules of Eclipse MAT, to compare figures with it. What a thread holds in its frames hangs below the thread's
 * object. In dumps without system classes among the roots, those of the boot loader are roots. Classes refer to their super
 * class, loader and statics, but not to signers, protection domain and constants.
 *
 * Source: MAT's roots and dominators of every object of 22 dumps.
 */
import { type HeapClasses, LAST_REFERENCE, NO_ROW, OBJECT_TYPE, type ObjectGraph } from '../../models/heap/heap.js';
import { NO_OBJECT, RowLookup } from '../../models/heap/object-ids.js';
import { ROOT_KINDS } from '../../models/heap/root-kinds.js';

const THREAD = ROOT_KINDS.indexOf('thread');
const SYSTEM_CLASS = ROOT_KINDS.indexOf('system-class');
const LOCALS: ReadonlySet<number> = new Set([ROOT_KINDS.indexOf('java-frame'), ROOT_KINDS.indexOf('jni-local')]);

/** The graph with references from threads to their locals, and its roots. Copies the references. */
export function withMatRoots(
  graph: ObjectGraph,
  classes: HeapClasses,
): { readonly graph: ObjectGraph; readonly roots: Uint32Array } {
  const { row, kind, thread, length } = graph.roots;
  const threadObject = new Map<number, number>();
  for (let i = 0; i < length; i++)
    if (kind[i] === THREAD && !threadObject.has(thread[i])) threadObject.set(thread[i], row[i]);
  const roots: number[] = [];
  const lists = referencesOfClasses(graph, classes);
  let sticky = false;
  for (let i = 0; i < length; i++) {
    const owner = LOCALS.has(kind[i]) ? threadObject.get(thread[i]) : undefined;
    if (kind[i] === SYSTEM_CLASS) sticky = true;
    if (owner === undefined) roots.push(row[i]);
    else {
      const held = lists.get(owner) ?? referencesOf(graph, owner);
      held.push(row[i]);
      lists.set(owner, held);
    }
  }
  if (!sticky)
    for (let of = 0; of < classes.length; of++)
      if (classes.loader[of] === 0 && graph.classObject[of] !== NO_ROW) roots.push(graph.classObject[of]);
  return { graph: withReferences(graph, lists), roots: Uint32Array.from(roots) };
}

/** By row of a class object: super class, loader and statics. */
function referencesOfClasses(graph: ObjectGraph, classes: HeapClasses): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  const lookup = new RowLookup(graph.ids);
  for (let of = 0; of < classes.length; of++) {
    const object = graph.classObject[of];
    if (object === NO_ROW) continue;
    const parent = classes.parent[of] < 0 ? NO_ROW : graph.classObject[classes.parent[of]];
    const ids = [classes.loader[of]];
    for (let i = classes.staticFirst[of]; i < classes.staticFirst[of + 1]; i++)
      if (classes.staticType[i] === OBJECT_TYPE) ids.push(classes.staticHigh[i] * 2 ** 32 + classes.staticLow[i]);
    const rows = ids.map((id) => (id > 0 ? lookup.row(id) : NO_OBJECT)).filter((row) => row !== NO_OBJECT);
    lists.set(object, parent === NO_ROW ? rows : [parent, ...rows]);
  }
  return lists;
}

function referencesOf({ first, targets }: ObjectGraph, row: number): number[] {
  const rows: number[] = [];
  let at = first[row] - 1;
  if (at < 0) return rows;
  for (; targets[at] < LAST_REFERENCE; at++) rows.push(targets[at]);
  rows.push(targets[at] - LAST_REFERENCE);
  return rows;
}

/** The graph with other references of some objects, which are behind those of all others. */
function withReferences(graph: ObjectGraph, lists: ReadonlyMap<number, readonly number[]>): ObjectGraph {
  const first = graph.first.slice();
  let length = graph.targets.length;
  for (const rows of lists.values()) length += rows.length;
  const targets = new Uint32Array(length);
  targets.set(graph.targets);
  let at = graph.targets.length;
  for (const [owner, rows] of lists) {
    first[owner] = rows.length === 0 ? 0 : at + 1;
    for (const row of rows) targets[at++] = row;
    if (rows.length > 0) targets[at - 1] += LAST_REFERENCE;
  }
  return { ...graph, first, targets };
}
