/** The JDKs of this machine: the one whose `java` is in PATH, and those beside it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { hasProgram } from '../../scripts/testing/programs.js';

/** The home of the JDK whose `java` is in PATH; undefined where there is none. */
export function ownJdk(): string | undefined {
  const said = spawnSync('java', ['-XshowSettings:properties', '-version'], { encoding: 'utf8' });
  return /^ *java\.home = (.*)$/m.exec(said.stderr ?? '')?.[1];
}

/** Homes of JDKs with modules, that in PATH first; skips the test and gives none where there is no JDK. */
export function jdkHomes(t: TestContext): readonly string[] {
  if (!hasProgram(t, 'jstack')) return [];
  const own = realpathSync(ownJdk() ?? '');
  const beside = readdirSync(dirname(own)).map((name) => realpathSync(join(dirname(own), name)));
  return [...new Set([own, ...beside.sort()])].filter(
    (home) => existsSync(join(home, 'lib', 'modules')) && existsSync(join(home, 'bin', 'jimage')),
  );
}

/** Tools run for a few seconds: to compile for the long run, on threads of its own, doubles what they cost. */
const SHORT_RUN = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** What a tool of a JDK prints. */
export function jdkTool(home: string, tool: string, words: readonly string[]): string {
  const options = tool === 'java' ? SHORT_RUN : SHORT_RUN.map((option) => `-J${option}`);
  const done = spawnSync(join(home, 'bin', tool), [...options, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`${tool} ${words.join(' ')}: ${done.error?.message ?? done.stderr}`);
  return done.stdout;
}

/** Paths of the resources of an image, `/module/package/Class.class`, as `jimage list` prints them. */
export function imagePaths(home: string, image: string): string[] {
  const paths: string[] = [];
  let module = '';
  for (const line of jdkTool(home, 'jimage', ['list', image]).split('\n')) {
    if (line.startsWith('Module: ')) module = line.slice('Module: '.length);
    else if (module !== '' && line.startsWith('    ')) paths.push(`/${module}/${line.slice(4)}`);
  }
  return paths.sort();
}
