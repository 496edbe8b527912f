/** Suspects of drawn heaps: collections, lists of the program itself, large single objects, and holders of few parts, which are none. */
import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import * as tags from '../../../formats/hprof/tags.js';
import {
  dumpBytes,
  type PlainClass,
  type PlainHeap,
  type PlainObject,
} from '../../../formats/hprof/testing/plain-heap.js';
import { ask, openSession } from '../../../session/session.js';

const [OBJECT, OBJECTS, BYTES, STORE, ITEM] = [0x100, 0x200, 0x300, 0x400, 0x500];
const plain = { loader: 0, statics: [], fields: [] };
const reference = (name: string) => ({ name, type: tags.TYPE_OBJECT });
const ARRAY_BYTES = 200_000;
const ZEROS: readonly number[] = new Array<number>(ARRAY_BYTES).fill(0);

/** An array of 200 KB at each address. */
function arrayAt(id: number, elements = ZEROS): PlainObject {
  return { kind: 'primitive-array', id, bytes: elements.length, type: tags.TYPE_BYTE, values: elements };
}

/** `statics`: objects by the static field of `app/Store` that refers to them. */
function storeHeap(statics: Readonly<Record<string, number>>, objects: readonly PlainObject[]): PlainHeap {
  const classes: PlainClass[] = [
    { ...plain, id: OBJECT, name: 'java/lang/Object', parent: 0 },
    { ...plain, id: OBJECTS, name: '[Ljava/lang/Object;', parent: OBJECT, element: OBJECT },
    { ...plain, id: BYTES, name: '[B', parent: OBJECT },
    { ...plain, id: ITEM, name: 'app/Item', parent: OBJECT, fields: [reference('body'), reference('next')] },
    {
      ...plain,
      id: STORE,
      name: 'app/Store',
      parent: OBJECT,
      statics: Object.entries(statics).map(([name, value]) => ({ ...reference(name), value })),
    },
  ];
  return { classes, objects, roots: [{ tag: tags.ROOT_STICKY_CLASS, object: STORE, numbers: [] }] };
}

async function suspectsOf(heap: PlainHeap) {
  const source = memorySource('drawn', dumpBytes({ version: '1.0.2', idSize: 8 }, heap));
  const { rows } = await ask(await openSession([source]), { view: 'heap-suspects' });
  return rows.map(({ objects, name, held, collection }) => [objects, name, held, collection]);
}

const FIRST = 0x1_000_000;
const at = (i: number): number => FIRST + i * 0x40_000;
const ARRAY = 0x10_000;

/** Items in a row: each has an array, and refers to the next one if they are linked. */
function items(count: number, linked: boolean): PlainObject[] {
  const order = Array.from({ length: count }, (_, i) => i);
  return order.flatMap((i): PlainObject[] => {
    const values = [at(i) + ARRAY, linked && i + 1 < count ? at(i + 1) : 0];
    return [{ kind: 'instance', id: at(i), bytes: 32, class: ITEM, values }, arrayAt(at(i) + ARRAY)];
  });
}

function list(id: number, elements: readonly number[]): PlainObject {
  return { kind: 'object-array', id, bytes: 16 + 8 * elements.length, class: OBJECTS, values: elements };
}

test('a list of objects of the program: their class, how many, and the field', async () => {
  const elements = Array.from({ length: 40 }, (_, i) => at(i));
  deepStrictEqual(await suspectsOf(storeHeap({ ALL: 0x900_000 }, [list(0x900_000, elements), ...items(40, false)])), [
    [40, 'app.Item', 'app.Store.ALL', 'java.lang.Object[]'],
  ]);
});

test('a list of nodes that refer to each other counts as one', async () => {
  deepStrictEqual(await suspectsOf(storeHeap({ FIRST: at(0) }, items(40, true))), [
    [40, 'app.Item', 'app.Store.FIRST', 'app.Item'],
  ]);
});

test('a large array is a suspect by itself, beside a collection', async () => {
  const elements = Array.from({ length: 40 }, (_, i) => at(i));
  const objects = [
    list(0x900_000, elements),
    ...items(40, false),
    arrayAt(0x8_000_000, new Array<number>(6_000_000).fill(0)),
  ];
  deepStrictEqual(await suspectsOf(storeHeap({ ALL: 0x900_000, DATA: 0x8_000_000 }, objects)), [
    [40, 'app.Item', 'app.Store.ALL', 'java.lang.Object[]'],
    [1, 'byte[]', 'app.Store.DATA', 'byte[]'],
  ]);
});

test('objects that two lists share have no dominator: what holds most of them collects them', async () => {
  const elements = Array.from({ length: 40 }, (_, i) => at(i));
  const lists = [list(0x900_000, elements), list(0xa00_000, elements.slice(0, 39))];
  const heap = storeHeap({ ALL: 0x900_000 }, [...lists, ...items(40, false)]);
  const other: PlainClass = {
    ...plain,
    id: 0x600,
    name: 'app/Other',
    parent: OBJECT,
    statics: [{ ...reference('SOME'), value: 0xa00_000 }],
  };
  const roots = [...heap.roots, { tag: tags.ROOT_STICKY_CLASS, object: 0x600, numbers: [] }];
  const rows = await suspectsOf({ ...heap, classes: [...heap.classes, other], roots });
  deepStrictEqual(rows, [[39, 'app.Item', 'app.Store.ALL', 'java.lang.Object[]']]);
});

test('few fields that each hold less than a fifth are no suspect, nor is a small heap', async () => {
  const fields = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`F${i}`, at(i)]));
  const parts = Array.from({ length: 10 }, (_, i) => arrayAt(at(i), new Array<number>(600_000).fill(0)));
  const spread = parts.map((part, i) => ({ ...part, id: FIRST + i * 0x100_000 }));
  const statics = Object.fromEntries(Object.keys(fields).map((name, i) => [name, FIRST + i * 0x100_000]));
  deepStrictEqual(await suspectsOf(storeHeap(statics, spread)), []);
  const elements = Array.from({ length: 15 }, (_, i) => at(i));
  deepStrictEqual(
    await suspectsOf(storeHeap({ ALL: 0x900_000 }, [list(0x900_000, elements), ...items(15, false)])),
    [],
  );
});
