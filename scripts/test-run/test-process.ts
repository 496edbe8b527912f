/**
 * A process that runs one job after the other for run-tests.ts. Test files share it: Node starts once, modules stay
 * loaded and compiled, and what a helper keeps for the process (`src/testing/kept.ts`: a browser, compiled programs) is
 * made once.
 */
import childProcess, { spawnSync } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { releaseKept } from '../../src/testing/kept.js';
import { counts, resetCounts } from '../../src/testing/work-counts.js';
import { usedSeconds } from './cpu.js';
import { addFileSuite } from './file-suite.js';
import type { FileTally } from './file-tally.js';
import type { Check, Failure, Order, Report, TestFile } from './messages.js';
import { tallied } from './reporter.js';

/** Milliseconds that timers and streams of the tests may still take after the last file. */
const DRAIN_MS = 2000;

interface Uncaught {
  readonly test: string;
  readonly error: unknown;
}

/** Errors that no test caught, with their file. */
const uncaughtErrors: Uncaught[] = [];
/** The files so far, with the addresses of their modules; the last one is that whose tests run. */
const files: { readonly test: string; readonly address: string }[] = [];
/** Ends the run of the current file: its tests may wait for what an error has prevented. */
let endFile: () => void = () => undefined;

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

/**
 * The file of an error that no test caught: the one in its stack, which also a timer that outlives its test has; else the current one.
 * Node's test runner does not know it (`file-suite.ts`).
 */
function keepUncaught(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const current = files.at(-1);
  const test = (files.findLast(({ address }) => stack.includes(address)) ?? current)?.test ?? '';
  uncaughtErrors.push({ test, error });
  if (test === current?.test) endFile();
}

/** Errors that belong to no test that failed: of a timer behind its test, of an event nobody waited for. */
function lateErrors(tally: FileTally | undefined): Failure[] {
  return uncaughtErrors.splice(0).flatMap(({ test, error }) => {
    if (tally?.errors.has(error) === true) return [];
    return [{ name: test, report: `an error that no test caught: ${inspect(error)}` }];
  });
}

async function runFile({ test, module }: TestFile): Promise<void> {
  const before = usedSeconds();
  resetCounts();
  const address = pathToFileURL(module).href;
  files.push({ test, address });
  const { tally, ended } = tallied();
  const broken = new Promise<void>((resolve) => {
    endFile = resolve;
  });
  addFileSuite(test, address);
  // A test that waits for what never comes leaves nothing to do: without the channel, the process ends and says so.
  process.channel?.unref();
  await Promise.race([ended, broken]);
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
process.on('uncaughtException', keepUncaught);
process.on('unhandledRejection', keepUncaught);
process.on('disconnect', () => process.exit());
process.on('message', async (order: Order) => {
  if (order.kind === 'file') await runFile(order);
  else if (order.kind === 'check') runCheck(order);
  else await finish();
});
