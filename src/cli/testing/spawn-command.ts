/**
 * Starts the built program, for tests that need a process: standard input, pipes, devices, signals. It takes 0.6 s of
 * CPU; other tests use `runCommand`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../testing/shared-data.js';

/** The program as users start it, built by scripts/bundle.mjs. */
export const MAIN = join(ROOT, 'dist/bundle/node/main.js');

export interface SpawnOptions {
  readonly cwd?: string;
  /** Added to the environment of this process, without its colours; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array;
  /** File descriptor for standard output; by default it is part of the result. */
  readonly stdout?: number;
}

export interface ProcessResult {
  /** Null if a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a spawned run: that of this process, without colours, and `more`. */
export function spawnEnvironment(more: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, NO_COLOR: '', FORCE_COLOR: '', ...more };
}

/** Runs one command line as a process and waits for its end. */
export function spawnCommand(words: readonly string[], options: SpawnOptions = {}): ProcessResult {
  const { cwd = ROOT, env = {}, input, stdout: target = 'pipe' } = options;
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...words], {
    cwd,
    env: spawnEnvironment(env),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['pipe', target, 'pipe'],
    ...(input === undefined ? {} : { input }),
  });
  return { status, stdout, stderr };
}
