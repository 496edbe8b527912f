/**
 * How fast logs of thread dumps are read: Kansoku's whole model against a script that splits lines with `node:readline`,
 * matches each and keeps nothing.
 *
 *   node dist/bench/thread-dump/run.js [FOLDER] [MEGABYTES,…] [RUNS]
 */
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, runSubject } from '../compare.js';
import { generate } from './generate.js';

const [folder = join(tmpdir(), 'kansoku-bench'), sizes = '100,1000', runs = '3'] = process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
mkdirSync(folder, { recursive: true });
const files: string[] = [];
for (const megabytes of sizes.split(',')) {
  const file = join(folder, `${megabytes}.dumps.txt`);
  if (!existsSync(file)) await generate(file, Number(megabytes) * 1e6);
  files.push(file);
}
compare(
  files,
  {
    kansoku: (file) => runSubject([], subject, ['kansoku', file]),
    readline: (file) => runSubject([], subject, ['readline', file]),
  },
  { yardstick: 'readline', runs: Number(runs), sameEntries: true },
);
