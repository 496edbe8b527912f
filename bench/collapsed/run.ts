/**
 * How fast collapsed stacks are read: Kansoku's whole index against a script with readline and Maps, and readline alone, on
 * the same files in the same run.
 *
 *   node dist/bench/collapsed/run.js [MEGABYTES] [STACKS] [RUNS] [FOLDER]
 *
 * Makes a sorted and a shuffled file in FOLDER (kept for the next run), runs the readers in turn as whole processes and
 * prints the median of each figure. All must agree on the sum of the counts.
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
  readonly sum: number;
  readonly stacks: number;
}

const [megabytes = '100', stacks = '60000', runs = '3', folder = join(tmpdir(), 'kansoku-bench')] =
  process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
mkdirSync(folder, { recursive: true });

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function print(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell, i) => (i < 2 ? cell.padEnd(20) : cell.padStart(12))).join('')}\n`);
}

print(['file', 'reader', 'rows', 'CPU s', 'MB/CPU s', 'wall s', 'RSS MB', 'RSS/file']);
for (const order of ['sorted', 'shuffled'] as const) {
  const file = join(folder, `${megabytes}-${stacks}-${order}.collapsed`);
  if (!existsSync(file)) await generate(file, Number(megabytes) * 1e6, Number(stacks), order);
  const size = statSync(file).size;
  const sums = new Set<number>();
  for (const reader of ['kansoku', 'readline', 'lines']) {
    const costs: Cost[] = Array.from({ length: Number(runs) }, () =>
      JSON.parse(execFileSync(process.execPath, [subject, reader, file], { encoding: 'utf8' })),
    );
    const cpu = median(costs.map((cost) => cost.cpu));
    const rss = median(costs.map((cost) => cost.rss));
    sums.add(costs[0]?.sum ?? Number.NaN);
    print([
      `${(size / 1e6).toFixed(0)} MB ${order}`,
      reader,
      String(costs[0]?.stacks ?? 0),
      cpu.toFixed(2),
      (size / 1e6 / cpu).toFixed(0),
      median(costs.map((cost) => cost.wall)).toFixed(2),
      (rss / 1e6).toFixed(0),
      (rss / size).toFixed(2),
    ]);
  }
  if (sums.size !== 1) throw new Error(`the readers disagree on the sum: ${[...sums].join(', ')}`);
}
