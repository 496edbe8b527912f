/**
 * What `calls why` costs on a graph that is loaded: CPU milliseconds of the first question, which also builds the index of callers and
 * callees, and of the same question again, for names of several kinds.
 *
 *   node dist/bench/call-tree/why.js FILE [METHODS …]
 *
 * Medians of 7; "names" is the search for the methods alone.
 */
import { methodsNamed } from '../../src/analysis/callgraph/method-filter.js';
import { openInputs } from '../../src/session/open.node.js';
import { ask } from '../../src/session/session.js';
import { median } from '../compare.js';

const RUNS = 7;
const [file = '', ...named] = process.argv.slice(2);
const asked =
  named.length > 0
    ? named
    : ['*Service9.*', 'getName17', 'com.example.*Service9.*', '~com.example.is.*,*.build*', 'Service99\\.'];

async function milliseconds(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function each(run: () => unknown): Promise<number> {
  const costs: number[] = [];
  for (let i = 0; i < RUNS; i++) costs.push(await milliseconds(run));
  return median(costs);
}

const session = await openInputs([file], { cache: true, announce: () => undefined, work: {} });
const program = session.recordings[0]?.program;
if (program === undefined) throw new Error(`${file} has no recording`);
const print = (cells: readonly string[]): boolean =>
  process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(32) : cell.padStart(12))).join('')}\n`);
print(['CPU ms', 'first', 'again', 'names first', 'names again']);
for (const method of asked) {
  const names = await milliseconds(() => methodsNamed(program, method));
  const namesAgain = await each(() => methodsNamed(program, method));
  const why = () => ask(session, { view: 'calls-why', options: { method } });
  const first = await milliseconds(why);
  print([method, ...[first, await each(why), names, namesAgain].map((cost) => cost.toFixed(1))]);
}
await session.close();
