/** Groups of objects: by class, class loader or package. */
import { packagePart } from '../../analysis/packages.js';
import { type Heap, type HeapObjects, noClass } from '../../models/heap/heap.js';
import { type ObjectId, rowOfId } from '../../models/heap/object-ids.js';
import type { ClassId, Program } from '../../models/program/program.js';
import { addressText, heapClassName } from './choice.js';

export interface GroupKey {
  /** Number of the group of an object. */
  readonly of: (row: ObjectId) => number;
  readonly name: (group: number) => string;
}

export type GroupBy = 'class' | 'loader' | 'package';

/** Names that other recordings may have, too. */
export interface JoinedClassNames {
  /** The joined name of a class. */
  readonly className: (id: ClassId) => string;
  /** Class objects are groups of their own. */
  readonly classObjects: boolean;
}

/**
 * A group for each class, loader or package of the heap, and one for objects of unknown class. With `shared`, names have nothing
 * that differs from run to run.
 */
export function groupKey(
  program: Program,
  heap: Heap,
  graph: HeapObjects,
  by: GroupBy,
  shared?: JoinedClassNames,
): GroupKey {
  const { classes } = heap;
  const names: string[] = [];
  const groupIds = new Map<string, number>();
  const groupOf = (name: string): number => {
    const group = groupIds.get(name) ?? names.push(name) - 1;
    groupIds.set(name, group);
    return group;
  };
  const spelled = (row: number): string => classText(program, heap, row, shared);
  const nameOf = (row: number): string => {
    if (by === 'loader') return loaderName(program, heap, graph, row, shared);
    return by === 'class' ? spelled(row) : packageOf(spelled(row));
  };
  const none = noClass(graph.class);
  const ofClass = Uint32Array.from({ length: classes.length }, (_, row) => groupOf(nameOf(row)));
  const unknown = groupOf('<unknown class>');
  const mirrors = new Map<number, number>();
  if (shared?.classObjects)
    graph.mirrorRow.forEach((row, i) => {
      mirrors.set(row, groupOf(`class ${spelled(graph.mirrorClass[i])}`));
    });
  return {
    of: (row) => mirrors.get(row) ?? (graph.class[row] === none ? unknown : ofClass[graph.class[row]]),
    name: (group) => names[group] ?? '',
  };
}

/** The name of a heap class. */
function classText(program: Program, heap: Heap, row: number, shared: JoinedClassNames | undefined): string {
  const id = heap.classes.class[row] ?? -1;
  return id >= 0 && shared !== undefined ? shared.className(id) : heapClassName(program, heap, row);
}

/** `java.util` of `java.util.Map[]`; arrays of primitives and classes without a package have names of their own. */
export function packageOf(name: string): string {
  const part = packagePart(name);
  if (part !== '') return part;
  return /^(?:boolean|byte|char|short|int|long|float|double)(?:\[\])+$/.test(name)
    ? '<primitive arrays>'
    : '<no package>';
}

/** The loader's class and address, the class only if `shared`; `<boot loader>`. */
export function loaderName(
  program: Program,
  heap: Heap,
  graph: HeapObjects,
  row: number,
  shared?: JoinedClassNames,
): string {
  const loader = heap.classes.loader[row];
  if (loader === 0) return '<boot loader>';
  const object = loader < 0 ? -1 : rowOfId(graph.ids, loader);
  if (object < 0) return '<unknown loader>';
  const name = classText(program, heap, graph.class[object], shared);
  return shared === undefined ? `${name} @ ${addressText(graph, loader)}` : name;
}
