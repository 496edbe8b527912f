/**
 * Class files cut and flipped at every byte: FormatError or a problem with its offset, never a crash or a hang, and
 * data read without a problem is equal to the file.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { damageExtent } from '../../../testing/fuzz/damage-extent.js';
import { sharedOut, shareOf } from '../../../testing/fuzz/damage-share.js';
import { SMALL } from '../../../testing/fuzz/mutate.js';
import { DAMAGE_SHARES } from '../../../testing/fuzz/readers.js';
import { WorkerPool } from '../../../testing/pool.node.js';
import { counts } from '../../../testing/work-counts.js';
import { classSize } from '../testing/class-damage.js';
import { encodeClass } from '../testing/class-encoder.js';
import { classFixtures, FIXTURE_VERSIONS } from '../testing/class-fixtures.js';
import { readClassFile } from './class-file.js';

/** Between them they have every attribute and every shape of instruction. */
const DAMAGED = [
  'Flow.class',
  'Marks.class',
  'All.class',
  'Modern$Circle.class',
  'module-info.class',
  'Patterns.class',
];
const BATCH = 2000;
const TIME_LIMIT = 120_000;

test('classes are written again byte for byte', () => {
  for (const { name, bytes } of FIXTURE_VERSIONS.flatMap(classFixtures))
    assert.deepEqual(encodeClass(readClassFile(bytes, name)), bytes, name);
});

describe('damaged class files', () => {
  const pool = new WorkerPool<typeof import('../testing/class-damage.js')>(
    new URL('../testing/class-damage.js', import.meta.url),
    { concurrency: 1, heapMegabytes: 256 },
  );
  after(() => pool.close());
  const sizes = DAMAGED.map(classSize);
  const shares = sharedOut(sizes, shareOf(DAMAGE_SHARES), damageExtent('class-file'));
  for (const [i, name] of DAMAGED.entries()) {
    test(`${name}, damaged at every byte`, async (t) => {
      const tries = shares[i];
      const { bytes, all } = sizes[i];
      assert.ok(bytes <= SMALL);
      counts.mutations += tries;
      const batches = Array.from({ length: Math.ceil(tries / BATCH) }, (_, i) => i * BATCH);
      const results = await Promise.all(
        batches.map((from) =>
          pool.run('damageClass', { name, from, to: Math.min(tries, from + BATCH) }, { timeLimit: TIME_LIMIT }),
        ),
      );
      const sum = (key: 'refused' | 'problems' | 'silent'): number => results.reduce((n, each) => n + each[key], 0);
      t.diagnostic(
        `${tries} of ${all} mutations: ${sum('refused')} refused, ${sum('problems')} with problems, ${sum('silent')} read`,
      );
      assert.deepEqual(
        results.flatMap(({ failures }) => failures),
        [],
      );
    });
  }
});
