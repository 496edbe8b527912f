/**
 * Sizes of objects by the rule of Eclipse MAT, to compare figures with it. It knows one header (a word and a reference) and
 * lays out fields class by class; class objects have the size of their static fields.
 *
 * Source: MAT's sizes of every object of 22 dumps; its `HprofParserHandlerImpl`.
 */
import {
  type Heap,
  type HeapClasses,
  type HeapObjects,
  type HeapSizes,
  OBJECT_KINDS,
  SIZE_SOURCES,
} from '../../models/heap/heap.js';
import { recordedBytes, roundedUp } from '../../models/heap/values.js';
import { sumBytes } from './object-sizes.js';

const ALIGNMENT = 8;
const INSTANCE = OBJECT_KINDS.indexOf('instance');

/** `graph`: its objects are summed by class. */
export function matSizes({ classes, idSize, sizes }: Heap, graph: HeapObjects): HeapSizes {
  const reference = idSize === 8 ? sizes.layout.reference : 4;
  const header = idSize + reference;
  const bytesOf = (type: number): number => recordedBytes(type, reference);
  const array = roundedUp(header + 4, reference);
  const { length, kind, element } = classes;
  const instances = instanceBytes(classes, header, reference, bytesOf);
  const rule: Omit<HeapSizes, 'bytes'> = {
    rule: 'mat',
    base: Float64Array.from(kind, (of, row) => (of === INSTANCE ? instances[row] : array)),
    width: Uint8Array.from(kind, (of, row) => (of === INSTANCE ? 0 : bytesOf(element[row]))),
    classObject: Float64Array.from({ length }, (_, row) => {
      let statics = 0;
      for (let i = classes.staticFirst[row]; i < classes.staticFirst[row + 1]; i++)
        statics += bytesOf(classes.staticType[i]);
      return roundedUp(statics, ALIGNMENT);
    }),
    alignment: ALIGNMENT,
    source: new Uint8Array(length).fill(SIZE_SOURCES.indexOf('rule')),
    layout: {
      header,
      reference,
      referenceArray: array,
      wideArray: array,
      narrowArray: array,
      alignment: ALIGNMENT,
      from: 'ids',
    },
  };
  return { ...rule, bytes: sumBytes(graph, rule, length) };
}

function instanceBytes(
  { length, parent, fieldFirst, fieldType }: HeapClasses,
  header: number,
  reference: number,
  bytesOf: (type: number) => number,
): Float64Array {
  const ends = new Float64Array(length).fill(-1);
  for (let row = 0; row < length; row++) {
    const path: number[] = [];
    for (let at = row; at >= 0 && ends[at] < 0; at = parent[at]) {
      ends[at] = 0;
      path.push(at);
    }
    for (const at of path.reverse()) {
      let own = 0;
      for (let i = fieldFirst[at]; i < fieldFirst[at + 1]; i++) own += bytesOf(fieldType[i]);
      // The rule takes the class without a super class for one without fields.
      ends[at] = parent[at] < 0 ? header : roundedUp(ends[parent[at]] + own, reference);
    }
  }
  return ends.map((end) => roundedUp(end, ALIGNMENT));
}
