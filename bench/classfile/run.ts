/**
 * How fast the classes of the JDKs of this machine are read: structure alone, with the code of all methods, with all
 * instructions, with everything checked; against a plain walk over pool, members and Code offsets that keeps nothing.
 *
 *   node dist/bench/classfile/run.js [FOLDER] [RUNS]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jdks } from '../../src/code/java/testing/jdks.js';
import { compare, type Readers, runSubject } from '../compare.js';
import { packClasses } from './pack.js';

const [folder = join(tmpdir(), 'kansoku-bench'), runs = '3'] = process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
mkdirSync(folder, { recursive: true });
const files: string[] = [];
for (const jdk of jdks()) {
  const file = join(folder, `jdk-${jdk.version}.classes`);
  if (!existsSync(file)) packClasses(jdk, file);
  files.push(file);
}
const readers: Readers = Object.fromEntries(
  ['structure', 'code', 'instructions', 'check', 'plain'].map((name) => [
    name,
    (file: string) => runSubject([], subject, [name, file]),
  ]),
);
compare(files, readers, { yardstick: 'plain', runs: Number(runs), sameEntries: true });
for (const file of files)
  process.stdout.write(execFileSync(process.execPath, ['--expose-gc', subject, 'kept', file], { encoding: 'utf8' }));
