/**
 * Runs the static checks and tests of a built clone: `node dist/scripts/test-run/run-tests.js [OPTION…] [WORD…]` (see scripts/test).
 *
 *   WORD             only test files whose path contains it or that belong to the room of that name
 *   --changed        only what can reach a file that is not committed
 *   --since REV      only what can reach a file that was changed since that revision, committed or not
 *   --shard I/N      the I-th of N parts; the static checks belong to the first
 *   --seed SEED      only what a seed changes, with this one instead of the fixed one
 *   --skipped        also the names of skipped tests
 *   --record-damage  in the full tier: notes the readers whose files were damaged in full without a failure, for the next gate
 *   --budgets        fail if the quick tier does more than scripts/ratchet.json allows
 *
 * KANSOKU_TESTS=full tries everything, KANSOKU_NO_SKIP=1 makes a skipped test a failed one, KANSOKU_LANES=N runs N jobs at a
 * time (3 on two processors), KANSOKU_COSTS=N names the N dearest test files. Exit code 0: nothing failed; 1: a test or
 * check failed; 130: interrupted.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WHOLE_READERS } from '../../src/testing/fuzz/damage-extent.js';
import { missingPrograms } from '../programs.js';
import { SourceGraph } from '../source-graph.js';
import { CHECKS } from './checks.js';
import { Costs, KINDS, type Kind, kindOf } from './costs.js';
import { childSeconds } from './cpu.js';
import { changedReaders, damagedReader, recordDamage } from './damage-record.js';
import { endProcesses } from './descendants.js';
import { jobName, Lane } from './lane.js';
import type { Counts, Job } from './messages.js';
import { ProgressLine } from './progress.js';
import { allTests, changedFiles, type Shard, shardOf, testsOf, testsReaching, testsWithSeed } from './select-tests.js';
import { Tally } from './tally.js';

const ROOT = join(import.meta.dirname, '../../..');
/** The gate needs every program. */
const SKIPS_FAIL = process.env.KANSOKU_NO_SKIP === '1';
const IS_QUICK = process.env.KANSOKU_TESTS !== 'full';
/** Jobs at a time: one more than processors, since some wait for JVMs and browsers; a lane takes up to 1.5 GB. */
const LANES = Number(process.env.KANSOKU_LANES ?? Math.min(3, availableParallelism() + 1));
const INTERRUPTED = 130;
/** V8 has its flags for a whole process: a file that changes them has one of its own. */
const CHANGES_FLAGS = /\bsetFlagsFromString\b/;

interface Choice {
  readonly words: readonly string[];
  readonly since: string | undefined;
  readonly seed: string | undefined;
  readonly shard: Shard;
  readonly skipped: boolean;
  readonly budgets: boolean;
  readonly recordDamage: boolean;
}

/** What takes longest in the full tier, as measured: it begins first, so that no lane waits for one at the end. */
const LONGEST = [
  'hprof/damage',
  'thread-dump/damage',
  'jfr/damage',
  'hprof/heap/damage',
  'iprof/damage',
  'jfr/chunk/earliest',
  'hprof-text/damage',
  'experiment/damage',
  'jvmpi/damage',
  'jfr/write/cut',
].map((name) => `src/formats/${name}.test.ts`);

class Run {
  readonly #choice: Choice;
  readonly #line: ProgressLine;
  readonly #tally: Tally;
  readonly #costs: Costs;
  readonly #graph = new SourceGraph(ROOT);
  readonly #kinds = new Map<string, Kind>();
  /** Readers whose files are damaged in full, and those of them with a failure. */
  #wholeReaders: readonly string[] = [];
  readonly #faultyReaders = new Set<string>();
  readonly #stop = new AbortController();
  #files = 0;
  #filesDone = 0;

  constructor(choice: Choice) {
    this.#choice = choice;
    this.#line = new ProgressLine(process.stdout, () => this.#progress());
    this.#tally = new Tally(SKIPS_FAIL, (text) => this.#line.print(text));
    this.#costs = new Costs(this.#isWhole && IS_QUICK ? quickLimits() : undefined);
    this.#costs.add('set-up', undefined, childSeconds());
  }

  /** Whether everything runs. */
  get #isWhole(): boolean {
    const { words, since, seed, shard } = this.#choice;
    return words.length === 0 && since === undefined && seed === undefined && shard.of === 1;
  }

  async main(): Promise<number> {
    const { words, seed, shard, skipped, budgets } = this.#choice;
    if (seed !== undefined) {
      process.env.KANSOKU_SEED = seed;
      const again = words.map((word) => ` ${word}`).join('');
      this.#line.print(`Seed ${seed}; to repeat: npm test -- --seed ${seed}${again}\n`);
    }
    const hasChecks = words.length === 0 && seed === undefined && shard.part === 1;
    if (hasChecks) this.#checkPrograms();
    await this.#runAll([...(hasChecks ? CHECKS : []), ...this.#testFiles()]);
    this.#line.stop();
    const excesses = this.#costs.excesses();
    if (this.#choice.recordDamage) this.#recordDamage();
    if (budgets) for (const excess of excesses) this.#tally.fail('budget', excess);
    if (words.length === 0) this.#line.print(this.#costs.table());
    this.#line.print(this.#tally.summary(skipped));
    return this.#tally.failures === 0 ? 0 : 1;
  }

  /** Shows what a run that is interrupted had found by then, and nothing after that: its processes are ended. */
  interrupt(): void {
    this.#stop.abort();
    this.#line.stop();
    this.#line.print(`interrupted: ${this.#line.text()}\n`);
    this.#line.mute();
  }

  #progress() {
    return { files: this.#files, filesDone: this.#filesDone, failures: this.#tally.failures };
  }

  #checkPrograms(): void {
    const missing = missingPrograms(ROOT).map((line) => `${line}\n`);
    if (SKIPS_FAIL && missing.length > 0) this.#tally.fail('programs', missing.join(''));
    else {
      this.#tally.add(1, [], []);
      if (missing.length > 0)
        this.#line.print(`Tests that need these are skipped or see less:\n  ${missing.join('  ')}`);
    }
  }

  /**
   * The chosen tests, those first that may take longest. Sources decide which tests there are: dist may still contain
   * tests whose sources were deleted.
   */
  #testFiles(): Job[] {
    const tests = chosenTests(this.#graph, this.#choice, this.#tally);
    for (const test of tests) this.#kinds.set(test, kindOf(this.#graph, test));
    if (!IS_QUICK) this.#chooseDamage(tests);
    const rank = (test: string): number => {
      const place = LONGEST.indexOf(test);
      return place >= 0 ? place : LONGEST.length + KINDS.indexOf(this.#kinds.get(test) ?? 'rest');
    };
    const jobs = [...tests]
      .sort((one, other) => rank(one) - rank(other))
      .map((test): Job => {
        const module = join(ROOT, 'dist', test.replace(/\.tsx?$/, '.js'));
        return { kind: 'file', test, module, own: CHANGES_FLAGS.test(this.#graph.text(test)) };
      });
    this.#files = jobs.length;
    return jobs.filter((job) => {
      const isBuilt = job.kind !== 'file' || existsSync(job.module);
      if (!isBuilt) this.#tally.fail(jobName(job), 'was not built: does scripts/compile.mjs read its folder?');
      return isBuilt;
    });
  }

  #chooseDamage(tests: readonly string[]): void {
    this.#wholeReaders = changedReaders(ROOT, this.#graph, tests);
    process.env[WHOLE_READERS] = this.#wholeReaders.join(',');
    const names = this.#wholeReaders.length === 0 ? 'none' : this.#wholeReaders.join(', ');
    this.#line.print(`Readers damaged in full, since their sources differ from the last full run: ${names}\n`);
  }

  #recordDamage(): void {
    const sound = this.#wholeReaders.filter((reader) => !this.#faultyReaders.has(reader));
    recordDamage(ROOT, this.#graph, sound);
    this.#line.print(`scripts/full-damage.json: ${sound.length} readers recorded\n`);
  }

  async #runAll(jobs: readonly Job[]): Promise<void> {
    const waiting = [...jobs];
    const runLane = async (): Promise<void> => {
      const lane = new Lane(this.#stop.signal);
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        const { passes, failures, skips, output, seconds, counts } = await lane.run(job);
        this.#line.print(output);
        this.#tally.add(passes, failures, skips);
        if (job.kind === 'check') this.#costs.add('checks', undefined, seconds);
        else {
          this.#filesDone++;
          const reader = damagedReader(job.test);
          if (reader !== undefined && failures.length + skips.length > 0) this.#faultyReaders.add(reader);
          this.#costs.add(this.#kinds.get(job.test) ?? 'rest', job.test, seconds, counts);
        }
      }
      this.#tally.add(0, await lane.end(), []);
    };
    await Promise.all(Array.from({ length: Math.min(LANES, jobs.length) }, runLane));
  }
}

function quickLimits(): Counts {
  const { quick }: { quick: Counts } = JSON.parse(readFileSync(join(ROOT, 'scripts/ratchet.json'), 'utf8'));
  return quick;
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
      skipped: { type: 'boolean', default: false },
      budgets: { type: 'boolean', default: false },
      'record-damage': { type: 'boolean', default: false },
    },
  });
  const {
    changed,
    since = changed ? 'HEAD' : undefined,
    seed,
    skipped,
    budgets,
    'record-damage': recordDamage,
  } = values;
  if (recordDamage && IS_QUICK) throw new Error('--record-damage needs the full tier: KANSOKU_TESTS=full');
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(values.shard) ?? [];
  const shard = { part: Number(part), of: Number(of) };
  if (!(shard.part >= 1 && shard.part <= shard.of)) throw new Error(`--shard is I/N, as in 2/4, not '${values.shard}'`);
  return { words: positionals, since, seed, shard, skipped, budgets, recordDamage };
}

const choice = parseChoice(process.argv.slice(2));
// Checks name their programs from here.
process.chdir(ROOT);
// An empty name is none.
if (process.env.KANSOKU_DATA === '') delete process.env.KANSOKU_DATA;
// Whatever tests and the programs that they start leave behind is in this folder. Other users may pass through it.
const folder = mkdtempSync(join(tmpdir(), 'kansoku-test-'));
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
// JVMs run for a few seconds here: compiling for long runs on extra threads doubles their cost.
process.env.JAVA_TOOL_OPTIONS ??= '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
const removeFolder = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

const run = new Run(choice);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, async () => {
    run.interrupt();
    await endProcesses(process.pid, folder);
    removeFolder();
    process.exit(INTERRUPTED);
  });
// A reader of the output that ends early, as `head` does, ends no test and keeps nothing from being removed.
process.stdout.on('error', () => undefined);
process.exitCode = await run.main();
await endProcesses(process.pid, folder);
removeFolder();
