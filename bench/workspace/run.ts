/**
 * How a front is served through the worker carrier: for each question the first and the second answer, how long the asking thread is blocked, how soon
 * an abort after 30 ms comes back, and how often progress is reported. Then pages of a heap dump's objects, anywhere in the listing.
 *
 *   node dist/bench/workspace/run.js [MEGABYTES] [STACKS] [CUSTOMERS] [FOLDER]
 */
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Question } from '../../src/session/session.js';
import { workerWorkspace } from '../../src/session/workspace/worker.node.js';
import type { Workspace } from '../../src/session/workspace/workspace.js';
import type { ViewName } from '../../src/views/index.js';
import { generate } from '../collapsed/generate.js';
import { generate as generateHeap } from '../heap/generate.js';

const [megabytes = '165', stacks = '300000', customers = '60000', folder = join(tmpdir(), 'kansoku-bench')] =
  process.argv.slice(2);
const ABORT_MS = 30;

const QUESTIONS: readonly Question<ViewName>[] = [
  { view: 'summary' },
  { view: 'functions' },
  { view: 'functions', page: { sort: 'function' } },
  { view: 'callers', options: { function: 'a' } },
  { view: 'tree' },
  { view: 'tree', options: { inverted: true } },
  { view: 'flame' },
  { view: 'flame', options: { inverted: true, minShare: 0.001 } },
  { view: 'functions', scope: [{ kind: 'focus', pattern: 'a' }] },
  { view: 'tree', scope: [{ kind: 'hide', pattern: 'b' }] },
  { view: 'diff', base: 'r2' },
  { view: 'flame', base: 'r2' },
];

/** Milliseconds of an answer, and the longest time in which this thread did nothing else. */
async function timed(run: () => Promise<unknown>): Promise<{ readonly ms: number; readonly blocked: number }> {
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  const begin = performance.now();
  const failure = await run().then(
    () => undefined,
    (error: unknown) => error,
  );
  const ms = performance.now() - begin;
  await setTimeout(5);
  delay.disable();
  if (failure !== undefined && !(failure instanceof DOMException)) throw failure;
  return { ms, blocked: delay.max / 1e6 };
}

/** Opens a file anew, so that nothing is kept of questions before. */
async function opened(names: readonly string[]): Promise<Workspace> {
  const workspace = workerWorkspace();
  await workspace.open({ names, cache: false });
  return workspace;
}

function row(cells: readonly (string | number)[]): void {
  const [title, ...numbers] = cells;
  const shown = numbers.map((each) => (typeof each === 'number' ? each.toFixed(0) : each).padStart(9));
  process.stdout.write(`${String(title).padEnd(62)}${shown.join('')}\n`);
}

async function askAll(names: readonly string[]): Promise<void> {
  row(['question', 'first ms', 'second', 'blocked', 'abort', 'progress']);
  for (const question of QUESTIONS) {
    const files = question.base === undefined ? names.slice(0, 1) : names;
    const aborted = await opened(files);
    const controller = new AbortController();
    const stop = setTimeout(ABORT_MS).then(() => controller.abort());
    const abort = await timed(() => aborted.ask(question, { signal: controller.signal }));
    await stop;
    const workspace = await opened(files);
    const reports: number[] = [];
    const begin = performance.now();
    const first = await timed(() => workspace.ask(question, { progress: () => reports.push(performance.now()) }));
    // The longest time without a report.
    const times = [begin, ...reports, begin + first.ms];
    const gap = Math.max(...times.slice(1).map((time, i) => time - (times[i] ?? time)));
    const second = await timed(() => workspace.ask(question));
    const { view, ...rest } = question;
    const text = `${view} ${Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)}`;
    const late = Math.max(0, abort.ms - ABORT_MS);
    row([text, first.ms, second.ms, Math.max(first.blocked, second.blocked, abort.blocked), late, gap]);
    await Promise.all([workspace.end(), aborted.end()]);
  }
}

async function pageAll(dump: string): Promise<void> {
  const workspace = await opened([dump]);
  await workspace.ask({ view: 'heap-objects' });
  row(['heap-objects, page at', 'first ms', 'second', 'blocked']);
  for (const sort of [undefined, 'retained', 'class'])
    for (const offset of [0, 1_000_000, 2_500_000, 5_000_000]) {
      const page = { offset, ...(sort !== undefined && { sort }) };
      const first = await timed(() => workspace.ask({ view: 'heap-objects', page }));
      const second = await timed(() => workspace.ask({ view: 'heap-objects', page: { ...page, offset: offset + 20 } }));
      row([`${sort ?? 'address'} ${offset}`, first.ms, second.ms, Math.max(first.blocked, second.blocked)]);
    }
  await workspace.end();
}

mkdirSync(folder, { recursive: true });
const names: string[] = [];
for (const size of [Number(megabytes), Number(megabytes) / 3]) {
  const file = join(folder, `${size}-${stacks}-workspace.collapsed`);
  if (!existsSync(file)) await generate(file, size * 1e6, Number(stacks), 'sorted');
  names.push(file);
}
const dump = join(folder, `${customers}-workspace.hprof`);
if (!existsSync(dump)) generateHeap(dump, Number(customers));
await askAll(names);
await pageAll(dump);
