/** The harness must find what it looks for: a reader with every fault is run through it. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Random } from '../random.js';
import { faultyReader } from './faulty-reader.js';
import { fixturePaths } from './fixtures.node.js';
import { emptyResult, fuzz, fuzzPool, fuzzTable } from './fuzz.js';
import { applyMutation, placesOf, randomMutation } from './mutate.js';

describe('the robustness harness', () => {
  const pool = fuzzPool(1, 64);
  after(() => pool.close());
  const [fixture = ''] = fixturePaths(faultyReader.small);
  const plan = { kind: 'systematic', fixture, places: 0, edges: 0 } as const;

  test('finds what hangs, crashes, takes too much memory, is silent or points nowhere', async () => {
    const result = emptyResult();
    // Generous for a reader of two bytes; two of the ten mutations use it up.
    await fuzz(pool, { reader: 'faulty', plan, batch: 100, timeLimit: 2000 }, result);
    const found = result.failures.map(({ index, code }) => `${index} ${code}`);
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

describe('mutations', () => {
  const bytes = Uint8Array.from({ length: 40_000 }, (_, i) => i % 251);

  test('of a seed are always the same', () => {
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
});
