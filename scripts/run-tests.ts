/**
 * Runs the static checks and tests of a built clone: `node dist/scripts/run-tests.js [OPTION…] [WORD…]` (see scripts/test).
 *
 *   WORD             only test files whose path contains it or that belong to the room of that name
 *   --changed        only what can reach a file that is not committed
 *   --since REV      only what can reach a file that was changed since that revision, committed or not
 *   --shard I/N      the I-th of N parts; the static checks belong to the first
 *   --seed SEED      only what a seed changes, with this one instead of the fixed one
 *
 * KANSOKU_TESTS=full tries everything, KANSOKU_NO_SKIP=1 makes a skipped test a failed one. Two test files run at a time.
 */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Costs, KINDS, type Kind, kindOf } from './budgets.js';
import { childSeconds } from './cpu.js';
import { missingPrograms } from './programs.js';
import { allTests, changedFiles, type Shard, shardOf, testsOf, testsReaching, testsWithSeed } from './select-tests.js';
import { SourceGraph } from './source-graph.js';
import { Tally } from './tally.js';
import type { LaneResult, LaneTask } from './test-lane.js';

const ROOT = dirname(dirname(import.meta.dirname));
const DIST = join(ROOT, 'dist');
/** The gate needs every program. */
const SKIPS_FAIL = process.env.KANSOKU_NO_SKIP === '1';
/** Test files at a time. */
const LANES = 2;

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
 * The built file of a test. Sources decide which tests there are: dist may still contain tests whose sources were
 * deleted.
 */
function builtFile(test: string, tally: Tally): string | undefined {
  const file = join(DIST, test.replace(/\.tsx?$/, '.js'));
  if (existsSync(file)) return file;
  tally.fail(test, 'was not built: does tsconfig.json include it?');
  return undefined;
}

/** Damage tests that take longest in the full tier, as measured: they begin first, so that no lane waits for one at the end. */
const LONGEST = ['thread-dump', 'hprof', 'hprof/heap', 'jfr', 'iprof', 'hprof-text', 'jvmpi'].map(
  (reader) => `src/formats/${reader}/damage.test.ts`,
);

/** Runs test files, those first that may take longest: damage, then those that start other programs. */
async function runTests(tests: ReadonlyMap<string, Kind>, tally: Tally, costs: Costs): Promise<void> {
  const named = [...LONGEST.filter((test) => tests.has(test)), ...tests.keys()];
  const waiting = KINDS.flatMap((kind) => [...new Set(named)].filter((test) => tests.get(test) === kind));
  const lane = async (): Promise<void> => {
    const child = fork(join(import.meta.dirname, 'test-lane.js'), { serialization: 'advanced' });
    const ended = once(child, 'exit').then(() => undefined);
    for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
      const file = builtFile(test, tally);
      if (file === undefined) continue;
      child.send({ test, file } satisfies LaneTask);
      const answer: LaneResult | undefined = (await Promise.race([once(child, 'message'), ended]))?.[0];
      if (answer === undefined) return tally.fail(test, 'the process that ran it died');
      const { result, seconds, speed } = answer;
      tally.add(result);
      costs.add({ test, kind: tests.get(test) ?? 'rest', seconds, speed });
    }
    child.disconnect();
    await ended;
  };
  await Promise.all(Array.from({ length: Math.min(LANES, availableParallelism(), waiting.length) }, lane));
  for (const test of waiting) tally.fail(test, 'was not run: the processes that run tests died');
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
