/** A program in C that counts its own CPU time, recorded by the command. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type ProcessResult, spawnCommand } from '../../../cli/testing/spawn-command.js';
import { ROOT } from '../../../testing/shared-data.js';

/** The path of the program, compiled into `folder`. */
export function countedProgram(folder: string): string {
  const program = join(folder, 'counted');
  const source = join(ROOT, 'src/record/native/testing/programs/counted.c');
  execFileSync('gcc', ['-g', '-O1', '-o', program, source]);
  return program;
}

/** What `kansoku record native WORDS` printed, in `folder`. */
export function recorded(folder: string, ...words: readonly string[]): ProcessResult {
  return spawnCommand(['record', 'native', ...words], { cwd: folder });
}

/** The seconds that the program says it used. */
export function usedSeconds({ stdout }: ProcessResult): number {
  return Number(/^used ([\d.]+)$/m.exec(stdout)?.[1]);
}
