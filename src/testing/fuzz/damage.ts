/**
 * The robustness tests of one reader, for the `damage.test.ts` beside it: every small fixture cut and flipped at every
 * byte, larger ones at 2,000 seeded places and every edge of a record, real files at a few places, and random damage.
 * The quick tier tries its share of that. `bench/fuzz` does random damage by the million.
 */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { amount, ONLY_RANDOM, SEED } from '../amount.js';
import { kept } from '../kept.js';
import { counts } from '../work-counts.js';
import { damageExtent } from './damage-extent.js';
import { sharedOut, shareOf } from './damage-share.js';
import { fixturePaths, largePaths } from './fixtures.node.js';
import { emptyResult, type FuzzOptions, fuzz, fuzzPool, fuzzTable } from './fuzz.js';
import { fixtureSize, type Places, type Plan } from './fuzz-worker.js';
import { DAMAGE_SHARES, fuzzedReader } from './readers.js';

/** Far beyond what a batch needs on a busy machine. */
const TIME_LIMIT = 120_000;
/** Number of random mutations; the first one has the seed of all tests. */
const RANDOM = amount(5000, 200);

/**
 * The readers of a process share a worker, which has their modules compiled. A second one would compile everything again,
 * and the next test file uses the other processor.
 */
const keptPool = kept(
  async () => fuzzPool(1),
  (pool) => pool.close(),
);

/** A fixture, or real file, and the mutations that are tried of it. */
interface Damaged extends Places {
  readonly tries: number;
  readonly all: number;
}

/** Registers the tests of the reader that `FUZZED_READERS` has as `id`. */
export function damageTests(id: string): void {
  const reader = fuzzedReader(id);
  const at = (places: number, edges: number) => (fixture: string) => ({ fixture, places, edges });
  const fixtures = [
    ...fixturePaths(reader.small).map(at(0, 0)),
    ...fixturePaths(reader.medium).map(at(2000, Number.MAX_SAFE_INTEGER)),
  ];
  const damaged = withTries(id, [...fixtures, ...largePaths(reader).map(at(12, 12))]);

  describe(`${id} reader on damaged files`, () => {
    const run = async (t: TestContext, plan: Plan, range: Pick<FuzzOptions, 'from' | 'to' | 'batch'>) => {
      const result = emptyResult();
      const pool = await keptPool();
      counts.mutations += range.to - range.from;
      await fuzz(pool, { reader: id, plan, ...range, timeLimit: TIME_LIMIT }, result);
      t.diagnostic(`\n${fuzzTable(result)}`);
      assert.deepEqual(result.failures, []);
    };

    for (const file of ONLY_RANDOM ? [] : damaged.slice(0, fixtures.length)) {
      const places = file.places === 0 ? 'every byte' : '2,000 places and every edge of a record';
      test(`${basename(file.fixture)}, damaged at ${places}`, async (t) => {
        t.diagnostic(`${file.tries} of ${file.all} mutations`);
        await run(t, { kind: 'systematic', ...file }, { from: 0, to: file.tries, batch: 500 });
      });
    }

    test(`damaged at random, seeds from ${SEED}`, async (t) => {
      const plan = { kind: 'random', fixtures: fixtures.map(({ fixture }) => fixture), large: [] } as const;
      await run(t, plan, { from: SEED, to: SEED + RANDOM, batch: 500 });
    });

    if (reader.large.length === 0 || ONLY_RANDOM) return;
    test('large files, damaged at seeded places and edges of records', async (t) => {
      const files = damaged.slice(fixtures.length);
      if (files.length === 0) return t.skip(`set KANSOKU_DATA to a folder with ${reader.large.join(', ')}`);
      for (const file of files) {
        t.diagnostic(`${file.tries} of ${file.all} mutations`);
        await run(t, { kind: 'systematic', ...file }, { from: 0, to: file.tries, batch: 5 });
      }
    });
  });
}

function withTries(id: string, files: readonly Places[]): Damaged[] {
  const sizes = files.map((places) => fixtureSize(fuzzedReader(id), places));
  const tries = sharedOut(sizes, shareOf(DAMAGE_SHARES), damageExtent(id));
  return files.map((places, i) => ({ ...places, tries: tries[i], all: sizes[i].all }));
}
