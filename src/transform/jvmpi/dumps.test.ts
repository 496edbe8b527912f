/** Heap dumps as bytes of JVMPI: the records are those of the heaps that the files were written from. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ProblemLog } from '../../base/problems.js';
import { memorySource } from '../../bytes/byte-source.js';
import { heapReader } from '../../formats/hprof/heaps.js';
import { readHprofFile } from '../../formats/hprof/read.js';
import { dumpBytes, type PlainClass, type PlainHeap, typesOf } from '../../formats/hprof/testing/plain-heap.js';
import { SMALL_HEAPS } from '../../formats/hprof/testing/small-heap.js';
import { isReference, valueBytes } from '../../formats/jvmpi/dumps/dump-bytes.js';
import {
  type DumpForm,
  type HeapRecord,
  readKinds,
  readRecords,
  writeRecords,
} from '../../formats/jvmpi/dumps/index.js';
import { type MonitorRecord, writeMonitors } from '../../formats/jvmpi/index.js';
import { LockTables } from '../../formats/jvmpi/stream/locks.js';
import { StreamNames } from '../../formats/jvmpi/stream/names.js';
import { type OpenRecording, openedRecording } from '../../models/open-recording.js';
import type { Recording } from '../../models/recording.js';
import { runs } from '../../testing/amount.js';
import { heapDump } from './dumps.node.js';
import { monitorRecords } from './monitors.js';

async function opened(bytes: Uint8Array): Promise<OpenRecording> {
  const source = memorySource('heap.hprof', bytes);
  const recording = await readHprofFile(source);
  return openedRecording(recording, { heaps: heapReader(source, recording) });
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return new Uint8Array(Buffer.concat(parts));
}

/** The bytes of a value: references as the form has ids, all others big-endian. */
function bytesOf(type: number, value: number, form: DumpForm): Buffer {
  const reference = isReference(type);
  const size = valueBytes(type, form) ?? 0;
  const bytes = Buffer.alloc(8);
  if (type === 6) bytes.writeFloatBE(value, 4);
  else if (type === 7) bytes.writeDoubleBE(value);
  else bytes.writeBigInt64BE(BigInt(value));
  const own = bytes.subarray(8 - size);
  return reference && form.byteOrder === 'little' ? own.reverse() : own;
}

const ROOTS: Readonly<Record<number, number>> = { 5: 5, 8: 6, 3: 3, 1: 1 };

/** The records that a heap has at a level. */
function expected({ classes, objects, roots }: PlainHeap, level: 1 | 2, form: DumpForm): HeapRecord[] {
  const byId = new Map<number, PlainClass>(classes.map((type) => [type.id, type]));
  const values = (types: readonly number[], list: readonly number[]): Uint8Array =>
    new Uint8Array(
      Buffer.concat(
        types.flatMap((type, i) => (level === 2 || isReference(type) ? [bytesOf(type, list[i] ?? 0, form)] : [])),
      ),
    );
  const sized = (types: readonly number[]): number =>
    types.reduce((sum, type) => sum + (valueBytes(type, form) ?? 0), 0);
  return [
    ...roots.map(({ tag, object, numbers: [thread = 0] }): HeapRecord => {
      const own = ROOTS[tag];
      if (own === 1) return { tag: 1, object, handle: object };
      if (own === 3) return { tag: 3, object, thread, frame: -1 };
      return own === 6 ? { tag: 6, object, thread } : { tag: 5, object };
    }),
    ...classes.map(
      (type): HeapRecord => ({
        tag: 0x20,
        class: type.id,
        super: type.parent,
        loader: type.loader,
        signers: 0,
        domain: 0,
        name: 0,
        reserved: 0,
        instanceSize: type.name.startsWith('[') ? 0 : sized(typesOf(byId, type.id)),
        interfaces: [],
        constants: [],
        statics: values(
          type.statics.map((each) => each.type),
          type.statics.map(({ value }) => value),
        ),
      }),
    ),
    ...objects.map((object): HeapRecord => {
      const { id } = object;
      if (object.kind === 'instance')
        return {
          tag: 0x21,
          object: id,
          class: object.class,
          fields: values(typesOf(byId, object.class), object.values),
        };
      if (object.kind === 'object-array') {
        const element = byId.get(object.class)?.element ?? 0;
        return { tag: 0x22, object: id, class: element, elements: object.values };
      }
      const elements = values(
        object.values.map(() => object.type),
        object.values,
      );
      return { tag: 0x23, object: id, length: object.values.length, type: object.type, elements };
    }),
  ];
}

describe('a heap dump as bytes of JVMPI', () => {
  for (const [name, { options, heap }] of Object.entries(SMALL_HEAPS))
    for (const byteOrder of ['little', 'big'] as const)
      it(`${name}, ids ${byteOrder}-endian`, async () => {
        const form: DumpForm = { idSize: options.idSize, byteOrder };
        const source = await opened(dumpBytes(options, heap));
        for (const level of [1, 2] as const) {
          const { chunks, sink, report } = heapDump(source, { level, byteOrder });
          const bytes = await joined(chunks);
          const records = readRecords(bytes, form, level, (id) => sink.shapes.get(id));
          assert.deepEqual(records, expected(heap, level, form));
          assert.deepEqual(Buffer.from(writeRecords(records, form)), Buffer.from(bytes));
          assert.deepEqual(report(), { complete: true, unknown: 0 });
        }
        const kinds = readKinds(await joined(heapDump(source, { level: 0, byteOrder }).chunks), form);
        const wanted = heap.objects.map((object) => ({
          kind: object.kind === 'instance' ? 0 : object.kind === 'object-array' ? 2 : object.type,
          object: object.id,
        }));
        assert.deepEqual(kinds, [...heap.classes.map(({ id }) => ({ kind: 0, object: id })), ...wanted]);
      });

  it('has an array that is longer than a window whole, and says where the file is cut', async () => {
    const { options, heap } = SMALL_HEAPS['hotspot-heap.hprof'] ?? assert.fail();
    const values = Array.from({ length: 300_000 }, (_, i) => i);
    const long: PlainHeap = {
      ...heap,
      objects: [{ kind: 'primitive-array', id: 0x7_0001_0000, bytes: 8, type: 11, values }],
    };
    const file = dumpBytes({ ...options, segmentBytes: 2 ** 30 }, long);
    const form: DumpForm = { idSize: 8, byteOrder: 'little' };
    const { chunks, sink } = heapDump(await opened(file), { level: 2 });
    const records = readRecords(await joined(chunks), form, 2, (id) => sink.shapes.get(id));
    assert.deepEqual(records, expected(long, 2, form));
    const cut = heapDump(await opened(file.subarray(0, file.length - 100_000)), { level: 2 });
    const bytes = await joined(cut.chunks);
    assert.ok(bytes.length > 1_000_000);
    assert.deepEqual(cut.report(), { complete: false, unknown: 0 });
  });

  it('needs a heap', async () => {
    const { options, heap } = SMALL_HEAPS['hotspot-heap.hprof'] ?? assert.fail();
    const source = await opened(dumpBytes(options, heap));
    assert.throws(() => heapDump(source, { level: 2, dump: 7 }), /there is no such heap dump/);
  });
});

describe('monitors of a recording as MONITOR_DUMP', () => {
  const id = fc.integer({ min: 1, max: 2 ** 40 });
  const holders = {
    owner: fc.oneof(fc.constant(0), id),
    entries: fc.nat(1000),
    entering: fc.array(id, { maxLength: 3 }),
    waiting: fc.array(id, { maxLength: 3 }),
  };
  const plain = { noNullPrototype: true };
  const monitors = fc.array(
    fc.oneof(
      fc.record({ tag: fc.constant(0x01 as const), object: id, ...holders }, plain),
      fc.record({ tag: fc.constant(0x02 as const), name: fc.string(), id, ...holders }, plain),
    ),
    { maxLength: 6 },
  );

  it('are those that the agent dumped', () => {
    fc.assert(
      fc.property(fc.array(monitors, { minLength: 1, maxLength: 3 }), (dumps) => {
        const names = new StreamNames();
        const tables = new LockTables(names);
        const form: DumpForm = { idSize: 8, byteOrder: 'little' };
        const empty = { num_traces: 0, traces: [], threads_status: [] };
        const dumped = dumps.map((one) => one.map((each) => withName(each)));
        for (const one of dumped) tables.add({ data: writeMonitors(one, form), ...empty }, form, 0);
        const locks = tables.finish([])?.locks;
        const threads = names.finishThreads();
        const profile = { stacks: names.finishStacks(), events: [], metrics: [], ...(threads && { threads }) };
        const recording = { ...NOTHING, ...(locks && { locks }), program: names.finishProgram(), profile };
        dumped.forEach((one, dump) => {
          assert.deepEqual(monitorRecords(recording, dump), { records: one, monitors: one.length, left: 0 });
        });
        assert.deepEqual(monitorRecords(recording, undefined).records, dumped.at(-1));
        assert.throws(() => monitorRecords(recording, dumped.length), /no such dump of monitors/);
      }),
      runs(300),
    );
  });

  /** Names end with a zero. */
  function withName(record: MonitorRecord): MonitorRecord {
    return record.tag === 0x02 ? { ...record, name: record.name.replaceAll('\0', '0') } : record;
  }
});

const NOTHING: Omit<Recording, 'program'> = {
  name: 'x.jvmpi',
  format: 'jvmpi',
  metadata: [],
  sections: [],
  problems: new ProblemLog().finish(),
  complete: true,
  residue: undefined,
};
