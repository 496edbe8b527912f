/** Records of a dump that contradict each other: each kind is an error of `check`, and all views count by one rule. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import { heapReader } from '../heaps.js';
import { readHprofFile } from '../read.js';
import * as tags from '../tags.js';
import { MemorySink } from '../write/bytes.js';
import { HprofWriter } from '../write/records.js';

const OBJECT = 0x1000;
const NODE = 0x1010;
const NEXT = { name: 2, type: tags.TYPE_OBJECT };
const VALUE = { name: 3, type: tags.TYPE_INT };
const NODE_BYTES = 12;

function dump(write: (writer: HprofWriter) => void): Uint8Array {
  const sink = new MemorySink();
  const writer = new HprofWriter({ version: '1.0.2', idSize: 8, segmentBytes: Number.POSITIVE_INFINITY }, sink);
  for (const [i, name] of ['java/lang/Object', 'next', 'value', 'demo/Node', '[B'].entries()) writer.utf8(i + 1, name);
  writer.loadClass({ serial: 1, id: OBJECT, name: 1 });
  writer.loadClass({ serial: 2, id: NODE, name: 4 });
  write(writer);
  writer.end();
  return sink.bytes();
}

function classes(writer: HprofWriter): void {
  writer.classDump({ id: OBJECT, instanceBytes: 0 });
  writer.classDump({ id: NODE, parent: OBJECT, instanceBytes: NODE_BYTES, fields: [NEXT, VALUE] });
}

function nodes(writer: HprofWriter, ids: readonly number[], bytes = NODE_BYTES): void {
  for (const id of ids) {
    const values = writer.instance(id, NODE, bytes);
    for (let i = 0; i < bytes; i++) values.u1(0);
  }
}

/** Problems of a dump, and its nodes in the histogram and among the objects; with kernels and without. */
async function readOf(bytes: Uint8Array): Promise<{ problems: string[]; counted: number; listed: number }> {
  const [plain, kernel] = await Promise.all(
    [Number.POSITIVE_INFINITY, 0].map((kernelsFrom) => readWith(bytes, kernelsFrom)),
  );
  deepEqual(kernel, plain);
  return plain;
}

async function readWith(bytes: Uint8Array, kernelsFrom: number) {
  const source = memorySource('contradiction', bytes);
  const recording = await readHprofFile(source, {}, kernelsFrom);
  const [heap] = recording.heaps ?? [];
  const graph = await heapReader(source, recording, kernelsFrom).graph(heap.dump);
  const row = heap.classes.address.indexOf(NODE);
  const mirrors = new Set(graph.mirrorRow);
  return {
    problems: recording.problems.list.map(({ code, severity, message }) => `${severity} ${code}: ${message}`),
    counted: heap.classes.objects[row],
    listed: Array.from(graph.class).filter((type, object) => type === row && !mirrors.has(object)).length,
  };
}

describe('contradictions in dumps', () => {
  test('one address twice: the first object counts, in all views', async () => {
    const reading = await readOf(
      dump((writer) => {
        classes(writer);
        nodes(writer, [0x2000, 0x2010, 0x2020, 0x2010, 0x2000, 0x2030]);
        writer.primitiveArray(0x2020, tags.TYPE_BYTE, 1).u1(1);
      }),
    );
    equal(reading.counted, 4);
    equal(reading.listed, 4);
    deepEqual(reading.problems, [
      'error hprof-object-twice: 3 objects have the id of another object or class: only the first counts',
    ]);
  });

  test('addresses in any order, each once: no problem', async () => {
    const ids = Array.from({ length: 500 }, (_, i) => 0x2000 + ((i * 7) % 500) * 16);
    const reading = await readOf(
      dump((writer) => {
        classes(writer);
        nodes(writer, ids);
      }),
    );
    deepEqual(reading, { problems: [], counted: 500, listed: 500 });
  });

  test('addresses that descend, more than are kept as runs: the second one of an address is left out', async () => {
    const ids = Array.from({ length: 6000 }, (_, i) => 0x2_0000 - i * 16 + 0x2_0000);
    const reading = await readOf(
      dump((writer) => {
        classes(writer);
        nodes(writer, [...ids, ids[17]]);
      }),
    );
    equal(reading.counted, 6000);
    equal(reading.listed, 6000);
    deepEqual(reading.problems, [
      'error hprof-object-twice: 1 object has the id of another object or class: only the first counts',
    ]);
  });

  for (const [name, bytes] of [
    ['shorter', 5],
    ['longer', 16],
  ] as const)
    test(`an instance that is ${name} than its fields, first or last`, async () => {
      for (const isFirst of [true, false]) {
        const reading = await readOf(
          dump((writer) => {
            classes(writer);
            if (isFirst) nodes(writer, [0x2000], bytes);
            nodes(writer, [0x2010, 0x2020, 0x2030]);
            if (!isFirst) nodes(writer, [0x2040], bytes);
          }),
        );
        deepEqual(reading.problems, [
          'error hprof-instance-length: at least 1 instance of 1 class with more or fewer bytes than the fields of the class',
        ]);
        equal(reading.counted, 4);
        equal(reading.listed, 4);
      }
    });

  test('super classes in a circle, of one, two and three classes', async () => {
    for (const length of [1, 2, 3]) {
      const ids = Array.from({ length }, (_, i) => 0x3000 + i * 16);
      const reading = await readOf(
        dump((writer) => {
          classes(writer);
          ids.forEach((id, i) => {
            writer.classDump({ id, parent: ids[(i + 1) % length], instanceBytes: 0, fields: [] });
          });
          nodes(writer, [0x2000]);
          writer.instance(0x2010, ids[0], 0);
        }),
      );
      equal(reading.problems.length, 1);
      ok(reading.problems[0].startsWith('error hprof-class-circle: 1 class extends a class that extends it'));
    }
  });

  test('a super class without class dump', async () => {
    const reading = await readOf(
      dump((writer) => {
        writer.classDump({ id: NODE, parent: 0x9000, instanceBytes: 20, fields: [NEXT, VALUE] });
        nodes(writer, [0x2000], 20);
      }),
    );
    deepEqual(reading.problems, [
      'warning hprof-super-missing: 1 class extends a class without class dump: its fields are unknown',
    ]);
  });
});
