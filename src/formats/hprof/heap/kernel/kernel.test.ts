/** The kernels against the same passes in TypeScript: both must find the same in any dump. */
import { deepEqual, notEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { memorySource } from '../../../../bytes/byte-source.js';
import { LAST_REFERENCE, type ObjectGraph } from '../../../../models/heap/heap.js';
import type { Recording } from '../../../../models/recording.js';
import { runs } from '../../../../testing/amount.js';
import { Random } from '../../../../testing/random.js';
import { ROOT, sharedData } from '../../../../testing/shared-data.js';
import { heapReader } from '../../heaps.js';
import { readHprofFile } from '../../read.js';
import * as tags from '../../tags.js';
import { LAYOUTS } from '../../testing/heap-layout.js';
import { PlacedHeap } from '../../testing/placed-heap.js';
import { dumpBytes } from '../../testing/plain-heap.js';
import { randomHeap } from '../../testing/random-heap.js';
import { MemorySink } from '../../write/bytes.js';
import { HprofWriter, VERSIONS } from '../../write/records.js';
import { MOST_CLASSES, ScanKernel } from './scan-kernel.js';

const ALWAYS = 0;
const NEVER = Number.POSITIVE_INFINITY;

interface Outcome {
  readonly recording: Recording | string;
  readonly graphs: readonly (ObjectGraph | string)[];
}

/** All that is read of a dump, or the errors. */
async function outcome(bytes: Uint8Array, kernelsFrom: number): Promise<Outcome> {
  const source = memorySource('x', bytes);
  const failed = (error: unknown): string => String(error);
  const recording = await readHprofFile(source, {}, kernelsFrom).catch(failed);
  if (typeof recording === 'string') return { recording, graphs: [] };
  const graphs: (ObjectGraph | string)[] = [];
  for (const { dump } of recording.heaps ?? [])
    graphs.push(await heapReader(source, recording, kernelsFrom).graph(dump).catch(failed));
  return { recording, graphs };
}

/** References lie in the order in which they are written: kernels and others write them in turns. */
function inOrder(graph: ObjectGraph | string): unknown {
  if (typeof graph === 'string') return graph;
  const { first, targets, ids, ...rest } = graph;
  const lists: number[] = [];
  for (const place of first) {
    lists.push(-1);
    let at = place - 1;
    if (at < 0) continue;
    while (targets[at] < LAST_REFERENCE) lists.push(targets[at++]);
    lists.push(targets[at]);
  }
  return { ...rest, lists, ids: { ...ids, words: [...ids.words] } };
}

async function sameOf(bytes: Uint8Array): Promise<Outcome> {
  const kernel = await outcome(bytes, ALWAYS);
  const plain = await outcome(bytes, NEVER);
  deepEqual(kernel.recording, plain.recording);
  deepEqual(kernel.graphs.map(inOrder), plain.graphs.map(inOrder));
  return kernel;
}

test('the kernels run here', async () => {
  notEqual(await ScanKernel.load(8), undefined);
});

const FIXTURES = ['heap-dumps/heaplib/small_heap.bin.gz', 'hprof/agent/graph-heap-dump.hprof.gz'];

test('the example', async () => {
  const bytes = gunzipSync(readFileSync(join(ROOT, 'examples/heap/graph.hprof.gz')));
  const { graphs } = await sameOf(bytes);
  ok(graphs.length === 1 && typeof graphs[0] !== 'string');
});

for (const path of FIXTURES)
  test(path, async (t) => {
    const file = sharedData(t, path);
    if (file !== undefined) await sameOf(gunzipSync(readFileSync(file)));
  });

test('random heaps, whole and damaged', async () => {
  const spelling = fc.record({
    version: fc.constantFrom(...VERSIONS),
    idSize: fc.constantFrom(4 as const, 8 as const),
    order: fc.shuffledSubarray(['classes', 'objects', 'roots'] as const, { minLength: 3 }),
    elementClasses: fc.boolean(),
    arraysTwice: fc.boolean(),
  });
  const change = fc.tuple(fc.nat(), fc.constantFrom(0, 1, 2, 4, 8, 0x20, 0x21, 0x22, 0x23, 0xc3, 0xfe, 0xff));
  const property = fc.asyncProperty(
    randomHeap,
    spelling,
    fc.array(change, { maxLength: 3 }),
    async ({ heap }, options, changes) => {
      const bytes = dumpBytes(options, heap);
      for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
      await sameOf(bytes);
    },
  );
  await fc.assert(property, runs(300));
});

/** Nodes of many classes, arrays of up to `longest` elements, now and then of an id that no object has. */
function dumpOf(classes: number, objects: number, longest: number): Uint8Array {
  const sink = new MemorySink();
  const heap = new PlacedHeap(sink, { version: '1.0.2', layout: LAYOUTS.compressed });
  const random = new Random(20261122);
  const object = heap.define('java/lang/Object');
  heap.define('java/lang/Class', { parent: object });
  const array = heap.define('[Ljava/lang/Object;', { parent: object });
  const fields = [['next', tags.TYPE_OBJECT] as const, ['number', tags.TYPE_INT] as const];
  const all = Array.from({ length: classes }, (_, i) => heap.define(`a/Node${i}`, { parent: object, fields }));
  heap.writeClasses();
  let before = 0;
  for (let i = 0; i < objects; i++) {
    const node = heap.take(all[i % classes]);
    const out = heap.instance(node, all[i % classes]);
    heap.reference(out, random.below(9) === 0 ? 0x40 : before);
    out.u4(i);
    const length = i === objects >> 1 ? longest : random.below(20);
    const held = heap.takeArray(tags.TYPE_OBJECT, length);
    heap.objects(held, array, new Array(length).fill(random.below(3) === 0 ? 0 : node));
    if (random.below(40) === 0) heap.writer.root(tags.ROOT_THREAD_OBJECT, held, [1, 1]);
    before = held;
  }
  heap.writeClassRoots();
  heap.writer.end();
  return sink.bytes();
}

test('arrays longer than a window, and than the columns of a kernel', async () => {
  const { graphs } = await sameOf(dumpOf(5, 20_000, 300_000));
  ok(typeof graphs[0] !== 'string' && graphs[0].missing > 1000);
});

test('more classes than the tables hold', async () => {
  await sameOf(dumpOf(MOST_CLASSES + 50, MOST_CLASSES + 1000, 10));
});

test('addresses in thousands of blocks, in no order', async () => {
  const sink = new MemorySink();
  const writer = new HprofWriter({ version: '1.0.2', idSize: 8 }, sink);
  const random = new Random(7);
  for (let i = 0; i < 20_000; i++) writer.instance(2 ** 32 + random.below(10_000) * 2 ** 20 + i * 8, 0x10, 0);
  writer.end();
  await sameOf(sink.bytes());
});
