/**
 * Runs the static checks and tests of a built clone: `node dist/scripts/test-run/run-tests.js [OPTION…] [WORD…]` (see scripts/test).
 *
 *   WORD             only test files whose path contains it or that belong to the room of that name
 *   --changed        only what can reach a file that is not committed
 *   --since REV      only what can reach a file that was changed since that revision, committed or not
 *   --shard I/N      the I-th of N parts; the static checks belong to the first
 *   --seed SEED      only what a seed changes, with this one instead of the fixed one
 *
 * KANSOKU_TESTS=full tries everything, KANSOKU_NO_SKIP=1 makes a skipped test a failed one. Up to three test files run at a time.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { missingPrograms } from '../programs.js';
import { SourceGraph } from '../source-graph.js';
import { batchesOf, type TestFile } from './batches.js';
import { Costs, type Kind, kindOf } from './budgets.js';
import { childSeconds } from './cpu.js';
import { allTests, changedFiles, type Shard, shardOf, testsOf, testsReaching, testsWithSeed } from './select-tests.js';
import { Tally } from './tally.js';
import type { LaneResult } from './test-lane.js';

const ROOT = join(import.meta.dirname, '../../..');
const DIST = join(ROOT, 'dist');
/** The gate needs every program. */
const SKIPS_FAIL = process.env.KANSOKU_NO_SKIP === '1';
/** Processes with tests at a time: more than two processors, since some wait for JVMs and browsers. */
const LANES = 3;

/** Name, and arguments for Node or for the shell. */
const CHECKS: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['biome check', process.execPath, 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['layers', 'sh', 'scripts/check-layers'],
  ['ratchet', process.execPath, 'dist/scripts/ratchet.js'],
  ['schemas', process.execPath, 'dist/scripts/schemas.js', '--check'],
  ['kernels', process.execPath, 'dist/scripts/kernels.js', '--check'],
];

function runChecks(tally: Tally): void {
  const missing = missingPrograms(ROOT).map((line) => `${line}\n`);
  if (SKIPS_FAIL && missing.length > 0) tally.fail('programs', missing.join(''));
  else
    tally.pass(missing.length === 0 ? '' : `Tests that need these are skipped or see less:\n  ${missing.join('  ')}\n`);
  // scripts/test built everything before it came here, and stopped if a type was wrong.
  tally.pass();
  for (const [name, program, ...args] of CHECKS) {
    const done = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
    const output = `${done.error?.message ?? ''}${done.stdout ?? ''}${done.stderr ?? ''}`;
    if (done.status === 0) tally.pass(name === 'ratchet' ? output : '');
    else tally.fail(name, output);
  }
}

/**
 * The tests with their built files. Sources decide which tests there are: dist may still contain tests whose sources were
 * deleted.
 */
function builtFiles(tests: Iterable<string>, tally: Tally): TestFile[] {
  const built = [...tests].map((test) => ({ test, file: join(DIST, test.replace(/\.tsx?$/, '.js')) }));
  return built.filter(({ test, file }) => {
    const exists = existsSync(file);
    if (!exists) tally.fail(test, 'was not built: does tsconfig.json include it?');
    return exists;
  });
}

/** Damage tests that take longest in the full tier, as measured: they begin first, so that no lane waits for one at the end. */
const LONGEST = ['thread-dump', 'hprof', 'hprof/heap', 'jfr', 'iprof', 'hprof-text', 'jvmpi'].map(
  (reader) => `src/formats/${reader}/damage.test.ts`,
);

function startLane(): { readonly child: ChildProcess; readonly ended: Promise<undefined> } {
  const child = fork(join(import.meta.dirname, 'test-lane.js'), { serialization: 'advanced' });
  return { child, ended: once(child, 'exit').then(() => undefined) };
}

/** Runs test files, those first that may take longest: damage, then those that start other programs. */
async function runTests(tests: ReadonlyMap<string, Kind>, tally: Tally, costs: Costs): Promise<void> {
  const named = new Set([...LONGEST.filter((test) => tests.has(test)), ...tests.keys()]);
  const kind = (test: string): Kind => tests.get(test) ?? 'rest';
  const waiting = batchesOf(builtFiles(named, tally), kind);
  const lane = async (): Promise<void> => {
    let started: { readonly child: ChildProcess; readonly ended: Promise<undefined> } | undefined;
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      started ??= startLane();
      const { child, ended } = started;
      child.send(batch);
      const answer: LaneResult | undefined = (await Promise.race([once(child, 'message'), ended]))?.[0];
      if (answer === undefined) {
        started = undefined;
        // Which file of a batch killed the process is found by running each alone.
        if (batch.length > 1) waiting.unshift(...batch.map((file) => [file]));
        else for (const { test } of batch) tally.fail(test, 'the process that ran it died');
        continue;
      }
      for (const result of answer.results) tally.add(result);
      for (const { test, seconds } of answer.files) costs.add({ test, kind: kind(test), seconds, speed: answer.speed });
    }
    started?.child.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(LANES, availableParallelism() + 1, waiting.length) }, lane));
}

interface Choice {
  readonly words: readonly string[];
  readonly since: string | undefined;
  readonly seed: string | undefined;
  readonly shard: Shard;
}

function chosenTests(graph: SourceGraph, { words, since, seed, shard }: Choice, tally: Tally): string[] {
  let tests = allTests(graph);
  if (words.length > 0) {
    const found = words.map((word) => testsOf(graph, tests, word));
    for (const [i, word] of words.entries()) if (found[i]?.length === 0) tally.fail(word, 'matches no test file path');
    tests = tests.filter((test) => found.some((some) => some.includes(test)));
  }
  if (seed !== undefined) tests = testsWithSeed(graph, tests);
  if (since !== undefined) tests = testsReaching(graph, tests, changedFiles(ROOT, since));
  return shardOf(tests, shard);
}

function parseChoice(args: string[]): Choice {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      changed: { type: 'boolean' },
      since: { type: 'string' },
      shard: { type: 'string', default: '1/1' },
      seed: { type: 'string' },
    },
  });
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(values.shard) ?? [];
  const shard = { part: Number(part), of: Number(of) };
  if (!(shard.part >= 1 && shard.part <= shard.of)) throw new Error(`--shard is I/N, as in 2/4, not '${values.shard}'`);
  return { words: positionals, since: values.since ?? (values.changed ? 'HEAD' : undefined), seed: values.seed, shard };
}

async function main(choice: Choice): Promise<number> {
  const { words, since, seed, shard } = choice;
  const tally = new Tally(SKIPS_FAIL);
  if (seed !== undefined) {
    process.env.KANSOKU_SEED = seed;
    process.stdout.write(
      `Seed ${seed}; to repeat: npm test -- --seed ${seed}${words.map((word) => ` ${word}`).join('')}\n`,
    );
  }
  const whole = words.length === 0 && since === undefined && seed === undefined;
  if (words.length === 0 && seed === undefined && shard.part === 1) runChecks(tally);
  const costs = new Costs(childSeconds(), process.env.KANSOKU_TESTS !== 'full');
  const graph = new SourceGraph(ROOT);
  const tests = chosenTests(graph, choice, tally);
  await runTests(new Map(tests.map((test) => [test, kindOf(graph, test)])), tally, costs);
  for (const { name, report } of costs.excesses(whole && shard.of === 1)) tally.fail(name, report);
  if (whole) process.stdout.write(costs.table());
  process.stdout.write(tally.summary());
  return tally.failures === 0 ? 0 : 1;
}

process.exitCode = await main(parseChoice(process.argv.slice(2)));
