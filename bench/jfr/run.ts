/**
 * What whole commands on a recording of JFR cost, from start to exit, beside other readers: CPU of all threads, wall, peak memory.
 *
 *   node dist/bench/jfr/run.js [--file FILE.jfr] [--seconds 8] [--megabytes N] [--runs 5] [--folder FOLDER] [--only WORD]
 *
 * Without FILE, a VM records `Load.java` for so many seconds; with --megabytes, a recording of that size is generated.
 * Each turn runs the JDK's `jfr summary`, grafana's parser if its `jfrparser` is in PATH, and each command with an empty cache. Shown are
 * medians, and CPU an event. Ratios are to a program of the same turn: trees and tables of functions to grafana's parser, if it is there,
 * since it makes stacks with sums, too; all others to `jfr summary`. Phases are the least CPU of the reader alone, in this process.
 *
 * grafana's parser: `go build ./internal/cmd/jfrparser` in github.com/grafana/jfr-parser, commit 1d06ce37.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fileSource } from '../../src/bytes/file.node.js';
import { outlineOfJfr, readJfr } from '../../src/formats/jfr/read.js';
import { median } from '../compare.js';
import { costOf, type ProcessCost } from '../process.js';
import { generate } from './generate.js';
import { record } from './record.js';

const MAIN = fileURLToPath(new URL('../../../dist/bundle/node/main.js', import.meta.url));
const YARDSTICK = 'jfr summary';
const GO = 'grafana jfrparser';
/** Commands that do what grafana's parser does. */
const LIKE_GO = /^kansoku (?:tree|functions)\b/;
/** Larger files are measured as whole commands only. */
const LARGEST_IN_PHASES = 300e6;
const NO_KERNEL = Infinity;
const FAILED: ProcessCost = { cpu: NaN, wall: NaN, rss: undefined };

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    seconds: { type: 'string', default: '8' },
    megabytes: { type: 'string' },
    runs: { type: 'string', default: '5' },
    folder: { type: 'string', default: join(tmpdir(), 'kansoku-bench') },
    only: { type: 'string', default: '' },
  },
});

type Commands = readonly (readonly [title: string, program: string, ...words: string[]])[];

function commandsOn(file: string): Commands {
  const ours = (view: string, ...words: string[]): Commands[number] => [
    ['kansoku', view, ...words].join(' '),
    process.execPath,
    MAIN,
    view,
    file,
    ...words,
  ];
  const chosen = [
    ours('summary'),
    ours('tree', '--metric', 'tlab-bytes'),
    ours('functions', '--metric', 'tlab-bytes'),
    ours('events'),
    ours('events', 'jdk.ExecutionSample'),
    ours('events', 'jdk.GCHeapSummary'),
    ours('events', 'jdk.ObjectAllocationInNewTLAB'),
    ours('events', '--thread', 'load-1'),
  ].filter(([title]) => title.includes(values.only));
  const hasGo = spawnSync('jfrparser', [], { stdio: 'ignore' }).error === undefined;
  return [[YARDSTICK, 'jfr', 'summary', file], ...(hasGo ? ([[GO, 'jfrparser', file]] as const) : []), ...chosen];
}

/** Undefined if the program cannot do it. */
function cold(program: string, words: readonly string[]): ProcessCost | undefined {
  const cache = mkdtempSync(join(values.folder, 'cache-'));
  try {
    // Grafana's parser writes its files into the working folder.
    return costOf(program, words, cache, cache);
  } catch {
    return undefined;
  } finally {
    rmSync(cache, { recursive: true });
  }
}

function row(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(52) : cell.padStart(10))).join('')}\n`);
}

function report(title: string, costs: readonly ProcessCost[]): void {
  const beside = LIKE_GO.test(title) && measured.has(GO) ? GO : YARDSTICK;
  const base = measured.get(beside) ?? costs;
  if (costs.includes(FAILED)) {
    row([title, 'cannot']);
    return;
  }
  const ratio = (of: (cost: ProcessCost) => number): string =>
    median(costs.map((cost, i) => of(cost) / of(base[i] ?? cost))).toFixed(2);
  row([
    title,
    median(costs.map(({ cpu }) => cpu)).toFixed(2),
    ratio(({ cpu }) => cpu),
    median(costs.map(({ wall }) => wall)).toFixed(2),
    ratio(({ wall }) => wall),
    (median(costs.map(({ rss }) => rss ?? NaN)) / 1e6).toFixed(0),
    ((median(costs.map(({ cpu }) => cpu)) / events) * 1e9).toFixed(0),
    beside === title ? '' : `  to ${beside}`,
  ]);
}

/** CPU of a phase: the least of all runs. */
async function phase(title: string, run: () => Promise<unknown>): Promise<void> {
  let least = Infinity;
  for (let i = 0; i < Number(values.runs); i++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  row([title, least.toFixed(2), '', '', '', '', ((least / events) * 1e9).toFixed(0)]);
}

mkdirSync(values.folder, { recursive: true });
const made = values.megabytes === undefined ? `load-${values.seconds}` : `generated-${values.megabytes}`;
const file = values.file ?? join(values.folder, `${made}.jfr`);
if (!existsSync(file) && values.megabytes !== undefined) generate(file, Number(values.megabytes));
if (!existsSync(file)) record(file, values.folder, Number(values.seconds));
const source = await fileSource(file);
const { recording } = await outlineOfJfr(source);
const events = recording.sections.reduce((sum, { entries }) => sum + entries, 0);
const commands = commandsOn(file);
const costs = commands.map((): ProcessCost[] => []);
for (let turn = 0; turn < Number(values.runs); turn++)
  for (const [i, [, program, ...words]] of commands.entries()) costs[i]?.push(cold(program, words) ?? FAILED);
const { size } = statSync(file);
row([
  `${(size / 1e6).toFixed(1)} MB, ${events} events of ${(size / events).toFixed(1)} bytes`,
  ...['CPU s', 'ratio', 'wall s', 'ratio', 'RSS MB', 'ns/event'],
]);
const measured = new Map(commands.map(([title], i) => [title, costs[i] ?? []]));
// A program that cannot read the file is no yardstick.
if (measured.get(GO)?.includes(FAILED)) measured.delete(GO);
for (const [i, [title]] of commands.entries()) report(title, costs[i] ?? []);
if (size < LARGEST_IN_PHASES && 'phases'.includes(values.only)) {
  await phase('phase: walk, types counted', () => outlineOfJfr(source));
  await phase('phase: walk, samples, constants, tables', () => readJfr(source));
  await phase('the same without the kernel', () => readJfr(source, {}, { kernelFrom: NO_KERNEL }));
}
await source.close?.();
