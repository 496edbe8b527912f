/**
 * Every reader over every small fixture, cut and flipped at every byte, and a sample of places of the large files.
 * `bench/fuzz` does the same with random damage by the million.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { fixturePaths, largePaths } from './fixtures.node.js';
import { emptyResult, type FuzzResult, fuzz, fuzzPool, fuzzTable } from './fuzz.js';
import type { Plan } from './fuzz-worker.js';
import { FUZZED_READERS } from './readers.js';

/** Far beyond what a batch needs on a busy machine. */
const TIME_LIMIT = 120_000;

for (const reader of FUZZED_READERS) {
  describe(`${reader.id} reader on damaged files`, () => {
    const pool = fuzzPool();
    after(() => pool.close());
    const run = async (plan: Plan, batch: number): Promise<FuzzResult> => {
      const result = emptyResult();
      await fuzz(pool, { reader: reader.id, plan, batch, timeLimit: TIME_LIMIT }, result);
      return result;
    };

    for (const fixture of fixturePaths(reader.small)) {
      test(`${fixture.slice(fixture.search(/[^/\\]*$/))}, damaged at every byte`, async (t) => {
        const result = await run({ kind: 'systematic', fixture, places: 0, edges: 0 }, 500);
        t.diagnostic(`\n${fuzzTable(result)}`);
        assert.deepEqual(result.failures, []);
      });
    }

    for (const fixture of fixturePaths(reader.medium)) {
      test(`${fixture.slice(fixture.search(/[^/\\]*$/))}, damaged at 2,000 places and every edge of a record`, async (t) => {
        const result = await run({ kind: 'systematic', fixture, places: 2000, edges: Number.MAX_SAFE_INTEGER }, 500);
        t.diagnostic(`\n${fuzzTable(result)}`);
        assert.deepEqual(result.failures, []);
      });
    }

    if (reader.large.length === 0) return;
    test('large files, damaged at seeded places and edges of records', async (t) => {
      const files = largePaths(reader);
      if (files.length === 0) return t.skip(`set KANSOKU_DATA to a folder with ${reader.large.join(', ')}`);
      for (const fixture of files) {
        const result = await run({ kind: 'systematic', fixture, places: 12, edges: 12 }, 5);
        t.diagnostic(`\n${fuzzTable(result)}`);
        assert.deepEqual(result.failures, []);
      }
    });
  });
}
