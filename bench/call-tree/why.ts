/**
 * What `calls why` costs on a graph that is loaded: CPU milliseconds of the first question for each name, and of the same question again.
 * The first of all also builds the index of callers and callees, once for the session.
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
print(['CPU ms', 'first', 'again', 'names']);
for (const method of asked) {
  const why = () => ask(session, { view: 'calls-why', options: { method } });
  const first = await milliseconds(why);
  const again = await each(why);
  const names = await each(() => methodsNamed(program, method));
  print([method, ...[first, again, names].map((cost) => cost.toFixed(1))]);
}
await session.close();
