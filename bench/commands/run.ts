/**
 * What whole commands cost, from start to exit: CPU of all threads, and peak memory, of `dist/bundle/node/main.js`.
 *
 *   node dist/bench/commands/run.js [--megabytes 185] [--runs 5] [--folder FOLDER] [--profile REAL.iprof] [--only WORD]
 *
 * REAL.iprof, of version 1.0.0 or later, is by default one of the collection at KANSOKU_DATA.
 *
 * Three tables: the commands on a PGO profile of that size, beside `JSON.parse` of the same file; start-up, beside `node -e
 * 0`; collapsed stacks of 500 MB, beside inferno if `inferno-flamegraph` is in PATH (`--collapsed 0` omits this table). The
 * file is in the page cache. Each turn runs the yardstick, then each command twice: cold, with an empty cache of its own,
 * then warm, with the cache that the cold run wrote. Shown are medians, and the ratio to the yardstick of the same turn.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { generate as generateStacks } from '../collapsed/generate.js';
import { median } from '../compare.js';
import { generate } from '../iprof/generate.js';
import { costOf, type ProcessCost } from '../process.js';
import { type Bar, COLLAPSED_COMMANDS, type Command, PROFILE_COMMANDS, START_COMMANDS } from './commands.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAIN = join(ROOT, 'dist/bundle/node/main.js');

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '185' },
    collapsed: { type: 'string', default: '500' },
    runs: { type: 'string', default: '5' },
    folder: { type: 'string', default: join(tmpdir(), 'kansoku-bench') },
    profile: { type: 'string', default: join(process.env.KANSOKU_DATA ?? '', 'iprof/f-cramer-some-compiler.iprof') },
    only: { type: 'string', default: '' },
  },
});

function emptyFolder(): string {
  return mkdtempSync(join(values.folder, 'cache-'));
}

function row(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(44) : cell.padStart(10))).join('')}\n`);
}

interface Yardstick {
  readonly title: string;
  readonly run: () => ProcessCost;
}

/** Runs all commands `runs` times, in turns with the yardstick, and prints the table. `figure`: what bars are about. */
function table(yardstick: Yardstick, commands: readonly Command[], figure: 'cpu' | 'wall'): void {
  const chosen = commands.filter(({ title }) => title.includes(values.only));
  if (chosen.length === 0) return;
  const base: ProcessCost[] = [];
  const cold = chosen.map((): ProcessCost[] => []);
  const warm = chosen.map((): ProcessCost[] => []);
  for (let turn = 0; turn < Number(values.runs); turn++) {
    base.push(yardstick.run());
    for (const [i, { words }] of chosen.entries()) {
      const cache = emptyFolder();
      const all = [MAIN, ...words(values.folder)];
      cold[i]?.push(costOf(process.execPath, all, cache));
      warm[i]?.push(costOf(process.execPath, all, cache));
      rmSync(cache, { recursive: true });
    }
  }
  const seconds = (list: readonly ProcessCost[]): number => median(list.map((cost) => cost[figure]));
  row([`${figure === 'cpu' ? 'CPU' : 'wall'} s`, 'cold', 'ratio', 'bar', '', 'warm', 'ratio', 'bar', 'RSS MB']);
  row([yardstick.title, seconds(base).toFixed(2)]);
  for (const [i, { title, bar, warmBar }] of chosen.entries()) {
    const ratio = (list: readonly ProcessCost[]): number =>
      median(list.map((cost, turn) => cost[figure] / (base[turn]?.[figure] ?? NaN)));
    const [first, second] = [cold[i] ?? [], warm[i] ?? []];
    row([
      title,
      seconds(first).toFixed(2),
      ratio(first).toFixed(2),
      ...verdict(ratio(first), bar),
      seconds(second).toFixed(2),
      ratio(second).toFixed(2),
      verdict(ratio(second), warmBar)[0] ?? '',
      (median(first.map(({ rss }) => rss ?? NaN)) / 1e6).toFixed(0),
    ]);
  }
  process.stdout.write('\n');
}

function verdict(ratio: number, bar: Bar): readonly [string, string] {
  return bar === undefined ? ['', ''] : [bar.toFixed(1), ratio <= bar ? 'met' : 'missed'];
}

async function profiles(): Promise<string> {
  const file = join(values.folder, 'commands.iprof');
  const bytes = Number(values.megabytes) * 1e6;
  if (!existsSync(file)) await generate(values.profile, file, bytes);
  const other = join(values.folder, 'commands-other.iprof');
  if (!existsSync(other)) await generate(values.profile, other, bytes, true);
  return file;
}

mkdirSync(values.folder, { recursive: true });
const profile = await profiles();
const node = (text: string): ProcessCost => costOf(process.execPath, ['--input-type=module', '-e', text], '');
const parse = `import{readFileSync}from'node:fs';JSON.parse(readFileSync(${JSON.stringify(profile)},'utf8'))`;
table({ title: 'JSON.parse', run: () => node(parse) }, PROFILE_COMMANDS, 'cpu');
table({ title: 'node -e 0', run: () => costOf(process.execPath, ['-e', '0'], '') }, START_COMMANDS, 'cpu');

if (values.collapsed !== '0') {
  const stacks = join(values.folder, 'commands.collapsed');
  if (!existsSync(stacks)) await generateStacks(stacks, Number(values.collapsed) * 1e6, 60_000, 'shuffled');
  const inferno = spawnSync('inferno-flamegraph', ['--help']).status === 0;
  const read = `import{createReadStream}from'node:fs';let n=0;for await(const c of createReadStream(${JSON.stringify(stacks)},{highWaterMark:1<<20}))for(let i=c.indexOf(10);i>=0;i=c.indexOf(10,i+1))n++`;
  table(
    inferno
      ? { title: 'inferno-flamegraph', run: () => costOf('inferno-flamegraph', [stacks], '') }
      : { title: 'line feeds counted (inferno is missing)', run: () => node(read) },
    COLLAPSED_COMMANDS.map((command) => (inferno ? command : { ...command, bar: undefined })),
    'wall',
  );
}
process.stdout.write(
  `${readFileSync('/proc/loadavg', 'latin1').trim()} (load), Node ${process.version}, ${pathToFileURL(profile).pathname}\n`,
);
