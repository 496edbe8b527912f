/** The JDKs of this machine: the one whose `java` is in PATH, and those beside it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { hasProgram, installedJdks } from '../../../../scripts/testing/programs.js';

export { ownJdk } from '../../../../scripts/testing/programs.js';

/** Homes of JDKs with modules, that in PATH first; skips the test and gives none if there is no JDK. */
export function jdkHomes(t: TestContext): readonly string[] {
  return hasProgram(t, 'jstack') ? installedJdks() : [];
}

/** What a tool of a JDK prints. */
export function jdkTool(home: string, tool: string, words: readonly string[]): string {
  const done = spawnSync(join(home, 'bin', tool), words, { encoding: 'utf8', maxBuffer: 1 << 28 });
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
