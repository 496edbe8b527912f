/**
 * A process that runs one job after the other for run-tests.ts. Test files share it: Node starts once, modules stay
 * loaded and compiled, and what a helper keeps for the process (`src/testing/kept.ts`: a browser, compiled programs) is
 * made once.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess, { spawnSync } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { releaseKept } from '../../src/testing/kept.js';
import { counts, resetCounts } from '../../src/testing/work-counts.js';
import { usedSeconds } from './cpu.js';
import type { FileTally } from './file-tally.js';
import type { Check, Failure, Order, Report, TestFile } from './messages.js';
import { tallied } from './reporter.js';

/** Milliseconds that timers and streams of the tests may still take after the last file. */
const DRAIN_MS = 2000;

/** The file whose code runs: also that of a timer that outlives its test. */
const running = new AsyncLocalStorage<string>();
/** Errors that no test caught, with their file. */
const uncaught: { readonly test: string; readonly error: unknown }[] = [];
let current = '';

function send(report: Report): void {
  process.send?.(report);
}

/** Counts the processes that tests start, whichever function they use. */
function countProcesses(): void {
  const { prototype } = childProcess.ChildProcess;
  const spawn: unknown = Reflect.get(prototype, 'spawn');
  if (typeof spawn !== 'function') throw new Error('this Node has no ChildProcess.spawn');
  Reflect.set(prototype, 'spawn', function (this: unknown, ...words: unknown[]) {
    counts.processes++;
    return Reflect.apply(spawn, this, words);
  });
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) {
    const original = childProcess[name];
    Object.assign(childProcess, {
      [name]: (...words: Parameters<typeof original>) => {
        counts.processes++;
        return Reflect.apply(original, childProcess, words);
      },
    });
  }
  syncBuiltinESMExports();
}

/** Errors that belong to no test that failed: of a timer behind its test, of an event nobody waited for. */
function lateErrors(tally: FileTally | undefined): Failure[] {
  return uncaught.splice(0).flatMap(({ test, error }) => {
    if (tally?.errors.has(error) === true) return [];
    return [{ name: test, report: `an error after the test had ended: ${inspect(error)}` }];
  });
}

async function runFile({ test, module }: TestFile): Promise<void> {
  const before = usedSeconds();
  resetCounts();
  current = test;
  const ended = tallied();
  running.run(test, () => {
    describe(test, async () => {
      await import(pathToFileURL(module).href);
    });
  });
  // A test that waits for what never comes leaves nothing to do: without the channel, the process ends and says so.
  process.channel?.unref();
  const tally = await ended;
  process.channel?.ref();
  const { passes, skips } = tally;
  const failures = [...tally.failures, ...lateErrors(tally)];
  const after = usedSeconds();
  const seconds = before === undefined || after === undefined ? undefined : after - before;
  send({ kind: 'ended', passes, failures, skips, output: '', seconds, counts, memory: process.memoryUsage.rss() });
}

function runCheck({ name, program, words, spoken }: Check): void {
  const before = usedSeconds();
  const done = spawnSync(program, words, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  const output = `${done.error?.message ?? ''}${done.stdout ?? ''}${done.stderr ?? ''}`;
  const after = usedSeconds();
  send({
    kind: 'ended',
    passes: done.status === 0 ? 1 : 0,
    failures: done.status === 0 ? [] : [{ name, report: output }],
    skips: [],
    output: done.status === 0 && spoken === true ? output : '',
    seconds: before === undefined || after === undefined ? undefined : after - before,
    counts: { processes: 0, mutations: 0, runs: 0 },
    memory: process.memoryUsage.rss(),
  });
}

/** Lets what the tests left behind run out, so that its errors are seen. */
async function finish(): Promise<void> {
  await releaseKept();
  process.channel?.unref();
  const leave = (): void => {
    for (const failure of lateErrors(undefined)) send({ kind: 'late', failure });
    process.exit();
  };
  process.once('beforeExit', leave);
  setTimeout(leave, DRAIN_MS).unref();
}

countProcesses();
process.on('uncaughtException', (error) => uncaught.push({ test: running.getStore() ?? current, error }));
process.on('disconnect', () => process.exit());
process.on('message', async (order: Order) => {
  if (order.kind === 'file') await runFile(order);
  else if (order.kind === 'check') runCheck(order);
  else await finish();
});
