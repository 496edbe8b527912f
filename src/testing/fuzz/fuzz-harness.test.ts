/** The harness must find every kind of fault: a reader with all of them is run through it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Random } from '../random.js';
import { ROOT } from '../shared-data.js';
import { damageExtent } from './damage-extent.js';
import { sharedOut, shareOf } from './damage-share.js';
import { faultyReader } from './faulty-reader.js';
import { fixturePaths } from './fixtures.node.js';
import { emptyResult, fuzz, fuzzPool, fuzzTable } from './fuzz.js';
import { A_PLACE, applyMutation, mutationOrder, placesOf, randomMutation } from './mutate.js';
import { FUZZED_READERS } from './readers.js';

describe('the robustness harness', () => {
  const pool = fuzzPool(1, 64);
  after(() => pool.close());
  const [fixture = ''] = fixturePaths(faultyReader.small);
  const at = { fixture, places: 0, edges: 0 };
  const plan = { kind: 'systematic', ...at } as const;

  test('finds readers that hang, crash, take too much memory, are silent or report wrong offsets', async () => {
    const result = emptyResult();
    // Generous for a reader of two bytes; two of the ten mutations use it up.
    await fuzz(pool, { reader: 'faulty', plan, from: 0, to: 10, batch: 100, timeLimit: 2000 }, result);
    const found = result.failures.map(({ number, code }) => `${number} ${code}`);
    assert.deepEqual(found.sort(), [
      '0 silent',
      '1 hang',
      '2 crash',
      '3 memory',
      '4 out of memory',
      '5 silent',
      '6 silent',
      '7 silent',
      '8 silent',
      '9 offset',
      '9 silent',
    ]);
    assert.equal(result.counts.get('silent'), 6);
    const tally = result.tallies.get('two-bytes.txt');
    assert.deepEqual([tally?.cuts, tally?.flips, tally?.threw], [2, 6, 1]);
    assert.match(fuzzTable(result), /two-bytes\.txt +2 +6 +0 +1/);
  });
});

test('every reader is damaged by one test file', () => {
  const texts = readdirSync(join(ROOT, 'src/formats'), { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'damage.test.ts')
    .map((path) => readFileSync(join(ROOT, 'src/formats', path), 'utf8'));
  for (const { id } of FUZZED_READERS)
    assert.equal(texts.filter((text) => text.includes(`damageTests('${id}')`)).length, 1, id);
});

describe('mutations', () => {
  const bytes = Uint8Array.from({ length: 40_000 }, (_, i) => i % 251);

  test('of one seed are always the same', () => {
    for (let seed = 0; seed < 200; seed++) {
      const one = randomMutation(bytes, bytes, new Random(seed));
      assert.deepEqual(one, randomMutation(bytes, bytes, new Random(seed)));
      const mutated = applyMutation(bytes, one);
      assert.equal(mutated.length, bytes.length - (one.to - one.from) + one.insert.length);
      assert.deepEqual(mutated.subarray(0, one.from), bytes.subarray(0, one.from));
      assert.deepEqual(mutated.subarray(one.from + one.insert.length), bytes.subarray(one.to));
    }
  });

  test('are tried at every byte of a small file, and at seeded places and edges of a larger one', () => {
    assert.deepEqual([...placesOf(bytes.subarray(0, 3), [], 0, 0)], [0, 1, 2]);
    const places = placesOf(bytes, [5, 6, 39_999], 2000, 10);
    assert.ok(places.length >= 2000 && places.length <= 2003);
    for (const edge of [5, 6, 39_999]) assert.ok(places.includes(edge));
    assert.deepEqual(places, placesOf(bytes, [5, 6, 39_999], 2000, 10));
  });

  test('come in an order: one a place, the kinds in turn; then all at edges; then the others', () => {
    const { numbers, ones, edges } = mutationOrder(Int32Array.of(3, 5, 7, 9, 11, 13), [7, 12]);
    const inOrder = (from: number, to: number): number[] => [...numbers.subarray(from, to)].sort((a, b) => a - b);
    assert.deepEqual(inOrder(0, ones), [0, 6, 12, 18, 24, 25]);
    assert.deepEqual(inOrder(ones, edges), [10, 11, 13, 14]);
    assert.deepEqual(inOrder(0, numbers.length), [...Array(6 * A_PLACE).keys()]);
  });
});

describe('the budget of the quick tier', () => {
  const fixture = (bytes: number, edges: number) => {
    return { bytes, ones: bytes, edges: bytes + 4 * edges, all: 5 * bytes };
  };
  const fixtures = [fixture(1000, 100), fixture(500, 50), { bytes: 30_000, ones: 4000, edges: 12_000, all: 20_000 }];
  const work = (tries: readonly number[]): number =>
    tries.reduce((sum, some, i) => sum + some * (10_000 + fixtures[i].bytes), 0);

  test('is unlimited in the full tier: all of a reader that changed, and the edges of others', () => {
    assert.deepEqual(sharedOut(fixtures, 1, damageExtent('b', 'full', 'a,b')), [5000, 2500, 20_000]);
    assert.deepEqual(sharedOut(fixtures, 1, damageExtent('b', 'full', 'a')), [1400, 700, 12_000]);
    assert.deepEqual(sharedOut(fixtures, 1, damageExtent('b', 'full', '')), [1400, 700, 12_000]);
    assert.equal(damageExtent('b', 'full', '*'), 'all');
    assert.equal(damageExtent('b', 'quick', 'b'), 'quick');
  });
  test('goes first to one mutation a byte of small fixtures', () => {
    assert.deepEqual(sharedOut(fixtures, 16_250_000, 'quick'), [1000, 500, 0]);
    assert.deepEqual(sharedOut(fixtures, 16_250_000 / 2, 'quick'), [500, 250, 0]);
  });
  test('ends at edges', () => {
    assert.deepEqual(sharedOut(fixtures, 1e12, 'quick'), [1400, 700, 12_000]);
  });
  test('is never exceeded, and used up to one mutation of each fixture', () => {
    for (const share of [0, 1e6, 10e6, 50e6, 200e6]) {
      const used = work(sharedOut(fixtures, share, 'quick'));
      assert.ok(used <= share && used > share - 3 * 40_000, `${used} of ${share}`);
    }
  });
  test('is not extended by a new reader', () => {
    for (let readers = 1; readers < 100; readers++)
      assert.ok(readers * shareOf(readers) <= (readers + 1) * shareOf(readers + 1) + 1);
    assert.equal(100 * shareOf(100), 10 * shareOf(10));
  });
});
