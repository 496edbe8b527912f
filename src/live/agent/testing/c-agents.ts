/** Agents in C, compiled with our jvmpi.h, and run in a JVM by our library. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { spawnCommand } from '../../../cli/testing/spawn-command.js';
import { ROOT } from '../../../testing/shared-data.js';
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

/** Compiles `agent/testing/c/NAME.c`: without a warning. */
export function compiledAgent(home: string, name: string): string {
  const library = join(folder, `${name}.so`);
  const include = join(home, 'include');
  const words = [`-I${printed('--include')}`, `-I${include}`, `-I${join(include, 'linux')}`, '-o', library];
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
