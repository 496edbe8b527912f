import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT_STICKY_CLASS, TYPE_BYTE, TYPE_INT, TYPE_OBJECT } from '../tags.js';
import { MemorySink } from '../write/bytes.js';
import { LAYOUTS } from './heap-layout.js';
import { PlacedHeap } from './placed-heap.js';
import { plainRecords, plainSubs } from './plain-reader.js';

function written(layout: (typeof LAYOUTS)[keyof typeof LAYOUTS]) {
  const sink = new MemorySink();
  const heap = new PlacedHeap(sink, { layout, segmentBytes: 64 });
  const object = heap.define('java/lang/Object');
  const node = heap.define('a/Node', {
    parent: object,
    fields: [
      ['next', TYPE_OBJECT],
      ['value', TYPE_INT],
    ],
  });
  const [bytes, objects] = [heap.define('[B', { parent: object }), heap.define('[La/Node;', { parent: object })];
  heap.writeClasses();
  const [first, second, array, all] = [
    heap.take(node),
    heap.take(node),
    heap.takeArray(TYPE_BYTE, 5),
    heap.takeArray(TYPE_OBJECT, 3),
  ];
  for (const [at, next] of [
    [first, second],
    [second, 0],
  ] as const) {
    const out = heap.instance(at, node);
    heap.reference(out, next);
    out.u4(7);
  }
  heap.primitives(array, bytes, TYPE_BYTE, 5).zeros(5);
  heap.objects(all, objects, [first, 0, second]);
  heap.writeClassRoots();
  heap.writer.end();
  return { heap, sizes: [second - first, array - second, all - array, heap.space.next - all], bytes: sink.bytes() };
}

test('objects are as far from each other as they are large, in each layout', () => {
  assert.deepEqual(written(LAYOUTS.compressed).sizes, [24, 24, 24, 32]);
  assert.deepEqual(written(LAYOUTS.wide).sizes, [32, 32, 32, 48]);
  assert.deepEqual(written(LAYOUTS.compact).sizes, [16, 16, 24, 24]);
  assert.deepEqual(written(LAYOUTS.narrow).sizes, [16, 16, 24, 24]);
});

test('the dump has what was put in, with ids of the layout', () => {
  for (const layout of Object.values(LAYOUTS)) {
    const { heap, bytes } = written(layout);
    assert.equal(plainRecords(bytes).idSize, layout.idSize);
    assert.deepEqual([heap.references, heap.classes.map(({ objects }) => objects)], [3, [0, 2, 1, 1]]);
    const tags = plainSubs(bytes).map(({ tag }) => tag);
    assert.deepEqual(tags, [0x20, 0x20, 0x20, 0x20, 0x21, 0x21, 0x23, 0x22, ...new Array(4).fill(ROOT_STICKY_CLASS)]);
  }
});
