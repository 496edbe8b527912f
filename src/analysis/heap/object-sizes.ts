/** Sizes of the objects of a graph by a rule. */
import { type HeapObjects, type HeapSizes, noClass } from '../../models/heap/heap.js';

export interface ObjectSizes {
  /** The size of an object, in units. */
  readonly size: (row: number) => number;
  /** Bytes. */
  readonly unit: number;
  /** Of all objects, in bytes; at least. */
  readonly total: number;
}

/**
 * The sizes of all objects. Units are 8 bytes if all sizes have such, so that sums need 4 bytes an object. Where sizes are unknown, each
 * object counts 1: sums are numbers of objects then (`hasSizes`).
 */
export function objectSizes(graph: HeapObjects, sizes: HeapSizes): ObjectSizes {
  if (!hasSizes(sizes)) return { size: () => 1, unit: 1, total: graph.ids.length };
  const total = sizes.bytes.reduce((sum, bytes) => sum + bytes, 0);
  const { recorded } = graph;
  if (recorded !== undefined) return { size: (row) => recorded[row], unit: 1, total };
  const { base, width, alignment, classObject } = sizes;
  const isEven = (bytes: number): boolean => bytes % 8 === 0;
  const even =
    isEven(alignment) && base.every((bytes, row) => width[row] > 0 || isEven(bytes)) && classObject.every(isEven);
  const unit = even ? 8 : 1;
  const { class: classes, elements, mirrorRow, mirrorClass } = graph;
  const none = noClass(classes);
  /** The class of class objects, whose sizes differ. */
  const classOfMirrors = mirrorRow.length === 0 ? none : classes[mirrorRow[0]];
  const size = (row: number): number => {
    const heapClass = classes[row];
    if (heapClass === classOfMirrors) {
      const mirror = indexIn(mirrorRow, row);
      if (mirror >= 0) return classObject[mirrorClass[mirror]] / unit;
    }
    if (heapClass === none) return 0;
    const each = width[heapClass];
    if (each === 0) return base[heapClass] / unit;
    return (Math.ceil((base[heapClass] + elements[row] * each) / alignment) * alignment) / unit;
  };
  return { size, unit, total };
}

/** Whether sizes are bytes. */
export function hasSizes({ rule }: Pick<HeapSizes, 'rule'>): boolean {
  return rule !== 'unknown';
}

/** By heap class: bytes of the objects of a graph. One pass over them. */
export function sumBytes(graph: HeapObjects, rule: Omit<HeapSizes, 'bytes'>, length: number): Float64Array {
  const bytes = new Float64Array(length);
  const { size, unit } = objectSizes(graph, { ...rule, bytes });
  const { class: classes } = graph;
  for (let row = 0; row < classes.length; row++) if (classes[row] < length) bytes[classes[row]] += size(row) * unit;
  return bytes;
}

/** The place of a row among ascending ones; -1. */
export function indexIn(rows: Uint32Array, row: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row ? low : -1;
}
