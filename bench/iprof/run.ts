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
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, runSubject } from '../compare.js';
import { generate } from './generate.js';

const [input = '', folder = join(tmpdir(), 'kansoku-bench'), runs = '5'] = process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
mkdirSync(folder, { recursive: true });

const MODES: Readonly<Record<string, readonly string[]>> = {
  'as started': [],
  'one thread': ['--single-threaded-gc', '--no-concurrent-recompilation'],
};

const files: string[] = [];
for (const megabytes of [44, 184, 562]) {
  const file = join(folder, `${megabytes}.iprof`);
  if (!existsSync(file)) await generate(input, file, megabytes * 1e6);
  files.push(file);
}
for (const [mode, flags] of Object.entries(MODES)) {
  process.stdout.write(`${mode}\n`);
  const reader = (name: string) => (file: string) => runSubject(flags, subject, [name, file]);
  const readers = { kansoku: reader('kansoku'), 'json-parse': reader('json-parse') };
  compare(files, readers, { yardstick: 'json-parse', runs: Number(runs) });
}
