/** Groups of objects: by class, class loader or package. */
import { CLASS_OBJECTS, type Heap, type HeapObjects, noClass } from '../../models/heap/heap.js';
import { type ObjectId, rowOfId } from '../../models/heap/object-ids.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { addressText, heapClassName } from './choice.js';

export interface GroupKey {
  /** Number of the group of an object. */
  readonly of: (row: ObjectId) => number;
  readonly name: (group: number) => string;
}

/** A group for each class, loader or package of the heap, and one for objects of unknown class. */
export function groupKey(
  program: Program,
  heap: Heap,
  graph: HeapObjects,
  by: 'class' | 'loader' | 'package',
): GroupKey {
  const { classes } = heap;
  const names: string[] = [];
  const known = new Map<string, number>();
  const groupOf = (name: string): number => {
    const group = known.get(name) ?? names.push(name) - 1;
    known.set(name, group);
    return group;
  };
  const none = noClass(graph.class);
  const ofClass = Uint32Array.from({ length: classes.length }, (_, row) =>
    groupOf(nameOf(program, heap, graph, row, by)),
  );
  const unknown = groupOf('<unknown class>');
  return {
    of: (row) => (graph.class[row] === none ? unknown : ofClass[graph.class[row]]),
    name: (group) => names[group] ?? '',
  };
}

function nameOf(
  program: Program,
  heap: Heap,
  graph: HeapObjects,
  row: number,
  by: 'class' | 'loader' | 'package',
): string {
  if (by === 'loader') return loaderName(program, heap, graph, row);
  const id = heap.classes.class[row];
  const name = id === CLASS_OBJECTS ? 'java.lang.Class' : className(program, id);
  return by === 'class' ? name : packageOf(name);
}

/** `java.util` of `java.util.Map[]`; arrays of primitives and classes without a package have names of their own. */
export function packageOf(name: string): string {
  const end = name.lastIndexOf('.');
  if (end > 0) return name.slice(0, end);
  return /^(?:boolean|byte|char|short|int|long|float|double)(?:\[\])+$/.test(name)
    ? '<primitive arrays>'
    : '<no package>';
}

/** The loader's class and address; `<boot loader>`. */
export function loaderName(program: Program, heap: Heap, graph: HeapObjects, row: number): string {
  const loader = heap.classes.loader[row];
  if (loader === 0) return '<boot loader>';
  const object = loader < 0 ? -1 : rowOfId(graph.ids, loader);
  if (object < 0) return '<unknown loader>';
  return `${heapClassName(program, heap, graph.class[object])} @ ${addressText(loader)}`;
}
