/**
 * What `kansoku functions` on a heap trace costs, from start to exit, beside `gprofng display text -functions`: CPU, wall, peak memory; then the
 * milliseconds of views of a session that has read it.
 *
 *   node dist/bench/experiment/run.js [--megabytes 270] [--threads 1] [--runs 3] [--folder FOLDER]
 *
 * Medians; ratios are of CPU, to gprofng in the same turn. Sums that differ from what the generator wrote end it.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openInputs } from '../../src/session/open.node.js';
import { ask } from '../../src/session/session.js';
import { median } from '../compare.js';
import { costOf, type ProcessCost } from '../process.js';
import { type Facts, generate } from './generate.js';

const MAIN = fileURLToPath(new URL('../../../dist/bundle/node/main.js', import.meta.url));

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '270' },
    threads: { type: 'string', default: '1' },
    runs: { type: 'string', default: '3' },
    folder: { type: 'string', default: join(tmpdir(), 'kansoku-bench') },
  },
});

function row(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(44) : cell.padStart(10))).join('')}\n`);
}

mkdirSync(values.folder, { recursive: true });
const experiment = join(values.folder, `heap-${values.megabytes}-${values.threads}.er`);
const factsFile = `${experiment}.json`;
if (!existsSync(factsFile))
  writeFileSync(factsFile, JSON.stringify(generate(experiment, Number(values.megabytes), Number(values.threads))));
const facts: Facts = JSON.parse(readFileSync(factsFile, 'utf8'));

const asked: readonly (readonly [title: string, program: string, ...words: string[]])[] = [
  ['gprofng display text -functions', 'gprofng', 'display', 'text', '-functions', experiment],
  ['kansoku functions', process.execPath, MAIN, 'functions', experiment, '--metric', 'heap-leaked', '--limit', '0'],
];
const costs = asked.map((): ProcessCost[] => []);
for (let turn = 0; turn < Number(values.runs); turn++) {
  const cache = mkdtempSync(join(values.folder, 'cache-'));
  for (const [i, [, program, ...words]] of asked.entries()) costs[i]?.push(costOf(program, words, cache, cache));
  rmSync(cache, { recursive: true });
}
row([`${facts.events} events, ${values.threads} threads`, 'CPU s', 'peer /', 'wall s', 'RSS MB']);
for (const [i, [title]] of asked.entries()) {
  const own = costs[i] ?? [];
  row([
    title,
    median(own.map(({ cpu }) => cpu)).toFixed(2),
    median(own.map(({ cpu }, turn) => (costs[0]?.[turn]?.cpu ?? Number.NaN) / cpu)).toFixed(2),
    median(own.map(({ wall }) => wall)).toFixed(2),
    (median(own.map(({ rss }) => rss ?? Number.NaN)) / 1e6).toFixed(0),
  ]);
}

/** Milliseconds of CPU of a question. */
async function cost<Result>(title: string, answer: () => Promise<Result>): Promise<Result> {
  const before = process.cpuUsage();
  const result = await answer();
  const { user, system } = process.cpuUsage(before);
  row([`${title}, ms of CPU`, ((user + system) / 1000).toFixed(0)]);
  return result;
}

const session = await openInputs([experiment], { cache: false, announce: () => undefined, work: {} });
const sums: number[] = [];
for (const metric of ['heap-leaked', 'heap-bytes', 'heap-allocations']) {
  const result = await cost(`functions of ${metric}`, () => ask(session, { view: 'functions', options: { metric } }));
  sums.push(result.metric.sum);
}
const options = { metric: 'heap-bytes', function: 'function_1' };
await cost('callers of heap-bytes', () => ask(session, { view: 'callers', options }));
await session.close();
const wanted = [facts.leaked, facts.bytes, facts.allocations];
if (sums.some((sum, i) => sum !== wanted[i])) throw new Error(`sums are ${sums.join(', ')}, not ${wanted.join(', ')}`);
