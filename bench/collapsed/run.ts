/**
 * How fast collapsed stacks are read: Kansoku's whole index against a script with readline and Maps, and readline alone, on
 * the same files in the same run. All must agree on the sum of the counts.
 *
 *   node dist/bench/collapsed/run.js [MEGABYTES] [STACKS] [RUNS] [FOLDER]
 */
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, runSubject } from '../compare.js';
import { generate } from './generate.js';

const [megabytes = '100', stacks = '60000', runs = '3', folder = join(tmpdir(), 'kansoku-bench')] =
  process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
mkdirSync(folder, { recursive: true });
const files: string[] = [];
for (const order of ['sorted', 'shuffled'] as const) {
  const file = join(folder, `${megabytes}-${stacks}-${order}.collapsed`);
  if (!existsSync(file)) await generate(file, Number(megabytes) * 1e6, Number(stacks), order);
  files.push(file);
}
const reader = (name: string) => (file: string) => runSubject([], subject, [name, file]);
const readers = { kansoku: reader('kansoku'), readline: reader('readline'), lines: reader('lines') };
compare(files, readers, { yardstick: 'readline', runs: Number(runs), sameEntries: true });
