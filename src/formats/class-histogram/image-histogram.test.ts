/** Histograms of image heaps: genuine ones against their lines, and damage. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { CLASS_EVENTS } from '../../models/events/class.js';
import { className } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import { readClassHistogram } from './read.js';

const DATA = process.env.KANSOKU_DATA;
const SMALL = 'Heap histogram\n   Count Class \n      12   byte[] \n       3 demo.A b[][] \n';

const read = (text: string): Promise<Recording> => readClassHistogram(memorySource('x.txt', Buffer.from(text)));

function rowsOf({ profile, program }: Recording): [number, string][] {
  const events = CLASS_EVENTS.of(profile);
  assert.ok(events !== undefined && events.bytes === undefined);
  return Array.from({ length: events.length }, (_, row) => [
    events.objects[row],
    className(program, events.class[row]),
  ]);
}

describe('histograms of image heaps', () => {
  test('have objects by class, and no bytes', async () => {
    const recording = await read(SMALL);
    assert.deepEqual(rowsOf(recording), [
      [12, 'byte[]'],
      [3, 'demo.A b[][]'],
    ]);
    assert.deepEqual([recording.complete, recording.problems.list], [true, []]);
  });

  test('damage is reported where it is', async () => {
    const { complete, problems } = await read(SMALL.replace('      12', '      x2'));
    assert.equal(complete, false);
    assert.deepEqual(
      problems.list.map(({ code, offset }) => [code, offset]),
      [['class-histogram-line', SMALL.indexOf('      12')]],
    );
    assert.deepEqual((await read(SMALL.slice(0, -3))).problems.counts, { 'class-histogram-cut': 1 });
    await assert.rejects(read('Heap histogram\n   Count Class \n'), /rows of count and class/);
  });

  test('genuine ones have all lines', async (t) => {
    if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
    const folder = join(DATA, 'points-to/genuine');
    for (const program of ['hello-23.0.6', 'hello-25.0.2', 'medium-25.0.2']) {
      const name = readdirSync(join(folder, program, 'txt')).find((one) => one.startsWith('analysis_heap_histogram'));
      const text = readFileSync(join(folder, program, 'txt', name ?? ''), 'utf8');
      const lines = text
        .split('\n')
        .slice(2)
        .filter((line) => line !== '');
      const recording = await read(text);
      assert.deepEqual(recording.problems.list, []);
      assert.deepEqual(
        rowsOf(recording),
        lines.map((line) => [Number(line.slice(0, 8)), line.slice(8).trim()]),
      );
    }
  });
});
