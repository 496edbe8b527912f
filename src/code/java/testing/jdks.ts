/** The JDKs of this machine, and their classes as files. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export interface Jdk {
  readonly home: string;
  /** What its `release` file says: `17.0.15`. */
  readonly version: string;
}

/** JDKs with an image and its tools: that of `javap` in PATH, JAVA_HOME, and those beside them; oldest first. */
export function jdks(): Jdk[] {
  const named = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'javap'));
  const homes = named.filter(existsSync).map((program) => dirname(dirname(realpathSync(program))));
  if (process.env.JAVA_HOME !== undefined && existsSync(process.env.JAVA_HOME)) homes.push(process.env.JAVA_HOME);
  const beside = homes.flatMap((home) => readdirSync(dirname(home)).map((name) => join(dirname(home), name)));
  const all = new Set([...homes, ...beside].filter(isJdk).map((home) => realpathSync(home)));
  return [...all]
    .map((home) => ({ home, version: versionOf(home) }))
    .sort((a, b) => Number.parseInt(a.version, 10) - Number.parseInt(b.version, 10));
}

function isJdk(home: string): boolean {
  return ['bin/javap', 'bin/jimage', 'lib/modules', 'release'].every((path) => existsSync(join(home, path)));
}

function versionOf(home: string): string {
  return /^JAVA_VERSION="(.*)"$/m.exec(readFileSync(join(home, 'release'), 'utf8'))?.[1] ?? '';
}

/** Unpacks the classes of a JDK's image into a folder; returns their paths below it, sorted. */
export function extractClasses(jdk: Jdk, folder: string): string[] {
  run(
    join(jdk.home, 'bin/jimage'),
    ['extract', '--include', 'regex:.*[.]class', join(jdk.home, 'lib/modules')],
    folder,
  );
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.class'))
    .sort();
}

/** What a JDK's `javap` prints of class files, as UTF-8. */
export function javap(jdk: Jdk, folder: string, files: readonly string[]): string {
  const flags = ['-J-Dfile.encoding=UTF-8', '-J-Dstdout.encoding=UTF-8', '-J-XX:+UseSerialGC'];
  return run(join(jdk.home, 'bin/javap'), [...flags, '-v', '-p', '-c', ...files], folder);
}

function run(program: string, words: readonly string[], cwd: string): string {
  const done = spawnSync(program, words, { cwd, encoding: 'utf8', maxBuffer: 1 << 29 });
  if (done.status !== 0) throw new Error(`${program}: ${done.error?.message ?? done.stderr.slice(0, 500)}`);
  return done.stdout;
}
