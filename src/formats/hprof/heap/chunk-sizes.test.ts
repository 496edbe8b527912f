/** Stacks of virtual threads: each has its own size, the same in all views. Right values: HotSpot 25 (`GC.class_histogram`). */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { objectSizes } from '../../../analysis/heap/object-sizes.js';
import { memorySource } from '../../../bytes/byte-source.js';
import { rowOfId } from '../../../models/heap/object-ids.js';
import { heapReader } from '../heaps.js';
import { readHprofFile } from '../read.js';
import * as tags from '../tags.js';
import { MemorySink } from '../write/bytes.js';
import { HprofWriter } from '../write/records.js';

const CHUNK = 0x7_0000_1000;
const FIRST = 0x7_0000_2000;

/** A dump with a stack of each number of words; the field `size` is the third of the values. */
function dump(words: readonly number[]): Uint8Array {
  const sink = new MemorySink();
  const writer = new HprofWriter({ version: '1.0.2', idSize: 8, segmentBytes: Number.POSITIVE_INFINITY }, sink);
  const names = ['jdk/internal/vm/StackChunk', 'parent', 'sp', 'size', 'bottom'];
  for (const [i, name] of names.entries()) writer.utf8(i + 1, name);
  writer.loadClass({ serial: 1, id: CHUNK, name: 1 });
  const integers = [3, 4, 5].map((name) => ({ name, type: tags.TYPE_INT }));
  writer.classDump({ id: CHUNK, instanceBytes: 20, fields: [{ name: 2, type: tags.TYPE_OBJECT }, ...integers] });
  words.forEach((size, i) => {
    const values = writer.instance(FIRST + i * 0x10008, CHUNK, 20);
    values.id(0);
    for (const value of [7, size, 9]) values.u4(value);
  });
  writer.end();
  return sink.bytes();
}

test('the size of a stack is that of its fields, its words and a bit for each place of a reference', async () => {
  // With compressed references: 48 bytes of fields, 8 a word, 1 bit each 4 bytes.
  const sizes = new Map([
    [0, 48],
    [1, 64],
    [32, 48 + 32 * 8 + 8],
    [33, 48 + 33 * 8 + 16],
    [207, 48 + 207 * 8 + 56],
  ]);
  const words = [...sizes.keys()];
  for (const kernelsFrom of [Number.POSITIVE_INFINITY, 0]) {
    const source = memorySource('stacks', dump(words));
    const recording = await readHprofFile(source, {}, kernelsFrom);
    const [heap] = recording.heaps ?? [];
    deepEqual(recording.problems.list, []);
    const graph = await heapReader(source, recording, kernelsFrom).graph(heap.dump);
    const { size, unit } = objectSizes(graph, heap.sizes);
    const bytes = words.map((_, i) => size(rowOfId(graph.ids, FIRST + i * 0x10008)) * unit);
    deepEqual(bytes, [...sizes.values()]);
    const row = heap.classes.address.indexOf(CHUNK);
    equal(
      heap.sizes.bytes[row],
      bytes.reduce((sum, one) => sum + one, 0),
    );
  }
});
