/** Object trees against an oracle of regular expressions, and written again byte for byte. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { TooLargeError } from '../../base/errors.js';
import { memorySource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { readObjectTree } from './read.js';
import { naiveTree, seenTree } from './testing/object-tree-oracle.js';
import { TreeTexts } from './tree-texts.js';
import { writeObjectTree } from './write.js';

const FIXTURES = new URL('../../../../src/formats/object-tree/fixtures/', import.meta.url);
const DATA = process.env.KANSOKU_DATA;

const read = (bytes: Uint8Array): Promise<Recording> => readObjectTree(memorySource('tree.txt', bytes));
const fixture = (name: string): Buffer => readFileSync(new URL(name, FIXTURES));
const written = (recording: Recording): Buffer => Buffer.concat([...writeObjectTree(recording).chunks]);

describe('object trees', () => {
  for (const name of ['documented.txt', 'loaders.txt', 'crlf.txt', 'question-marks.txt'])
    test(`${name} has what the oracle sees`, async () => {
      const bytes = fixture(name);
      const recording = await read(bytes);
      const { tree, lost } = naiveTree(bytes.toString('latin1'));
      assert.equal(lost, 0);
      assert.deepEqual(seenTree(recording), tree);
      assert.deepEqual([recording.complete, recording.problems.list], [true, []]);
    });

  for (const name of ['documented.txt', 'loaders.txt', 'crlf.txt'])
    test(`${name} is written byte for byte`, async () => {
      assert.deepEqual(written(await read(fixture(name))), fixture(name));
    });

  test('question marks come out as the glyphs they stand for', async () => {
    assert.deepEqual(written(await read(fixture('question-marks.txt'))), fixture('documented.txt'));
  });

  test('what the documentation shows is there', async () => {
    const recording = await read(fixture('documented.txt'));
    assert.deepEqual(recording.sections, [
      { name: 'roots', entries: 5 },
      { name: 'objects', entries: 10 },
    ]);
    const heap = recording.heaps?.[0];
    assert.equal(heap?.sizes.rule, 'unknown');
    assert.equal(heap?.recorded?.objects.size, undefined);
    // Shelf[4], Shelf[][1], Object[2], String[2] in the order of their ids.
    assert.deepEqual(
      [...(heap?.recorded?.objects.elements ?? [])].filter((length) => length >= 0),
      [4, 1, 2, 2],
    );
  });

  test('a type that begins with toString= keeps its name', async () => {
    const text = fixture('crlf.txt').toString('latin1').replace('demo.Shelf[][] id=5', 'toString=demo.Shelf[][] id=5');
    const recording = await read(Buffer.from(text, 'latin1'));
    assert.deepEqual([recording.complete, recording.problems.list], [true, []]);
    const types = [...seenTree(recording).objects.values()].map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'toString=demo.Shelf[][]').length, 1);
  });

  test('a file without any line of a tree is refused', async () => {
    await assert.rejects(read(Buffer.from('Heap roots\n\n')), /no such line/);
  });

  test('a cut file is reported', async () => {
    const bytes = fixture('documented.txt');
    const { complete, problems } = await read(bytes.subarray(0, bytes.indexOf('id-ref=0') + 20));
    assert.equal(complete, false);
    assert.equal(problems.counts['object-tree-end'], 1);
  });

  test('genuine reports come out byte for byte', async (t) => {
    if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
    const folder = join(DATA, 'points-to/genuine');
    for (const program of readdirSync(folder)) {
      if (!/^(?:hello|medium)-/.test(program)) continue;
      const text = join(folder, program, 'txt');
      const name = readdirSync(text).find((one) => one.startsWith('object_tree_')) ?? '';
      const bytes = gunzipSync(readFileSync(join(text, name)));
      const recording = await read(bytes);
      const lines = bytes.toString('latin1').split('\n');
      assert.deepEqual(recording.sections, [
        { name: 'roots', entries: lines.filter((line) => /^\S+ root /.test(line)).length },
        { name: 'objects', entries: lines.filter((line) => /^[^=]* id=\d+ toString=/.test(line)).length },
      ]);
      assert.deepEqual(recording.problems.list, []);
      assert.ok(written(recording).equals(bytes), name);
    }
  });
});

test('texts beyond the size of their table are refused before they are kept', () => {
  const texts = new TreeTexts(10);
  const bytes = Buffer.from('0123456789');
  texts.addObject(bytes, 0, 4);
  texts.addValue(bytes, 0, 5);
  assert.throws(() => texts.addObject(bytes, 0, 2), TooLargeError);
  assert.throws(() => texts.addValue(bytes, 2, 4), /the texts of this object tree take more than 10/);
  texts.addObject(bytes, 9, 10);
  const { bytes: all, offsets } = texts.finish();
  assert.equal(Buffer.from(all).toString(), '0123901234');
  assert.deepEqual([...offsets], [0, 4, 5, 10]);
});
