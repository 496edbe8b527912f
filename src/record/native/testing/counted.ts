/** A program in C that counts its own CPU time, recorded by the command. */
import { match, notEqual } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { hasProgram } from '../../../../scripts/testing/programs.js';
import { type CommandResult, runCommand } from '../../../cli/testing/run-command.js';
import { type ProcessResult, spawnCommand } from '../../../cli/testing/spawn-command.js';
import { ROOT } from '../../../testing/shared-data.js';

/** The path of the program, compiled into `folder`. */
export function countedProgram(folder: string, options: readonly string[] = []): string {
  const program = join(folder, 'counted');
  const source = join(ROOT, 'src/record/native/testing/programs/counted.c');
  execFileSync('gcc', ['-g', '-O1', ...options, '-o', program, source]);
  return program;
}

/** What `kansoku record native WORDS` printed, in `folder`. */
export function recorded(folder: string, ...words: readonly string[]): ProcessResult {
  return spawnCommand(['record', 'native', ...words], { cwd: folder });
}

/**
 * Whether perf is installed and may sample here. Where it may not, which no package changes, the command is asked to record all the same: it must
 * refuse, with perf's reason.
 */
export function canSample(t: TestContext): boolean {
  if (!['perf', 'gcc', 'gprofng'].every((program) => hasProgram(t, program))) return false;
  const { status, stderr } = spawnSync('perf', ['record', '-q', '-e', 'cpu-clock', '-o', '/dev/null', 'true'], {
    encoding: 'utf8',
  });
  if (status === 0) return true;
  t.diagnostic(`perf may not sample here: ${stderr.trim().split('\n')[0]}`);
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-refused-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const refusal = recorded(folder, '--with', 'perf', '-o', 'refused.er', '--', 'true');
  notEqual(refusal.status, 0);
  match(refusal.stderr, /^kansoku: perf cannot record: /m);
  return false;
}

/** The same where nothing is recorded: in this process, since no program writes to its streams. */
export function refusedRecording(folder: string, ...words: readonly string[]): Promise<CommandResult> {
  return runCommand(['record', 'native', ...words], { cwd: folder, env: { PATH: process.env.PATH ?? '' } });
}

/** The seconds that the program says it used. */
export function usedSeconds({ stdout }: ProcessResult): number {
  return Number(/^used ([\d.]+)$/m.exec(stdout)?.[1]);
}
