import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../testing/amount.js';
import { HeapScan } from '../heap/passes/scan.js';
import type { ScanPart } from '../heap/passes/scan-part.js';
import { eachWindow, WindowBuffer } from '../heap/passes/windows.js';
import * as tags from '../tags.js';
import { type DumpOptions, dumpBytes, type PlainHeap } from '../testing/plain-heap.js';
import { type PlainSub, plainHeapBytes, plainRecords, plainSubs } from '../testing/plain-reader.js';
import { type RandomHeap, randomHeap } from '../testing/random-heap.js';
import { MemorySink } from './bytes.js';
import { type HprofOptions, HprofWriter, VERSIONS } from './records.js';

/** What the first pass finds in all heap records of a file. */
async function scanned(bytes: Uint8Array): Promise<ScanPart> {
  const heap = plainHeapBytes(bytes);
  const scan = new HeapScan(plainRecords(bytes).idSize);
  const read = (offset: number, target: Uint8Array): number => {
    const part = heap.subarray(offset, offset + target.length);
    target.set(part);
    return part.length;
  };
  assert.equal(await eachWindow(read, 0, heap.length, scan, new WindowBuffer()), heap.length);
  assert.equal(scan.unknown, undefined);
  return scan.finish();
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

async function assertScanned(heap: PlainHeap, bytes: Uint8Array, times = 1): Promise<void> {
  const part = await scanned(bytes);
  const of = (kind: string): number => times * heap.objects.filter((object) => object.kind === kind).length;
  const elements = (kind: string): number =>
    times * heap.objects.reduce((total, { kind: other, values }) => total + (other === kind ? values.length : 0), 0);
  assert.equal(part.objects, times * heap.objects.length);
  assert.equal(sum(part.instances), of('instance'));
  assert.equal(sum(part.arrays), of('object-array'));
  assert.equal(sum(part.elements), elements('object-array'));
  assert.equal(sum(part.primitiveArrays), of('primitive-array'));
  assert.equal(sum(part.primitiveElements), elements('primitive-array'));
  assert.equal(part.classes.length, times * heap.classes.length);
  assert.equal(part.roots.tag.length, times * heap.roots.length);
  for (const [row, id] of part.id.entries()) {
    const instances = heap.objects.filter((object) => object.kind === 'instance' && object.class === id);
    assert.equal(part.instances[row], times * instances.length);
  }
}

/** Objects as the plain reader has them. */
function subOf(heap: PlainHeap, id: number): PlainSub['values'] {
  const object = heap.objects.find((other) => other.id === id);
  return object?.kind === 'instance' ? undefined : object?.values;
}

const variant = fc.record(
  {
    version: fc.constantFrom(...VERSIONS),
    segmentBytes: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
    segmentEnds: fc.constantFrom('between' as const, 'anywhere' as const),
    order: fc.shuffledSubarray(['classes' as const, 'objects' as const, 'roots' as const], { minLength: 3 }),
    elementClasses: fc.boolean(),
    arraysTwice: fc.boolean(),
  },
  { noNullPrototype: true },
);

function optionsOf(
  { layout }: RandomHeap,
  choice: typeof variant extends fc.Arbitrary<infer V> ? V : never,
): DumpOptions {
  const { segmentBytes, ...rest } = choice;
  const heaps = choice.version === '1.0.3';
  return { ...rest, ...(segmentBytes === undefined ? {} : { segmentBytes }), idSize: layout.idSize, heaps };
}

test('the first pass counts what was written, in all variants', async () => {
  await fc.assert(
    fc.asyncProperty(randomHeap, variant, async (random, choice) => {
      const options = optionsOf(random, choice);
      // The scan does not know about version 1.0, whose primitive arrays are arrays of objects.
      const version = options.version === '1.0' ? '1.0.1' : options.version;
      await assertScanned(random.heap, dumpBytes({ ...options, version }, random.heap));
    }),
    runs(500),
  );
});

test('the plain reader finds each object with its values, in all variants', () => {
  fc.assert(
    fc.property(randomHeap, variant, (random, choice) => {
      const { heap } = random;
      const options = optionsOf(random, choice);
      const bytes = dumpBytes(options, heap);
      assert.equal(plainRecords(bytes).version, options.version);
      const subs = plainSubs(bytes);
      const objects = subs.filter(({ tag }) => tag >= tags.INSTANCE_DUMP && tag <= tags.PRIMITIVE_ARRAY_DUMP);
      assert.deepEqual(
        objects.map(({ id }) => id),
        heap.objects.map(({ id }) => id),
      );
      for (const { id, tag, values } of objects)
        if (tag !== tags.INSTANCE_DUMP && !floats(heap, id)) assert.deepEqual(values, subOf(heap, id));
      const roots = subs.filter((sub) => heap.roots.some((root) => root.tag === sub.tag));
      assert.deepEqual(
        roots.map(({ tag, id, numbers }) => ({ tag, object: id, numbers })),
        heap.roots,
      );
      for (const { id, numbers } of subs.filter(({ tag }) => tag === tags.CLASS_DUMP)) {
        const type = heap.classes.find((other) => other.id === id);
        assert.deepEqual(numbers.slice(1, 3), [type?.parent, type?.loader]);
      }
    }),
    runs(500),
  );
});

/** The plain reader leaves numbers as bits. */
function floats(heap: PlainHeap, id: number): boolean {
  const object = heap.objects.find((other) => other.id === id);
  return object?.kind === 'primitive-array' && (object.type === tags.TYPE_FLOAT || object.type === tags.TYPE_DOUBLE);
}

test('segments end between sub-records or anywhere, each as long as it may be', () => {
  fc.assert(
    fc.property(randomHeap, fc.integer({ min: 1, max: 200 }), ({ heap, layout }, segmentBytes) => {
      const options = { version: '1.0.2', idSize: layout.idSize, segmentBytes } as const;
      const whole = plainHeapBytes(dumpBytes({ ...options, segmentBytes: 1e9 }, heap));
      for (const segmentEnds of ['between', 'anywhere'] as const) {
        const bytes = dumpBytes({ ...options, segmentEnds }, heap);
        assert.deepEqual(plainHeapBytes(bytes), whole);
        const { records } = plainRecords(bytes);
        const lengths = records.filter(({ tag }) => tag === tags.HEAP_DUMP_SEGMENT).map(({ from, to }) => to - from);
        if (segmentEnds === 'anywhere') for (const length of lengths.slice(0, -1)) assert.equal(length, segmentBytes);
        else {
          // A sub-record that is longer has a segment of its own.
          const ends = new Set(subEnds(whole, layout.idSize));
          let end = 0;
          for (const length of lengths) {
            end += length;
            assert.ok(ends.has(end));
          }
        }
        assert.equal(records.at(-1)?.tag, tags.HEAP_DUMP_END);
      }
    }),
    runs(200),
  );
});

/** Where sub-records end, as the first pass reads them. */
function subEnds(heap: Uint8Array, idSize: 4 | 8): number[] {
  const scan = new HeapScan(idSize);
  const view = new DataView(heap.buffer, heap.byteOffset, heap.length);
  const ends: number[] = [];
  for (let end = 1, from = 0; end <= heap.length; end++) {
    const next = scan.window(view, from, end, 0);
    if (next !== end) continue;
    from = end;
    ends.push(end);
  }
  return ends;
}

/** One dump with every record there is. */
function everything(options: HprofOptions): { bytes: Uint8Array; sink: MemorySink } {
  const sink = new MemorySink();
  const writer = new HprofWriter(options, sink);
  writer.utf8(1, 'a\u0000\u00e9\ud83d\udd25');
  writer.loadClass({ serial: 1, id: 0x1000, name: 1 });
  writer.frame([7, 1, 2, 0], 1, -3);
  writer.trace(2, 1, [7]);
  writer.startThread(1, 0x2000, 2, [1, 0, 0]);
  writer.classDump({
    id: 0x1000,
    signers: 5,
    domain: 6,
    instanceBytes: 4,
    constants: [{ index: 3, type: tags.TYPE_INT, value: -1 }],
    statics: [{ name: 1, type: tags.TYPE_DOUBLE, value: 0.5 }],
    fields: [{ name: 1, type: tags.TYPE_INT }],
  });
  const roots = [0xff, 1, 2, 3, 4, 5, 6, 7, 8, ...(options.version === '1.0.3' ? ANDROID_ROOTS : [])];
  for (const tag of roots) writer.root(tag, 0x2000, [1, 2]);
  writer.instance(0x2000, 0x1000, 4).u4(17);
  if (options.version === '1.0.3') {
    writer.heapInfo(0x41, 1);
    writer.arrayWithoutData(0x3000, tags.TYPE_BYTE, 99);
  }
  writer.end();
  return { bytes: sink.bytes(), sink };
}

const ANDROID_ROOTS = [0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x8e, 0x90];

test('every record of every version can be read', async () => {
  for (const version of VERSIONS)
    for (const idSize of [4, 8] as const) {
      const { bytes } = everything({ version, idSize });
      const android = version === '1.0.3';
      const part = await scanned(bytes);
      assert.equal(part.roots.tag.length, android ? 16 : 9);
      assert.equal(part.objects, android ? 2 : 1);
      assert.deepEqual([...part.classes.memberKind], [0, 1, 2]);
      assert.deepEqual([...part.classes.memberType], [tags.TYPE_INT, tags.TYPE_DOUBLE, tags.TYPE_INT]);
      assert.equal(part.primitiveElements[tags.TYPE_BYTE], android ? 99 : 0);
      const records = plainRecords(bytes).records.map(({ tag }) => tag);
      const heap = version < '1.0.2' ? [tags.HEAP_DUMP] : [tags.HEAP_DUMP_SEGMENT, tags.HEAP_DUMP_END];
      assert.deepEqual(records, [tags.UTF8, tags.LOAD_CLASS, tags.FRAME, tags.TRACE, tags.START_THREAD, ...heap]);
      const [name] = plainRecords(bytes).records;
      assert.deepEqual(
        [...bytes.subarray((name?.from ?? 0) + idSize, name?.to)],
        [0x61, 0xc0, 0x80, 0xc3, 0xa9, 0xed, 0xa0, 0xbd, 0xed, 0xb4, 0xa5],
      );
    }
});

test('a file may have several dumps', async () => {
  await fc.assert(
    fc.asyncProperty(randomHeap, async ({ heap, layout }) => {
      for (const version of ['1.0.1', '1.0.2'] as const) {
        const bytes = dumpBytes({ version, idSize: layout.idSize }, heap, heap);
        await assertScanned(heap, bytes, 2);
        const last = version === '1.0.1' ? tags.HEAP_DUMP : tags.HEAP_DUMP_END;
        assert.equal(plainRecords(bytes).records.filter(({ tag }) => tag === last).length, 2);
      }
    }),
    runs(50),
  );
});

test('only the last segment has the length that is asked for; earlier ones and the bytes stay the same', () => {
  fc.assert(
    fc.property(randomHeap, ({ heap, layout }) => {
      const options = { version: '1.0.2', idSize: layout.idSize, segmentBytes: 200, endRecord: false } as const;
      const sound = dumpBytes(options, heap);
      const last = plainRecords(sound).records.at(-1);
      assert.ok(last);
      for (const lastLength of [() => 0, (bytes: number) => bytes - 2 ** 32, (bytes: number) => bytes + 500]) {
        const bytes = dumpBytes({ ...options, lastLength }, heap);
        assert.equal(new DataView(bytes.buffer).getUint32(last.from - 4), lastLength(last.to - last.from) >>> 0);
        bytes.set(sound.subarray(last.from - 4, last.from), last.from - 4);
        assert.deepEqual(bytes, sound);
      }
    }),
    runs(50),
  );
});

test('LOAD CLASS of arrays comes twice where it is asked for, with two serials', () => {
  const heap: PlainHeap = {
    classes: ['A', '[LA;', '[I'].map((name, i) => ({
      id: 16 * i + 16,
      name,
      parent: 0,
      loader: 0,
      statics: [],
      fields: [],
    })),
    objects: [],
    roots: [],
  };
  const bytes = dumpBytes({ version: '1.0.2', idSize: 8, arraysTwice: true }, heap);
  const loads = plainRecords(bytes).records.filter(({ tag }) => tag === tags.LOAD_CLASS);
  const view = new DataView(bytes.buffer);
  assert.deepEqual(
    loads.map(({ from }) => [view.getUint32(from), view.getUint32(from + 8)]),
    [1, 2, 3, 4, 5].map((serial, i) => [serial, [16, 32, 32, 48, 48][i]]),
  );
});

test('a dump that does not fit into memory goes to the sink in parts, and lengths are patched', () => {
  const sink = new MemorySink();
  const writer = new HprofWriter({ version: '1.0.1', idSize: 8 }, sink);
  for (let i = 0; i < 100; i++) writer.primitiveArray(4096 * i, tags.TYPE_BYTE, 200_000).zeros(200_000);
  assert.ok(sink.length > 15e6, 'most is written before the end');
  writer.end();
  const { records } = plainRecords(sink.bytes());
  assert.deepEqual(
    records.map(({ from, to }) => to - from),
    [100 * (200_000 + 18)],
  );
});

test('a wrong number of values is an error', () => {
  const writer = new HprofWriter({ version: '1.0.2', idSize: 8 }, new MemorySink());
  writer.instance(1, 2, 8).u4(0);
  assert.throws(() => writer.end(), /values/);
});
