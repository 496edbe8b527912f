/**
 * What it costs to keep a recording and to take it again: column files against `v8.serialize` of the whole recording.
 *
 *   node dist/bench/cache/run.js REAL.iprof [FOLDER] [RUNS]
 *
 * Makes 44, 184 and 562 MB of the real profile in FOLDER (kept for the next run), and prints the median of each figure of
 * whole processes.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, runSubject } from '../compare.js';
import { generate } from '../iprof/generate.js';

const [input = '', folder = join(tmpdir(), 'kansoku-bench'), runs = '5'] = process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
mkdirSync(folder, { recursive: true });

const files: string[] = [];
for (const megabytes of [44, 184, 562]) {
  const file = join(folder, `${megabytes}.iprof`);
  if (!existsSync(file)) await generate(input, file, megabytes * 1e6);
  // Always made again: the copies must be of the program that is measured.
  runSubject([], subject, ['make', file]);
  files.push(file);
}
for (const task of ['load', 'save']) {
  process.stdout.write(`${task}\n`);
  const way = (name: string) => (file: string) => runSubject([], subject, [task, name, file]);
  compare(files, { columns: way('columns'), v8: way('v8') }, { yardstick: 'v8', runs: Number(runs) });
}
