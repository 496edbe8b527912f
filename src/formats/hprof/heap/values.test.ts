/** Values of objects: of random heaps as they were written, from files and streams. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ByteSource, memorySource } from '../../../bytes/byte-source.js';
import { rowOfId } from '../../../models/heap/object-ids.js';
import { runs } from '../../../testing/amount.js';
import { heapReader } from '../heaps.js';
import { readHprofFile } from '../read.js';
import { dumpBytes, type PlainHeap, type PlainObject, typesOf } from '../testing/plain-heap.js';
import { randomHeap } from '../testing/random-heap.js';

/** The values of an object as the specification has them: big-endian, references in the size of ids. */
function expected({ classes }: PlainHeap, object: PlainObject, idSize: 4 | 8): Buffer {
  const byId = new Map(classes.map((type) => [type.id, type]));
  const types =
    object.kind === 'instance'
      ? typesOf(byId, object.class)
      : object.values.map(() => (object.kind === 'primitive-array' ? object.type : 2));
  return Buffer.concat(types.map((type, i) => encoded(type, object.values[i] ?? 0, idSize)));
}

function encoded(type: number, value: number, idSize: 4 | 8): Buffer {
  const size = [0, 0, idSize, 0, 1, 2, 4, 8, 1, 2, 4, 8][type] ?? 0;
  const view = new DataView(new ArrayBuffer(size));
  if (type === 6) view.setFloat32(0, value);
  else if (type === 7) view.setFloat64(0, value);
  else if (size === 8) view.setBigInt64(0, BigInt(value));
  else if (size === 4) view.setInt32(0, value);
  else if (size === 2) view.setInt16(0, value);
  else view.setInt8(0, value);
  return Buffer.from(view.buffer);
}

const streamOf = ({ name, open }: ByteSource): ByteSource => ({ name, open, size: undefined });

test('wanted bytes of any objects of random heaps', async () => {
  const spans = fc.array(fc.tuple(fc.nat(30), fc.nat(40), fc.nat(60)), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(randomHeap, spans, fc.boolean(), async ({ heap, layout: { idSize } }, asked, stream) => {
      fc.pre(heap.objects.length > 0);
      const bytes = dumpBytes({ version: '1.0.2', idSize, segmentBytes: 64 }, heap);
      const source = stream ? streamOf(memorySource('x', bytes)) : memorySource('x', bytes);
      const recording = await readHprofFile(source);
      const reader = heapReader(source, recording);
      const graph = await reader.graph(0);
      const of = (number: number): PlainObject => {
        const object = heap.objects[number % heap.objects.length];
        ok(object !== undefined);
        return object;
      };
      const wanted = new Map(
        asked.map(([at, from, length]) => [rowOfId(graph.ids, of(at).id), { from, to: from + length }]),
      );
      const found = await reader.values(0, graph, wanted);
      equal(found.size, wanted.size);
      for (const [at] of asked) {
        const row = rowOfId(graph.ids, of(at).id);
        const span = wanted.get(row) ?? { from: 0, to: 0 };
        const whole = expected(heap, of(at), idSize);
        deepEqual(Buffer.from(found.get(row) ?? []), whole.subarray(span.from, Math.max(span.from, span.to)));
      }
    }),
    runs(400),
  );
});

test('a page of a long array is read without the rest, across windows', async () => {
  const values = Array.from({ length: 700_000 }, (_, i) => i);
  const heap: PlainHeap = {
    classes: [],
    objects: [
      { kind: 'primitive-array', id: 16, bytes: 0, type: 10, values },
      { kind: 'primitive-array', id: 4_000_000, bytes: 0, type: 10, values: [7] },
    ],
    roots: [],
  };
  const source = streamOf(memorySource('x', dumpBytes({ version: '1.0.2', idSize: 8 }, heap)));
  const reader = heapReader(source, await readHprofFile(source));
  const graph = await reader.graph(0);
  for (const [from, to] of [
    [262_000, 262_300],
    [699_999, 800_000],
    [700_000, 700_001],
  ] as const) {
    const found = await reader.values(
      0,
      graph,
      new Map([
        [0, { from: from * 4, to: to * 4 }],
        [1, { from: 0, to: 4 }],
      ]),
    );
    const bytes = Buffer.from(found.get(0) ?? []);
    deepEqual(
      Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32BE(i * 4)),
      values.slice(from, to),
    );
    deepEqual([...(found.get(1) ?? [])], [0, 0, 0, 7]);
  }
});

test('an array that is cut off has the elements in the file, and uses no more memory', async () => {
  const heap: PlainHeap = {
    classes: [],
    objects: [{ kind: 'primitive-array', id: 16, bytes: 0, type: 8, values: Array<number>(4000).fill(5) }],
    roots: [],
  };
  const whole = dumpBytes({ version: '1.0.2', idSize: 8, endRecord: false }, heap);
  const source = memorySource('x', whole.subarray(0, whole.length - 1000));
  const reader = heapReader(source, await readHprofFile(source));
  const found = await reader.values(0, await reader.graph(0), new Map([[0, { from: 0, to: 2 ** 40 }]]));
  deepEqual(found.get(0), new Uint8Array(3000).fill(5));
});
