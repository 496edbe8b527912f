/**
 * What whole commands on a recording of JFR cost, from start to exit, beside other readers: CPU of all threads, wall, peak memory.
 *
 *   node dist/bench/jfr/run.js [--file FILE.jfr] [--seconds 8] [--runs 5] [--folder FOLDER] [--only WORD]
 *
 * Without FILE, a VM records `Load.java` for so many seconds. Each turn runs the JDK's `jfr summary`, grafana's parser if its
 * `jfrparser` is in PATH, and each command with an empty cache. Shown are medians; ratios are to `jfr summary` of the same turn.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../compare.js';
import { costOf, type ProcessCost } from '../process.js';
import { record } from './record.js';

const MAIN = fileURLToPath(new URL('../../../dist/bundle/node/main.js', import.meta.url));
const YARDSTICK = 'jfr summary';
const FAILED: ProcessCost = { cpu: NaN, wall: NaN, rss: undefined };

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    seconds: { type: 'string', default: '8' },
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
    ours('events', 'jdk.ObjectAllocationInNewTLAB'),
  ].filter(([title]) => title.includes(values.only));
  const hasGo = spawnSync('jfrparser', [], { stdio: 'ignore' }).error === undefined;
  return [
    [YARDSTICK, 'jfr', 'summary', file],
    ...(hasGo ? ([['grafana jfrparser', 'jfrparser', file]] as const) : []),
    ...chosen,
  ];
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

function report(title: string, costs: readonly ProcessCost[], base: readonly ProcessCost[]): void {
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
  ]);
}

mkdirSync(values.folder, { recursive: true });
const file = values.file ?? join(values.folder, `load-${values.seconds}.jfr`);
if (!existsSync(file)) record(file, values.folder, Number(values.seconds));
const commands = commandsOn(file);
const costs = commands.map((): ProcessCost[] => []);
for (let turn = 0; turn < Number(values.runs); turn++)
  for (const [i, [, program, ...words]] of commands.entries()) costs[i]?.push(cold(program, words) ?? FAILED);
row([`${(statSync(file).size / 1e6).toFixed(1)} MB`, 'CPU s', 'ratio', 'wall s', 'ratio', 'RSS MB']);
for (const [i, [title]] of commands.entries()) report(title, costs[i] ?? [], costs[0] ?? []);
