/** Runs programs in JVMs with an agent that reports what it saw. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { hasProgram, jdkHome } from '../../../../scripts/testing/programs.js';
import { type ProcessResult, spawnCommand } from '../../../cli/testing/spawn-command.js';
import { keptFolder } from '../../../testing/kept.js';
import { ROOT } from '../../../testing/shared-data.js';

const PROGRAMS = join(ROOT, 'src/live/agent/testing/programs');

/** Where tests compile programs and write recordings. */
export const folder = keptFolder('kansoku-live-');

/** What the probe saw. */
export interface Told {
  readonly counts: Readonly<Record<string, number>>;
  readonly seen: Readonly<Record<string, unknown>>;
}

/** The agent that reports what it saw. */
export const PROBE = join(ROOT, 'agent/testing/probe.mts');

/** JDK and what it compiled → folder of the classes. */
const compiled = new Map<string, string>();

/**
 * Puts the classes of a source into a folder, which then has those of this JDK. The files of a process compile a source
 * once; those of PROGRAMS are compiled together, which takes little longer than one.
 */
export function compileInto(target: string, home: string, source: string): void {
  const isOurs = dirname(source) === PROGRAMS;
  const sources = isOurs ? readdirSync(PROGRAMS).map((name) => join(PROGRAMS, name)) : [source];
  const key = `${home} ${isOurs ? PROGRAMS : source}`;
  const classes = compiled.get(key) ?? join(folder, `compiled-${compiled.size}`);
  if (!compiled.has(key)) {
    const done = spawnSync(join(home, 'bin/javac'), ['-g', '-d', classes, ...sources]);
    assert.equal(done.status, 0, String(done.stderr));
    compiled.set(key, classes);
  }
  cpSync(classes, target, { recursive: true });
}

/** The JDK, which compiled a program into `folder`. Skips the test where the JDK or the C compiler is missing. */
export function compiledFor(t: TestContext, version: string, program: string): string | undefined {
  if (!hasProgram(t, `jdk-${version}`) || !hasProgram(t, 'gcc')) return undefined;
  const home = jdkHome(version) ?? '';
  compileInto(folder, home, join(PROGRAMS, `${program}.java`));
  return home;
}

/** Runs an agent. VMs say on standard error if they have options of the environment, as those of the test runner. */
export function runAgent(agent: string, command: readonly string[]): ProcessResult {
  return spawnCommand(['jvmpi', 'run', agent, '--', ...command], { env: { JAVA_TOOL_OPTIONS: undefined } });
}

/**
 * Records an agent that writes to the file of its option `file`, and replays the recording: both times it must write the same bytes.
 * Gives the file.
 */
export function recordedAndReplayed(agent: string, command: readonly string[], name: string): string {
  const [recording, live, again] = ['jvmpi', 'txt', 'again.txt'].map((end) => join(folder, `${name}.${end}`));
  const env = { JAVA_TOOL_OPTIONS: undefined };
  const words = ['jvmpi', 'record', '-o', recording ?? '', '--agent', `${agent}:file=${live}`, '--', ...command];
  const recorded = spawnCommand(words, { env });
  assert.deepEqual([recorded.status, recorded.stderr], [0, '']);
  const replayed = spawnCommand(['jvmpi', 'replay', `${agent}:file=${again}`, recording ?? ''], { env });
  assert.deepEqual([replayed.status, replayed.stderr, replayed.stdout], [0, '', '']);
  assert.equal(readFileSync(again ?? '', 'utf8'), readFileSync(live ?? '', 'utf8'));
  return live ?? '';
}

/** Runs Busy with the probe; `what` is its option. Undefined where the test is skipped. */
export function probed(t: TestContext, version: string, what: string): Told | undefined {
  const home = compiledFor(t, version, 'Busy');
  if (home === undefined) return undefined;
  const told = join(folder, `${version}.json`);
  const agent = `${PROBE}:${what}@${told}`;
  const command = [join(home, 'bin/java'), '-XX:+UseSerialGC', '-cp', folder, 'Busy'];
  const { status, stdout, stderr } = runAgent(agent, command);
  assert.deepEqual([status, stderr, stdout], [0, '', '50\n']);
  return JSON.parse(readFileSync(told, 'utf8'));
}
