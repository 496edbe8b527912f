/** What whole commands on a made report cost, from start to exit, beside `wc -lm` of the same file: CPU, wall, peak memory. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './compare.js';
import { costOf, type ProcessCost } from './process.js';

const MAIN = fileURLToPath(new URL('../../dist/bundle/node/main.js', import.meta.url));

/** How a report is made, and which files it has, the one to open first. */
export interface MadeReport {
  readonly make: (output: string, bytes: number) => void | Promise<void>;
  readonly files?: (output: string) => readonly string[];
}

/**
 * Makes the report if it is not there, and prints the medians of `--runs` turns; each runs `wc`, then `summary` with an empty cache, `summary`
 * again, and the command `then` with the cache. Ratios are of CPU, to `wc` of the same turn.
 */
export async function runReport(
  name: string,
  reports: { readonly text: MadeReport; readonly tables?: MadeReport },
  then: { readonly title: string; readonly words: (file: string) => readonly string[] },
): Promise<void> {
  const { values } = parseArgs({
    options: {
      tables: { type: 'boolean', default: false },
      megabytes: { type: 'string', default: '1000' },
      runs: { type: 'string', default: '3' },
      folder: { type: 'string', default: join(tmpdir(), 'kansoku-bench') },
    },
  });
  mkdirSync(values.folder, { recursive: true });
  const { make, files = (output) => [output] } = (values.tables ? reports.tables : undefined) ?? reports.text;
  const output = join(values.folder, `${name}-${values.megabytes}${values.tables ? '' : '.txt'}`);
  const all = files(output);
  const [file = output] = all;
  if (!existsSync(file)) await make(output, Number(values.megabytes) * 1e6);
  const asked: readonly (readonly [title: string, program: string, ...words: string[]])[] = [
    ['wc -lm', 'env', 'LC_ALL=C.UTF-8', 'wc', '-lm', ...all],
    ['kansoku summary', process.execPath, MAIN, 'summary', file],
    ['kansoku summary, from the cache', process.execPath, MAIN, 'summary', file],
    [`${then.title}, from the cache`, process.execPath, MAIN, ...then.words(file)],
  ];
  const costs = asked.map((): ProcessCost[] => []);
  for (let turn = 0; turn < Number(values.runs); turn++) {
    const cache = mkdtempSync(join(values.folder, 'cache-'));
    for (const [i, [, program, ...words]] of asked.entries()) costs[i]?.push(costOf(program, words, cache, cache));
    rmSync(cache, { recursive: true });
  }
  const bytes = all.reduce((sum, one) => sum + statSync(one).size, 0);
  row([`${(bytes / 1e6).toFixed(0)} MB`, 'CPU s', 'ratio', 'wall s', 'RSS MB']);
  for (const [i, [title]] of asked.entries()) {
    const own = costs[i] ?? [];
    row([
      title,
      median(own.map(({ cpu }) => cpu)).toFixed(2),
      median(own.map(({ cpu }, turn) => cpu / (costs[0]?.[turn]?.cpu ?? Number.NaN))).toFixed(2),
      median(own.map(({ wall }) => wall)).toFixed(2),
      (median(own.map(({ rss }) => rss ?? Number.NaN)) / 1e6).toFixed(0),
    ]);
  }
}

function row(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(36) : cell.padStart(10))).join('')}\n`);
}
