/** A heap with something of everything, and its dumps that tests damage: `fixtures/`, written by `fixtures.test.ts`. */
import * as tags from '../tags.js';
import { type DumpOptions, type PlainClass, type PlainHeap, type PlainObject, typesOf } from './plain-heap.js';

type Field = PlainClass['fields'][number];
const reference = (name: string): Field => ({ name, type: tags.TYPE_OBJECT });
const plain = { loader: 0, statics: [], fields: [] };

/** Ids `step` apart. */
function heapAt(base: number, step: number): PlainHeap {
  const at = (number: number): number => base + number * step;
  const [object, node, more, ref, weak, objects, bytes, longs, clazz] = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(at);
  const classes: PlainClass[] = [
    { ...plain, id: object, name: 'java/lang/Object', parent: 0 },
    { ...plain, id: node, name: 'a/Node', parent: object, fields: [reference('next'), reference('other')] },
    { ...plain, id: more, name: 'a/More', parent: node, loader: at(20), fields: [{ name: 'i', type: tags.TYPE_INT }] },
    { ...plain, id: ref, name: 'java/lang/ref/Reference', parent: object, fields: [reference('referent')] },
    { ...plain, id: weak, name: 'java/lang/ref/WeakReference', parent: ref },
    { ...plain, id: objects, name: '[Ljava/lang/Object;', parent: object, element: object },
    { ...plain, id: bytes, name: '[B', parent: object },
    { ...plain, id: longs, name: '[J', parent: object },
    { ...plain, id: clazz, name: 'java/lang/Class', parent: object, fields: [reference('name')] },
  ];
  const holder: PlainClass = {
    ...plain,
    id: at(9),
    name: 'a/Holder',
    parent: object,
    statics: [
      { name: 'all', type: tags.TYPE_OBJECT, value: at(30) },
      { name: 'size', type: tags.TYPE_LONG, value: 12 },
    ],
  };
  const all = [...classes, holder];
  const byId = new Map(all.map((type) => [type.id, type]));
  const instance = (number: number, type: number, ...values: number[]): PlainObject => ({
    kind: 'instance',
    id: at(number),
    bytes: step,
    class: type,
    values: typesOf(byId, type).map((_, i) => values[i] ?? 0),
  });
  const list = Array.from({ length: 8 }, (_, i) =>
    instance(21 + i, node, i < 7 ? at(22 + i) : 0, i > 0 ? at(20 + i) : 0),
  );
  return {
    classes: all,
    objects: [
      instance(20, more, 7, at(21)),
      ...list,
      { kind: 'object-array', id: at(30), bytes: step, class: objects, values: [at(21), 0, at(30), at(31), at(99)] },
      instance(31, weak, at(32)),
      instance(32, node, at(25), at(33)),
      { kind: 'primitive-array', id: at(33), bytes: step, type: tags.TYPE_BYTE, values: [1, 2, 3] },
      { kind: 'primitive-array', id: at(34), bytes: step, type: tags.TYPE_LONG, values: [5, 6] },
    ],
    roots: [
      { tag: tags.ROOT_STICKY_CLASS, object: at(9), numbers: [] },
      { tag: tags.ROOT_THREAD_OBJECT, object: at(20), numbers: [1, 1] },
      { tag: tags.ROOT_JAVA_FRAME, object: at(34), numbers: [1, 0] },
      { tag: tags.ROOT_JNI_GLOBAL, object: at(31), numbers: [0x77] },
    ],
  };
}

/** By the name of the file. */
export const SMALL_HEAPS: Readonly<Record<string, { readonly options: DumpOptions; readonly heap: PlainHeap }>> = {
  'hotspot-heap.hprof': {
    options: { version: '1.0.2', idSize: 8, segmentBytes: 300 },
    heap: heapAt(0x7_0000_0000, 24),
  },
  'android-heap.hprof': {
    options: { version: '1.0.3', idSize: 4, heaps: true, order: ['objects', 'roots', 'classes'] },
    heap: heapAt(0x7000_0000, 16),
  },
  'agent-heap.hprof': {
    options: { version: '1.0.1', idSize: 4, elementClasses: true, order: ['roots', 'objects', 'classes'] },
    heap: heapAt(0x5000_0000, 1),
  },
};
