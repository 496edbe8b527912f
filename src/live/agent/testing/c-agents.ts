/** Agents in C, compiled with our jvmpi.h, and run in a JVM by our library. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { spawnCommand } from '../../../cli/testing/spawn-command.js';
import { ROOT, sharedData } from '../../../testing/shared-data.js';
import { folder } from './probed.js';

const RUN_MS = 60_000;

/** What `kansoku jvmpi agent` prints. */
export function printed(...words: string[]): string {
  const { status, stdout, stderr } = spawnCommand(['jvmpi', 'agent', ...words], {
    env: { JAVA_TOOL_OPTIONS: undefined },
  });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.trimEnd();
}

/** First and last lines of the fragments of the JVMPI document, by the files that `document.c` includes. */
const FRAGMENTS = [
  ['document-start.inc', 'JVMPI_Interface *jvmpi_interface;', '    ... /* use entries'],
  ['document-counter.inc', '/* thread start event handler', '\u6b21\u306e JVMPI'],
] as const;

/** Takes the fragments (§1.2, §1.5) out of the document into `folder`. False where the collection is not there: the test is skipped. */
export function documentFragments(t: TestContext): boolean {
  const path = sharedData(t, '../seeds/004_41ef9b783210f947.txt');
  if (path === undefined) return false;
  const text = readFileSync(path, 'utf8');
  for (const [file, first, behind] of FRAGMENTS) {
    const from = text.indexOf(first);
    const to = text.indexOf(behind, from);
    assert.ok(from >= 0 && to > from, first);
    writeFileSync(join(folder, file), text.slice(from, to));
  }
  return true;
}

/** Compiles `agent/testing/c/NAME.c`: without a warning. */
export function compiledAgent(home: string, name: string): string {
  const library = join(folder, `${name}.so`);
  const include = join(home, 'include');
  const words = [
    `-I${folder}`,
    `-I${printed('--include')}`,
    `-I${include}`,
    `-I${join(include, 'linux')}`,
    '-o',
    library,
  ];
  const source = join(ROOT, `agent/testing/c/${name}.c`);
  const { status, stderr } = spawnSync('cc', ['-Wall', '-Werror', '-O1', '-shared', '-fPIC', ...words, source]);
  assert.equal(status, 0, String(stderr));
  return library;
}

/** Runs a class of `folder` with an agent in C. */
export function runWithC(
  home: string,
  [agent, options]: readonly [string, string],
  words: readonly string[],
): SpawnSyncReturns<string> {
  const path = `-agentpath:${printed()}=c,${agent}:${options}`;
  const { JAVA_TOOL_OPTIONS: _, ...env } = process.env;
  return spawnSync(join(home, 'bin/java'), [path, '-cp', folder, ...words], {
    encoding: 'utf8',
    env,
    timeout: RUN_MS,
    killSignal: 'SIGKILL',
  });
}
