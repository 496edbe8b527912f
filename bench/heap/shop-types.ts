/** The classes of the heap of the benchmark, with the fields that JDK 17 has. */
import {
  TYPE_BOOLEAN,
  TYPE_BYTE,
  TYPE_FLOAT,
  TYPE_INT,
  TYPE_LONG,
  TYPE_OBJECT,
  TYPE_SHORT,
} from '../../src/formats/hprof/tags.js';
import type { JavaClass, PlacedHeap } from '../../src/formats/hprof/testing/placed-heap.js';

const TYPES: Readonly<Record<string, number>> = {
  L: TYPE_OBJECT,
  Z: TYPE_BOOLEAN,
  B: TYPE_BYTE,
  S: TYPE_SHORT,
  I: TYPE_INT,
  J: TYPE_LONG,
  F: TYPE_FLOAT,
};

export type Types = ReturnType<typeof defineTypes>;

/** Defines the classes, and one whose static field holds `registry`. */
export function defineTypes(heap: PlacedHeap, registry: number) {
  const object = heap.define('java/lang/Object');
  /** A class from its name and fields, `name:type`. */
  const java = (text: string, parent = object): JavaClass => {
    const [name = '', ...members] = text.split(' ');
    const fields = members.map((member): [string, number] => {
      const [field = '', letter = ''] = member.split(':');
      return [field, TYPES[letter] ?? TYPE_OBJECT];
    });
    return heap.define(name, { parent, fields });
  };
  const number = java('java/lang/Number');
  const list = java('java/util/AbstractList modCount:I');
  const map = java('java/util/AbstractMap keySet:L values:L');
  const reference = java('java/lang/ref/Reference referent:L queue:L next:L discovered:L');
  const classLoader = java('java/lang/ClassLoader parent:L');
  heap.define('shop/Registry', { parent: object, statics: [['ALL', registry]] });
  return {
    object,
    string: java('java/lang/String value:L hash:I coder:B hashIsZero:Z'),
    long: java('java/lang/Long value:J', number),
    integer: java('java/lang/Integer value:I', number),
    arrayList: java('java/util/ArrayList elementData:L size:I', list),
    linkedList: java('java/util/LinkedList size:I first:L last:L', list),
    linkedNode: java('java/util/LinkedList$Node item:L next:L prev:L'),
    hashMap: java('java/util/HashMap table:L entrySet:L size:I modCount:I threshold:I loadFactor:F', map),
    hashNode: java('java/util/HashMap$Node hash:I key:L value:L next:L'),
    weak: java('java/lang/ref/WeakReference', reference),
    thread: java('java/lang/Thread name:L tid:J'),
    loader: java('shop/PluginLoader plugin:L', classLoader),
    node: java('shop/Node next:L value:I'),
    state: java('shop/State name:L ordinal:I'),
    address: java('shop/Address street:L city:L number:I'),
    customer: java('shop/Customer name:L address:L orders:L notes:L picture:L friend:L number:I'),
    order: java('shop/Order customer:L lines:L state:L weights:L number:J'),
    line: java('shop/Line order:L article:L cents:J count:S gift:Z'),
    bytes: java('[B'),
    ints: java('[I'),
    longs: java('[J'),
    doubles: java('[D'),
    doubleRows: java('[[D'),
    objects: java('[Ljava/lang/Object;'),
    hashNodes: java('[Ljava/util/HashMap$Node;'),
  };
}
