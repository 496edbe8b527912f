/**
 * How fast `.iprof` files are read: Kansoku's full index against `JSON.parse` alone, on the same files in the same run.
 *
 *   node dist/bench/iprof/run.js REAL.iprof [FOLDER] [RUNS]
 *
 * Makes 44, 184 and 562 MB of the real profile in FOLDER (kept for the next run), runs both readers in turn as whole
 * processes, and prints the median of each figure; the bar is the ratio of CPU (user and system time of all threads).
 * Each twice: as Node starts by itself, and with collector and compiler on the main thread. By itself, `JSON.parse` costs
 * half as much again in some runs as in others, since its garbage is collected by as many threads as happen to be free.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from './generate.js';

interface Cost {
  readonly cpu: number;
  readonly wall: number;
  readonly rss: number;
  readonly entries: number;
  readonly failed: string;
}

const [input = '', folder = join(tmpdir(), 'kansoku-bench'), runs = '5'] = process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
mkdirSync(folder, { recursive: true });

const MODES: Readonly<Record<string, readonly string[]>> = {
  'as started': [],
  'one thread': ['--single-threaded-gc', '--no-concurrent-recompilation'],
};

function measure(reader: string, file: string, flags: readonly string[]): Cost {
  return JSON.parse(execFileSync(process.execPath, [...flags, subject, reader, file], { encoding: 'utf8' }));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function print(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell, i) => (i < 3 ? cell.padEnd(11) : cell.padStart(11))).join(' ')}\n`);
}

function report(file: string, mode: string, flags: readonly string[]): void {
  const size = statSync(file).size;
  const costs: Record<string, Cost[]> = { kansoku: [], 'json-parse': [] };
  for (let i = 0; i < Number(runs); i++) {
    for (const [reader, list] of Object.entries(costs)) list.push(measure(reader, file, flags));
  }
  const title = [`${(size / 1e6).toFixed(1)} MB`, mode];
  const parsed = costs['json-parse']?.every((cost) => cost.failed === '') === true;
  for (const [reader, list] of Object.entries(costs)) {
    const failed = list.find((cost) => cost.failed !== '');
    if (failed !== undefined) {
      print([...title, reader, `cannot: ${failed.failed}`]);
      continue;
    }
    const ratios = list.map((cost, i) => cost.cpu / (costs['json-parse']?.[i]?.cpu ?? Number.NaN)).sort();
    const rss = median(list.map((cost) => cost.rss));
    print([
      ...title,
      reader,
      String(list[0]?.entries ?? 0),
      median(list.map((cost) => cost.cpu)).toFixed(2),
      parsed ? median(ratios).toFixed(2) : '',
      parsed ? `${ratios[0]?.toFixed(2)}-${ratios.at(-1)?.toFixed(2)}` : '',
      median(list.map((cost) => cost.wall)).toFixed(2),
      (rss / 1e6).toFixed(0),
      (rss / size).toFixed(2),
    ]);
  }
}

print(['file', 'threads', 'reader', 'entries', 'CPU s', 'CPU ratio', 'min-max', 'wall s', 'RSS MB', 'RSS / file']);
for (const megabytes of [44, 184, 562]) {
  const file = join(folder, `${megabytes}.iprof`);
  if (!existsSync(file)) await generate(input, file, megabytes * 1e6);
  for (const [mode, flags] of Object.entries(MODES)) report(file, mode, flags);
}
