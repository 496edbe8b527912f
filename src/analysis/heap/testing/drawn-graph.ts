/** Graphs of any size without a dump: objects of no class, whose rows are their ids and whose size is 8 bytes. */
import { type HeapSizes, LAST_REFERENCE, type ObjectGraph } from '../../../models/heap/heap.js';
import { finishIds, IdSink, idBuilder } from '../../../models/heap/object-ids.js';
import { type ChosenGraph, chooseGraph } from '../reachable-edges.js';

const NONE = new Uint32Array(0);
const ALIGNMENT = 8;

/** `targets` of object `o` are `flat[start[o]] .. flat[start[o + 1]]`. */
export interface DrawnEdges {
  readonly start: Uint32Array;
  readonly flat: Uint32Array;
  readonly roots: readonly number[];
}

export function chosenDrawn({ start, flat, roots }: DrawnEdges): { chosen: ChosenGraph; sizes: HeapSizes } {
  const length = start.length - 1;
  const builder = idBuilder({ blocks: undefined, blockBytes: 1, bits: 0, most: length });
  const sink = new IdSink(builder);
  for (let row = 0; row < length; row++) sink.add(row);
  const first = new Uint32Array(length);
  const targets = flat.slice();
  for (let row = 0; row < length; row++) {
    if (start[row] === start[row + 1]) continue;
    first[row] = start[row] + 1;
    targets[start[row + 1] - 1] += LAST_REFERENCE;
  }
  const graph: ObjectGraph = {
    ids: finishIds(builder),
    class: new Uint16Array(length).fill(0xffff),
    elements: new Uint32Array(length),
    classObject: NONE,
    mirrorRow: NONE,
    mirrorClass: NONE,
    first,
    targets,
    roots: {
      length: roots.length,
      row: Uint32Array.from(roots),
      kind: new Uint8Array(roots.length),
      thread: new Float64Array(roots.length).fill(-1),
      frame: new Int32Array(roots.length).fill(-1),
      trace: new Int32Array(roots.length).fill(-1),
    },
    missing: 0,
    twice: 0,
    recorded: new Float64Array(length).fill(ALIGNMENT),
  };
  return { chosen: chooseGraph(graph, noClasses(), []), sizes: recordedSizes(length * ALIGNMENT) };
}

function noClasses() {
  const int = new Int32Array(0);
  const byte = new Uint8Array(0);
  const double = new Float64Array(0);
  const fields = { fieldFirst: new Int32Array(1), fieldName: int, fieldType: byte };
  const statics = { staticFirst: new Int32Array(1), staticName: int, staticType: byte };
  const columns = { class: int, address: double, parent: int, loader: double, kind: byte, element: byte };
  const counts = { objects: double, elements: double, recordedBytes: double };
  return { length: 0, ...columns, referent: byte, ...fields, ...statics, staticHigh: NONE, staticLow: NONE, ...counts };
}

function recordedSizes(bytes: number): HeapSizes {
  const none = new Float64Array(0);
  const byte = new Uint8Array(0);
  const layout = { header: 0, reference: 0, referenceArray: 0, wideArray: 0, narrowArray: 0, alignment: 8 };
  const rule = { rule: 'recorded', base: none, width: byte, classObject: none, source: byte } as const;
  return { ...rule, bytes: Float64Array.of(bytes), alignment: ALIGNMENT, layout: { ...layout, from: 'ids' } };
}
