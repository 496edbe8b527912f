/**
 * Damages fixtures at random, a mutation a seed, and reports how a reader handled them. To continue a run, give the
 * next range of seeds. With KANSOKU_DATA set, one mutation of 64 is of a large real file.
 *
 *   node dist/bench/fuzz/run.js [--reader iprof] [--from 0] [--to 1000000]
 *   node dist/bench/fuzz/run.js [--reader iprof] --show SEED > damaged-file
 *
 * Exit code 1 when anything failed.
 */
import { parseArgs } from 'node:util';
import { fixturePaths, largePaths } from '../../src/testing/fuzz/fixtures.node.js';
import { emptyResult, fuzz, fuzzPool, fuzzTable } from '../../src/testing/fuzz/fuzz.js';
import type { Plan } from '../../src/testing/fuzz/fuzz-worker.js';
import { fuzzedReader } from '../../src/testing/fuzz/readers.js';

const BATCH = 500;
/** Far beyond what a batch needs on a busy machine: only a read that never ends counts as hanging. */
const TIME_LIMIT = 120_000;
/** Failures that are printed; the table counts them all. */
const PRINTED = 1000;

const { values } = parseArgs({
  options: {
    reader: { type: 'string', default: 'iprof' },
    from: { type: 'string', default: '0' },
    to: { type: 'string', default: '1000000' },
    show: { type: 'string' },
  },
});
const reader = values.reader;
const plan: Plan = {
  kind: 'random',
  fixtures: fixturePaths([...fuzzedReader(reader).small, ...fuzzedReader(reader).medium]),
  large: largePaths(fuzzedReader(reader)),
};
const pool = fuzzPool();
if (values.show !== undefined) {
  process.stdout.write(await pool.run('mutatedFile', { reader, plan, index: Number(values.show) }));
} else {
  const from = Number(values.from);
  const to = Number(values.to);
  const result = emptyResult();
  const onBatch = (done: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${to - from}`);
  };
  await fuzz(pool, { reader, plan, from, to, batch: BATCH, timeLimit: TIME_LIMIT, onBatch }, result);
  process.stdout.write(`${reader}, seeds ${from} to ${to}\n${fuzzTable(result)}\n`);
  for (const { fixture, number, mutation, code, detail } of result.failures.slice(0, PRINTED))
    process.stdout.write(`${JSON.stringify({ code, seed: number, fixture, mutation, detail })}\n`);
  process.exitCode = result.counts.size === 0 ? 0 : 1;
}
await pool.close();
