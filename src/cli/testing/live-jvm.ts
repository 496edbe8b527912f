/** Runs programs in a live JVM and dumps them, for tests. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ROOT } from '../../testing/shared-data.js';

/** Sources of the programs to dump. */
export const PROGRAMS = join(ROOT, 'src/formats/thread-dump/fixtures/programs');

/** Starts a program, which prints READY once its threads are in place, and ends when its standard input ends. */
export async function startedJvm(
  t: TestContext,
  java: string,
  words: readonly string[],
): Promise<{ readonly pid: number; readonly stop: () => Promise<void> }> {
  const child = spawn(java, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const { pid } = child;
  assert.ok(pid !== undefined);
  const stop = async (): Promise<void> => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
  };
  t.after(stop);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('READY')) break;
  }
  assert.match(output, /READY/);
  return { pid, stop };
}

/** The output of a tool, which must succeed. */
export function dumped(words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}
