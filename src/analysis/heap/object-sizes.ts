/** Sizes of the objects of a graph by a rule. */
import type { Work } from '../../base/progress.js';
import { inSteps } from '../../base/steps.js';
import { type HeapObjects, type HeapSizes, noClass } from '../../models/heap/heap.js';
import { RowLookup } from '../../models/heap/object-ids.js';

export interface ObjectSizes {
  /** The size of an object, in units. */
  readonly size: (row: number) => number;
  /** Bytes. */
  readonly unit: number;
  /** Of all objects, in bytes; at least. */
  readonly total: number;
}

/** What sizes follow from. */
export type SizedObjects = Pick<HeapObjects, 'class' | 'elements' | 'recorded' | 'mirrorRow' | 'mirrorClass'> & {
  readonly ids: Pick<HeapObjects['ids'], 'length'>;
};

/** By row: bytes of instances that have sizes of their own. */
type OwnBytes = ReadonlyMap<number, number>;

/**
 * The sizes of all objects. Units are 8 bytes if all sizes have such, so that sums need 4 bytes an object. Where sizes are unknown, each
 * object counts 1: sums are numbers of objects then (`hasSizes`).
 */
export function objectSizes(graph: HeapObjects, sizes: HeapSizes): ObjectSizes {
  return sizesWith(graph, sizes, ownBytes(sizes, graph.ids));
}

function sizesWith(graph: SizedObjects, sizes: HeapSizes, ownRows: OwnBytes): ObjectSizes {
  if (!hasSizes(sizes)) return { size: () => 1, unit: 1, total: graph.ids.length };
  const total = sizes.bytes.reduce((sum, bytes) => sum + bytes, 0);
  const { recorded } = graph;
  if (recorded !== undefined) return { size: (row) => recorded[row], unit: 1, total };
  const { base, width, alignment, classObject, instanceSizes } = sizes;
  const isEven = (bytes: number): boolean => bytes % 8 === 0;
  const even =
    isEven(alignment) &&
    base.every((bytes, row) => width[row] > 0 || isEven(bytes)) &&
    classObject.every(isEven) &&
    (instanceSizes === undefined || instanceSizes.bytes.every(isEven));
  const unit = even ? 8 : 1;
  const { class: classes, elements, mirrorRow, mirrorClass } = graph;
  const none = noClass(classes);
  /** The class of class objects, whose sizes differ. */
  const classOfMirrors = mirrorRow.length === 0 ? none : classes[mirrorRow[0]];
  const ownClass = instanceSizes?.heapClass ?? -1;
  const size = (row: number): number => {
    const heapClass = classes[row];
    if (heapClass === ownClass) return (ownRows.get(row) ?? base[heapClass]) / unit;
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

function ownBytes({ instanceSizes }: HeapSizes, ids: HeapObjects['ids']): OwnBytes {
  const sizes = new Map<number, number>();
  if (instanceSizes === undefined) return sizes;
  const { id, bytes } = instanceSizes;
  const rows = new RowLookup(ids);
  for (let i = 0; i < id.length; i++) {
    const row = rows.row(id[i]);
    if (row >= 0 && !sizes.has(row)) sizes.set(row, bytes[i]);
  }
  return sizes;
}

/** Sizes to be taken: plain columns, which can be sent to a thread. */
export interface SizesTask {
  readonly into: Uint32Array | Float64Array;
  readonly graph: SizedObjects;
  readonly sizes: HeapSizes;
  readonly ownRows: OwnBytes;
}

/** The task of a thread that takes sizes (`takeSizes`). */
export const TAKING_SIZES = 'object-sizes';

/** Puts the size of each object, in units, into `into`: in another thread if the columns are in shared memory. */
export async function sizesInto(
  into: Uint32Array | Float64Array,
  { class: classes, elements, recorded, mirrorRow, mirrorClass, ids }: HeapObjects,
  sizes: HeapSizes,
  { threads, signal }: Work,
): Promise<void> {
  const { length } = ids;
  const graph = { class: classes, elements, mirrorRow, mirrorClass, ids: { length }, ...(recorded && { recorded }) };
  const ownRows = ownBytes(sizes, ids);
  const columns = [into, classes, elements, ...(recorded === undefined ? [] : [recorded])];
  const isShared = columns.every(({ buffer }) => !(buffer instanceof ArrayBuffer));
  if (threads !== undefined && isShared && length >= WORTH_A_THREAD)
    await threads.run(TAKING_SIZES, { into, graph, sizes, ownRows } satisfies SizesTask, signal);
  else takeSizes({ into, graph, sizes, ownRows });
}

/** Objects whose sizes take longer than asking a thread for them. */
const WORTH_A_THREAD = 1 << 20;

/** Puts the size of each object, in units, into `into`. */
export function takeSizes({ into, graph, sizes, ownRows }: SizesTask): void {
  const { size } = sizesWith(graph, sizes, ownRows);
  inSteps(0, into.length, (from, to) => takeSome(into, size, from, to));
}

function takeSome(into: Uint32Array | Float64Array, size: (row: number) => number, from: number, to: number): void {
  for (let row = from; row < to; row++) into[row] = size(row);
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
