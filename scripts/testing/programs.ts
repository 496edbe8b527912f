/** Tests that call system programs: which ones there are (scripts/system-packages) and how to get a missing one. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';

/** The folder of the clone. This file runs as dist/scripts/testing/programs.js. */
export const ROOT = join(import.meta.dirname, '../../..');

/** True if the program is in PATH. If not, the test is skipped with the command that installs it. */
export function hasProgram(t: TestContext, program: string): boolean {
  if (isInPath(program)) return true;
  t.skip(`${program} is not installed: apt-get install ${debianPackageOf(program)}`);
  return false;
}

function isInPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Throws for a program that scripts/system-packages does not name: `npm test` would not install it. */
function debianPackageOf(program: string): string {
  for (const line of readFileSync(join(ROOT, 'scripts/system-packages'), 'utf8').split('\n')) {
    const words = line.split(/\s+/);
    if (words[0] !== '#' && words[1] === program && words[0] !== undefined) return words[0];
  }
  throw new Error(`scripts/system-packages does not name a package for ${program}: add a line`);
}
