/** Heaps whose file lists each object: the classes, and the graph in the shape that all analysis uses. */
import { Int32Builder } from '../../base/columns/columns.js';
import { NONE } from '../../base/flavor.js';
import {
  CLASS_OBJECTS,
  type Heap,
  type HeapClasses,
  type HeapSizes,
  LAST_REFERENCE,
  mirrorsOf,
  NO_ROW,
  OBJECT_KINDS,
  type ObjectGraph,
  type ObjectLayout,
  SIZE_SOURCES,
} from './heap.js';
import { type HeapGraph, type ObjectTable, ROOTS } from './heap-graph.js';
import { finishIds, IdSink, idBuilder, NO_OBJECT, type ObjectIds, RowLookup } from './object-ids.js';
import { countKinds, ROOT_KINDS } from './root-kinds.js';

const CLASS_KIND = OBJECT_KINDS.indexOf('class');
const INSTANCE_KIND = OBJECT_KINDS.indexOf('instance');
const BLOCK_BYTES = 2 ** 20;
/** Bytes of an array without elements, at most. If the file gives 0 elements for a larger array, the length is unknown. */
const EMPTY_ARRAY = 24;
/** No rule is known: all sizes are recorded. */
const NO_LAYOUT: ObjectLayout = {
  header: 0,
  reference: 0,
  referenceArray: 0,
  wideArray: 0,
  narrowArray: 0,
  alignment: 1,
  from: 'ids',
};

/** The heap of a recorded graph. One pass over its objects. */
export function recordedHeap(recorded: HeapGraph): Heap {
  const { objects, dump, roots, references } = recorded;
  const rows = heapClassRows(recorded);
  const { length } = rows.class;
  const none = { first: new Int32Array(length + 1), int: new Int32Array(0), byte: new Uint8Array(0) };
  const counts = {
    objects: new Float64Array(length),
    elements: new Float64Array(length),
    bytes: new Float64Array(length),
  };
  const kind = new Uint8Array(length);
  for (let id = 0; id < objects.length; id++) {
    const row = rows.ofObject[id];
    counts.objects[row]++;
    const size = objects.size?.[id] ?? 0;
    counts.bytes[row] += size;
    if (objects.kind[id] !== CLASS_KIND) kind[row] = objects.kind[id];
    if (lacksLength(objects, id)) counts.elements[row] = NaN;
    else if (objects.elements[id] > 0) counts.elements[row] += objects.elements[id];
  }
  const classes: HeapClasses = {
    length,
    class: rows.class,
    address: rows.address,
    parent: new Int32Array(length).fill(NONE),
    loader: new Float64Array(length).fill(-1),
    kind,
    element: new Uint8Array(length),
    referent: new Uint8Array(length),
    fieldFirst: none.first,
    fieldName: none.int,
    fieldType: none.byte,
    staticFirst: none.first,
    staticName: none.int,
    staticType: none.byte,
    staticHigh: new Uint32Array(0),
    staticLow: new Uint32Array(0),
    objects: counts.objects,
    elements: counts.elements,
    recordedBytes: new Float64Array(length).fill(-1),
  };
  return {
    dump,
    idSize: 4,
    classes,
    sizes: recordedSizes(counts.bytes, objects.size === undefined ? 'unknown' : 'recorded'),
    roots: roots.length,
    rootKinds: countKinds(ROOTS.rows(roots).kind),
    recorded,
    graphBytes: objects.length * 24 + references.length * 4,
  };
}

/** Whether an object is an array of unknown length. */
function lacksLength({ elements, size, kind }: ObjectTable, id: number): boolean {
  if (size !== undefined) return elements[id] === 0 && size[id] > EMPTY_ARRAY;
  return elements[id] < 0 && kind[id] !== INSTANCE_KIND && kind[id] !== CLASS_KIND;
}

function recordedSizes(bytes: Float64Array, rule: 'recorded' | 'unknown'): HeapSizes {
  const { length } = bytes;
  return {
    rule,
    base: new Float64Array(length),
    width: new Uint8Array(length),
    classObject: new Float64Array(length),
    bytes,
    alignment: 1,
    source: new Uint8Array(length).fill(SIZE_SOURCES.indexOf('recorded')),
    layout: NO_LAYOUT,
  };
}

/** Heap classes: those of instances and arrays, one for class objects, and those that only have a class object. */
function heapClassRows({ objects }: HeapGraph) {
  const known = new Map<number, number>();
  const of = new Int32Builder();
  const rowOf = (id: number): number => {
    const row = known.get(id) ?? of.push(id);
    known.set(id, row);
    return row;
  };
  const ofObject = new Int32Array(objects.length);
  for (let id = 0; id < objects.length; id++)
    ofObject[id] = rowOf(objects.kind[id] === CLASS_KIND ? CLASS_OBJECTS : objects.class[id]);
  for (let id = 0; id < objects.length; id++) if (objects.kind[id] === CLASS_KIND) rowOf(objects.class[id]);
  const address = new Float64Array(of.length).fill(-1);
  for (let id = objects.length - 1; id >= 0; id--)
    if (objects.kind[id] === CLASS_KIND && objects.class[id] >= 0)
      address[rowOf(objects.class[id])] = objects.address[id];
  return { class: of.finish(), ofObject, address };
}

/** The graph of a recorded heap. Throws if the heap has none. */
export function graphOfRecorded({ recorded, classes }: Heap): ObjectGraph {
  if (recorded === undefined) throw new Error('the heap has no recorded graph');
  const { objects, references } = recorded;
  const ids = idsOf(objects.address);
  const lookup = new RowLookup(ids);
  const rowOf = Uint32Array.from(objects.address, (address) => lookup.row(address));
  const heapClass = new Map<number, number>();
  classes.class.forEach((of, row) => {
    heapClass.set(of, row);
  });
  const columns = {
    class: new Uint32Array(ids.length).fill(NO_ROW),
    elements: new Uint32Array(ids.length),
    first: new Uint32Array(ids.length),
    listed: new Uint32Array(ids.length),
    trace: new Int32Array(ids.length).fill(NONE),
  };
  const sizes = objects.size && new Float64Array(ids.length);
  const classObject = new Uint32Array(classes.length).fill(NO_ROW);
  const targets = new Uint32Array(references.length);
  let used = 0;
  let missing = 0;
  let twice = 0;
  for (let id = 0; id < objects.length; id++) {
    const row = rowOf[id];
    if (columns.class[row] !== NO_ROW) {
      twice++;
      continue;
    }
    const isClass = objects.kind[id] === CLASS_KIND;
    columns.class[row] = heapClass.get(isClass ? CLASS_OBJECTS : objects.class[id]) ?? NO_ROW;
    columns.elements[row] = Math.max(0, objects.elements[id]);
    columns.listed[row] = id;
    if (sizes !== undefined && objects.size !== undefined) sizes[row] = objects.size[id];
    columns.trace[row] = objects.trace[id];
    if (isClass) classObject[heapClass.get(objects.class[id]) ?? 0] = row;
    const from = used;
    for (let i = objects.first[id]; i < objects.first[id + 1]; i++) {
      const target = references.target[i];
      if (target >= 0) targets[used++] = rowOf[target];
      else if (target < NONE) missing++;
    }
    if (used === from) continue;
    targets[used - 1] += LAST_REFERENCE;
    columns.first[row] = from + 1;
  }
  return {
    ids,
    ...columns,
    ...(sizes && { recorded: sizes }),
    ...(recorded.numbered && { numbered: true }),
    classObject,
    ...mirrorsOf(classObject),
    targets: targets.subarray(0, used),
    roots: rootsOf(recorded, rowOf),
    missing,
    twice,
  };
}

function idsOf(address: Float64Array): ObjectIds {
  const blocks = new Set<number>();
  let bits = 0;
  for (const id of address) {
    blocks.add(Math.floor(id / BLOCK_BYTES));
    bits |= id % 2 ** 32;
  }
  const most = address.length;
  const builder = idBuilder({ blocks: Float64Array.from(blocks), blockBytes: BLOCK_BYTES, bits, most });
  const sink = new IdSink(builder);
  for (const id of address) sink.add(id);
  return finishIds(builder);
}

function rootsOf({ roots }: HeapGraph, rowOf: Uint32Array): ObjectGraph['roots'] {
  const { object, kind, thread, frame, trace, detail } = ROOTS.rows(roots);
  const rows = Array.from({ length: roots.length }, (_, i) => i).filter((i) => object[i] > NO_OBJECT);
  return {
    length: rows.length,
    row: Uint32Array.from(rows, (i) => rowOf[object[i]]),
    kind: Uint8Array.from(rows, (i) => kind[i]),
    thread: Float64Array.from(rows, (i) => thread[i]),
    frame: Int32Array.from(rows, (i) => frame[i]),
    trace: Int32Array.from(rows, (i) => trace[i]),
    ...(rows.some((i) => isNamed(kind[i])) && {
      name: Int32Array.from(rows, (i) => (isNamed(kind[i]) ? detail[i] : NONE)),
    }),
  };
}

const NAMED_ROOTS: ReadonlySet<number> = new Set([
  ROOT_KINDS.indexOf('static-field'),
  ROOT_KINDS.indexOf('method-constant'),
]);

/** Whether `detail` of such roots is the StringId of a field or method. */
function isNamed(kind: number): boolean {
  return NAMED_ROOTS.has(kind);
}
