/**
 * How fast the classes of a JDK are read: structure alone, with the code of all methods, with all instructions, with
 * everything checked; against a plain walk over pool, members and Code offsets that keeps nothing.
 *
 *   node dist/bench/classfile/run.js [IMAGE,…] [RUNS] [FOLDER]
 *
 * Without images: that of the JDK whose `java` is in PATH. FOLDER takes the unpacked classes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownJdk } from '../../src/code/java/testing/jdks.js';
import { compare, type Readers, runSubject } from '../compare.js';
import { packClasses } from './pack.js';

function imageOfJdk(): string {
  const home = ownJdk();
  if (home === undefined) throw new Error('java is not in PATH: name the images');
  return join(home, 'lib', 'modules');
}

const [images = '', runs = '3', folder = join(tmpdir(), 'kansoku-bench')] = process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
mkdirSync(folder, { recursive: true });
const files: string[] = [];
for (const image of images === '' ? [imageOfJdk()] : images.split(',')) {
  const file = join(folder, `${statSync(image).size}.classes`);
  if (!existsSync(file)) await packClasses(image, file);
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
