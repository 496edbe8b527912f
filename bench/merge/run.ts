/**
 * How fast profiles are merged: Kansoku against a script with `JSON.parse` and maps, on the same three files in the
 * same run; both read, merge and make the bytes of the result.
 *
 *   node dist/bench/merge/run.js REAL.iprof OTHER.iprof [MEGABYTES] [RUNS] [FOLDER]
 *
 * Makes files of MEGABYTES (50) of the real ones: two of the first, one of them with renamed packages, and one of the
 * other. So equal, similar and foreign methods meet. The size and the figures a file are those of the first one.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, runSubject } from '../compare.js';
import { generate } from '../iprof/generate.js';

const [first = '', other = '', megabytes = '50', runs = '3', folder = join(tmpdir(), 'kansoku-bench')] =
  process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
mkdirSync(folder, { recursive: true });

const inputs = [
  { input: first, name: `merge-${megabytes}-same.iprof`, renamed: false },
  { input: first, name: `merge-${megabytes}-renamed.iprof`, renamed: true },
  { input: other, name: `merge-${megabytes}-other.iprof`, renamed: true },
];
const files: string[] = [];
for (const { input, name, renamed } of inputs) {
  const file = join(folder, name);
  if (!existsSync(file)) await generate(input, file, Number(megabytes) * 1e6, renamed);
  files.push(file);
}
const merger = (name: string) => () => runSubject(['--max-old-space-size=8192'], subject, [name, ...files]);
const [largest = ''] = files;
compare(
  [largest],
  { kansoku: merger('kansoku'), 'json-parse': merger('json-parse') },
  {
    yardstick: 'json-parse',
    runs: Number(runs),
  },
);
