/** Dumps that are made to break readers: none may crash, hang, or take memory that their size does not justify. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memorySource } from '../../../bytes/byte-source.js';
import { LAST_REFERENCE, noClass, type ObjectGraph } from '../../../models/heap/heap.js';
import { rowOfId } from '../../../models/heap/object-ids.js';
import { heapReader } from '../heaps.js';
import * as tags from '../tags.js';
import { readHeaps } from '../testing/fuzzed-heap.js';
import { MemorySink } from '../write/bytes.js';
import { HprofWriter } from '../write/records.js';

/** A dump of sub-records that `write` puts into it, after names: 1 `a/Node`, 2 `next`, 3 `java/lang/Object`. */
function dump(write: (writer: HprofWriter) => void, idSize: 4 | 8 = 8): Uint8Array {
  const sink = new MemorySink();
  const writer = new HprofWriter({ version: '1.0.2', idSize, segmentBytes: Number.POSITIVE_INFINITY }, sink);
  for (const [i, name] of ['a/Node', 'next', 'java/lang/Object'].entries()) writer.utf8(i + 1, name);
  writer.loadClass({ serial: 1, id: NODE, name: 1 });
  writer.loadClass({ serial: 2, id: OBJECT, name: 3 });
  write(writer);
  writer.end();
  return sink.bytes();
}

const OBJECT = 0x1000;
const NODE = 0x2000;
const NEXT = { name: 2, type: tags.TYPE_OBJECT };

/** Reads a dump to the end, laws included, and returns its graph, the problems, and the bytes that were taken. */
async function readOf(bytes: Uint8Array) {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  const before = process.memoryUsage();
  const source = memorySource('hostile', bytes);
  const recording = await readHeaps(source);
  const after = process.memoryUsage();
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  const [heap] = recording.heaps ?? [];
  const graph = heap && (await heapReader(source, recording).graph(heap.dump));
  return { heap, graph, problems: Object.keys(recording.problems.counts), grown };
}

function nodes(writer: HprofWriter, ids: readonly number[], target: (i: number) => number): void {
  ids.forEach((id, i) => {
    writer.instance(id, NODE, 8).id(target(i));
  });
}

/** Rows that an object refers to. */
function targetsOf({ ids, first, targets }: ObjectGraph, id: number): number[] {
  const from = first[rowOfId(ids, id)] - 1;
  if (from < 0) return [];
  const end = targets.findIndex((target, at) => at >= from && target >= LAST_REFERENCE);
  return Array.from(targets.subarray(from, end + 1), (target) => target % LAST_REFERENCE);
}

describe('hostile dumps', () => {
  test('ids anywhere in 64 bits', async () => {
    const ids = Array.from({ length: 2000 }, (_, i) => 8 * (1 + i * 2 ** 38));
    const bytes = dump((writer) => {
      writer.classDump({ id: NODE, instanceBytes: 8, fields: [NEXT] });
      nodes(writer, ids, (i) => ids[i + 1] ?? 0);
      writer.root(tags.ROOT_UNKNOWN, ids[0]);
    });
    const { graph, grown } = await readOf(bytes);
    deepEqual(graph && targetsOf(graph, ids[7]), [graph && rowOfId(graph.ids, ids[8])]);
    ok(grown < 32 << 20, `${grown} bytes`);
  });

  test('ids beyond 2^53, and the id 0', async () => {
    const ids = [0, 2 ** 53 + 8, 2 ** 60, 2 ** 63, 2 ** 64 - 2048, 0x9000];
    const bytes = dump((writer) => {
      writer.classDump({ id: NODE, instanceBytes: 8, fields: [NEXT] });
      nodes(writer, ids, (i) => ids[i + 1] ?? 0);
      writer.root(tags.ROOT_UNKNOWN, 0x9000);
    });
    const { problems, heap } = await readOf(bytes);
    deepEqual(problems, ['hprof-id']);
    equal(heap?.classes.objects[0], ids.length);
  });

  test('classes that extend each other in a loop, and themselves', async () => {
    const bytes = dump((writer) => {
      writer.classDump({ id: NODE, parent: OBJECT, instanceBytes: 8, fields: [NEXT] });
      writer.classDump({ id: OBJECT, parent: NODE, instanceBytes: 8, fields: [NEXT] });
      writer.classDump({ id: 0x3000, parent: 0x3000, instanceBytes: 8, fields: [NEXT] });
      nodes(writer, [0x8000, 0x8020], () => 0x8000);
      writer.instance(0x8040, 0x3000, 8).id(0x8020);
      writer.root(tags.ROOT_UNKNOWN, 0x8040);
    });
    const { graph } = await readOf(bytes);
    deepEqual(graph && targetsOf(graph, 0x8040), [graph && rowOfId(graph.ids, 0x8020)]);
  });

  test('a class of 65,535 fields and as many statics', async () => {
    const fields = new Array(65_535).fill(NEXT);
    const statics = fields.map((field) => ({ ...field, value: 0x8000 }));
    const bytes = dump((writer) => {
      writer.classDump({ id: NODE, instanceBytes: 8 * fields.length, fields, statics });
      const out = writer.instance(0x8000, NODE, 8 * fields.length);
      for (let i = 0; i < fields.length; i++) out.id(i === 65_534 ? 0x8000 : 0);
      writer.root(tags.ROOT_UNKNOWN, 0x8000);
    });
    const { graph } = await readOf(bytes);
    deepEqual(graph && targetsOf(graph, 0x8000), [graph && rowOfId(graph.ids, 0x8000)]);
    equal(graph && targetsOf(graph, NODE).length, 65_535);
  });

  test('65,535 fields without a reference, the largest class dump there is', async () => {
    const fields = new Array(65_535).fill({ name: 2, type: tags.TYPE_BYTE });
    const bytes = dump((writer) => writer.classDump({ id: NODE, instanceBytes: 65_535, fields }));
    deepEqual((await readOf(bytes)).graph?.ids.length, 1);
  });

  test('a thousand classes that inherit half a million fields: as much memory as the file, some times', async () => {
    const fields = new Array(2000).fill(NEXT);
    const bytes = dump((writer) => {
      for (let i = 0; i < 250; i++)
        writer.classDump({
          id: 0x10_0000 + i * 16,
          parent: i > 0 ? 0x10_0000 + (i - 1) * 16 : 0,
          instanceBytes: 8,
          fields,
        });
      for (let i = 0; i < 1000; i++) {
        writer.classDump({ id: 0x20_0000 + i * 16, parent: 0x10_0000 + 249 * 16, instanceBytes: 8 });
        writer.instance(0x30_0000 + i * 16, 0x20_0000 + i * 16, 8).id(0);
      }
    });
    const { grown } = await readOf(bytes);
    ok(grown < 24 * bytes.length, `${grown} bytes for a file of ${bytes.length}`);
  });

  for (const count of [2 ** 32 - 1, 2 ** 31, 2 ** 29])
    test(`arrays that announce ${count} elements`, async () => {
      const array = dump((writer) => {
        writer.classDump({ id: OBJECT, instanceBytes: 0 });
        writer.objectArray(0x8000, OBJECT, 1).id(0x8000);
        writer.root(tags.ROOT_UNKNOWN, 0x8000);
        writer.primitiveArray(0x9000, tags.TYPE_LONG, 1).u8(7);
      });
      for (const [tag, id] of [
        [tags.OBJECT_ARRAY_DUMP, 0x8000],
        [tags.PRIMITIVE_ARRAY_DUMP, 0x9000],
      ]) {
        const bytes = array.slice();
        const at = bytes.findIndex((byte, i) => byte === tag && bytes[i + 7] === id >> 8 && bytes[i + 8] === 0);
        new DataView(bytes.buffer).setUint32(at + 13, count);
        const { grown, problems } = await readOf(bytes);
        ok(grown < 16 << 20, `${grown} bytes`);
        deepEqual(problems, ['hprof-overrun']);
      }
    });

  test('instances that announce 4 GiB of values, of a class with its references behind 3 MB', async () => {
    const wide = new Array(65_535).fill({ name: 2, type: tags.TYPE_LONG });
    const bytes = dump((writer) => {
      writer.classDump({ id: OBJECT, instanceBytes: 8, fields: [NEXT] });
      for (let i = 0; i < 6; i++)
        writer.classDump({
          id: 0x10_0000 + i * 16,
          parent: i > 0 ? 0x10_0000 + (i - 1) * 16 : OBJECT,
          instanceBytes: 8,
          fields: wide,
        });
      writer.instance(0x8000, 0x10_0000 + 5 * 16, 8).id(0x8000);
      writer.root(tags.ROOT_UNKNOWN, 0x8000);
    });
    for (const length of [3_200_000, 2 ** 31, 2 ** 32 - 1]) {
      const changed = bytes.slice();
      const at = changed.findIndex(
        (byte, i) => byte === tags.INSTANCE_DUMP && changed[i + 7] === 0x80 && changed[i + 1] === 0,
      );
      new DataView(changed.buffer).setUint32(at + 21, length);
      deepEqual((await readOf(changed)).problems, ['hprof-overrun', 'hprof-instance-length']);
    }
  });

  test('class dumps and objects that share an id, objects of array classes, short and long values', async () => {
    const bytes = dump((writer) => {
      writer.utf8(4, '[I');
      writer.loadClass({ serial: 3, id: 0x3000, name: 4 });
      for (let i = 0; i < 3; i++) writer.classDump({ id: NODE, instanceBytes: 8, fields: i === 0 ? [NEXT] : [] });
      writer.classDump({ id: 0x3000, instanceBytes: 0 });
      nodes(writer, [NODE, 0x8000, 0x8000], (i) => 0x9000 + i);
      writer.instance(0x8100, 0x3000, 8).id(0x8000);
      writer.instance(0x8200, NODE, 0);
      writer.instance(0x8300, NODE, 2).u2(5);
      const long = writer.instance(0x8400, NODE, 16);
      for (const id of [0x8200, 0x8300]) long.id(id);
      writer.root(tags.ROOT_UNKNOWN, 0x8400);
    });
    const { graph, problems } = await readOf(bytes);
    deepEqual(problems.includes('hprof-class-twice'), true);
    ok(graph !== undefined);
    equal(graph.twice, 4);
    deepEqual(targetsOf(graph, 0x8400), [rowOfId(graph.ids, 0x8200)]);
    deepEqual(
      [0x8200, 0x8300].map((id) => targetsOf(graph, id)),
      [[], []],
    );
  });

  test('an object without a class dump keeps its row; if it is an array, also its references', async () => {
    const bytes = dump((writer) => {
      writer.instance(0x8000, 0x6660, 8).id(0x8010);
      const array = writer.objectArray(0x8010, 0x7770, 2);
      for (const id of [0x8000, 0x8010]) array.id(id);
    });
    const { graph, problems } = await readOf(bytes);
    ok(graph !== undefined);
    deepEqual(problems, ['hprof-class-missing']);
    ok(graph.class.every((one) => one !== noClass(graph.class)));
    deepEqual(
      [0x8000, 0x8010].map((id) => targetsOf(graph, id)),
      [[], [0, 1]],
    );
  });
});
