/** The graph of a dump: ids and references are read in two passes over the file, then class objects and roots are joined. */

import { TooLargeError } from '../../../base/errors.js';
import type { Work } from '../../../base/progress.js';
import {
  type GraphRoots,
  type HeapClasses,
  MOST_OBJECTS,
  NO_ROW,
  noClass,
  type ObjectGraph,
} from '../../../models/heap/heap.js';
import { finishIds, type IdRange, idBuilder, type ObjectIds, rowOfId } from '../../../models/heap/object-ids.js';
import type { Crew } from './crew.js';
import type { ReadClasses } from './heap-classes.js';
import { type GraphColumns, MISSING, TARGETS } from './references.js';
import { rootKind } from './roots.js';
import { BLOCK_BYTES, type ScanPart } from './scan.js';

/** Where the ids of a scanned dump are. */
export function idRangeOf({ blocks, bits, objects, classes }: ScanPart): IdRange {
  return { blocks, blockBytes: BLOCK_BYTES, bits, most: objects + classes.length };
}

/** References that a dump has at most: by fields of classes and elements of arrays, and by the bytes of the file. */
export function mostReferences(
  scan: ScanPart,
  { fields, ofInstances, ofArrays }: ReadClasses,
  bytes: number,
  idSize: number,
): number {
  let most = scan.classes.length * 4 + scan.classes.memberKind.length;
  scan.id.forEach((_, number) => {
    const row = ofInstances[number];
    if (row >= 0) most += scan.instances[number] * (fields.first[row + 1] - fields.first[row]);
    if (ofArrays[number] >= 0) most += scan.elements[number];
  });
  return Math.min(most, Math.ceil(bytes / idSize));
}

export async function readGraph(crew: Crew, scan: ScanPart, read: ReadClasses, work: Work = {}): Promise<ObjectGraph> {
  const builder = idBuilder(idRangeOf(scan));
  await crew.collectIds(builder, work);
  const ids = finishIds(builder);
  const references = mostReferences(scan, read, crew.bytes, crew.idSize);
  if (ids.length >= MOST_OBJECTS || references >= 2 ** 32)
    throw new TooLargeError(
      `the heap has ${ids.length} objects and up to ${references} references; at most ${MOST_OBJECTS} and ${2 ** 32} can be joined`,
      'The histogram has no such limit.',
    );
  const columns: GraphColumns = {
    class:
      read.classes.length < 0xfffe ? new Uint16Array(shared(ids.length * 2)) : new Uint32Array(shared(ids.length * 4)),
    elements: new Uint32Array(shared(ids.length * 4)),
    first: new Uint32Array(shared(ids.length * 4)),
    targets: new Uint32Array(shared(references * 4)),
    counters: new Uint32Array(shared(8)),
    ...(scan.traced && { trace: new Int32Array(shared(ids.length * 4)) }),
  };
  const twice = scan.objects + scan.classes.length - ids.length;
  // With two objects of one id, the first of the file counts: then the order of reading matters.
  await crew.collectReferences(ids, read.fields, columns, twice > 0, work);
  return finishGraph(ids, columns, scan, read, twice);
}

function shared(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes);
}

function finishGraph(
  ids: ObjectIds,
  columns: GraphColumns,
  scan: ScanPart,
  read: ReadClasses,
  twice: number,
): ObjectGraph {
  const { class: classes, elements, first, targets, counters, trace } = columns;
  const { classes: heapClasses, classClass } = read;
  const none = noClass(classes);
  for (let row = 0; row < classes.length; row++) if (classes[row] !== none) classes[row]--;
  const mirrors = classObjects(ids, heapClasses);
  for (const row of mirrors.mirrorRow) classes[row] = classClass < 0 ? none : classClass;
  return {
    ids,
    class: classes,
    elements,
    ...mirrors,
    first,
    targets: targets.subarray(0, counters[TARGETS]),
    roots: rootsOf(ids, scan),
    missing: counters[MISSING],
    twice,
    ...(trace && { trace }),
  };
}

function classObjects(ids: ObjectIds, { address, length }: HeapClasses) {
  const classObject = new Uint32Array(length).fill(NO_ROW);
  const found: { readonly row: number; readonly heapClass: number }[] = [];
  for (let heapClass = 0; heapClass < length; heapClass++) {
    const row = address[heapClass] < 0 ? -1 : rowOfId(ids, address[heapClass]);
    if (row < 0) continue;
    classObject[heapClass] = row;
    found.push({ row, heapClass });
  }
  found.sort((a, b) => a.row - b.row);
  return {
    classObject,
    mirrorRow: Uint32Array.from(found, ({ row }) => row),
    mirrorClass: Uint32Array.from(found, ({ heapClass }) => heapClass),
  };
}

function rootsOf(ids: ObjectIds, { roots }: ScanPart): GraphRoots {
  const count = roots.tag.length;
  const row = new Uint32Array(count);
  const kind = new Uint8Array(count);
  const thread = new Float64Array(count);
  const frame = new Int32Array(count);
  let length = 0;
  for (let i = 0; i < count; i++) {
    const known = rowOfId(ids, roots.object[i]);
    const of = rootKind(roots.tag[i]);
    if (known < 0 || of < 0) continue;
    row[length] = known;
    kind[length] = of;
    thread[length] = roots.thread[i];
    frame[length] = of === THREAD ? -1 : roots.detail[i] | 0;
    length++;
  }
  return {
    length,
    row: row.subarray(0, length),
    kind: kind.subarray(0, length),
    thread: thread.subarray(0, length),
    frame: frame.subarray(0, length),
  };
}

const THREAD = rootKind(0x08);
