/**
 * How fast classes are found and read: Kansoku's index of an image, jmod or jar (by name), and the index with all class
 * files, against reading the bytes of the file and nothing else.
 *
 *   node dist/bench/classpath/run.js [FILE,…] [RUNS]
 *
 * Without files: the image of the JDK whose `java` is in PATH and, where it has it, java.base.jmod.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownJdk } from '../../src/code/java/testing/jdks.js';
import { compare, runSubject } from '../compare.js';

function filesOfJdk(): string[] {
  const home = ownJdk();
  if (home === undefined) throw new Error('java is not in PATH: name the files');
  return [join(home, 'lib', 'modules'), join(home, 'jmods', 'java.base.jmod')].filter((file) => existsSync(file));
}

const [names = '', runs = '5'] = process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
compare(
  names === '' ? filesOfJdk() : names.split(','),
  {
    index: (file) => runSubject([], subject, ['index', file]),
    load: (file) => runSubject([], subject, ['load', file]),
    bytes: (file) => runSubject([], subject, ['bytes', file]),
  },
  { yardstick: 'bytes', runs: Number(runs) },
);
