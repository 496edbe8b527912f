/** Tests that call system programs: which exist (scripts/system-packages) and how to install a missing one. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { isInstalled, systemPrograms } from '../programs.js';

export { installedJdks, jdkHome, ownJdk } from '../programs.js';

/** The folder of the clone. This file runs as dist/scripts/testing/programs.js. */
export const ROOT = join(import.meta.dirname, '../../..');

/** True if the program is in PATH. If not, the test is skipped with the command that installs it. */
export function hasProgram(t: TestContext, program: string): boolean {
  // Throws for a program missing from the list.
  const listed = systemPrograms(ROOT).find((each) => each.program === program);
  if (listed === undefined)
    throw new Error(`scripts/system-packages does not name a package for ${program}: add a line`);
  if (isInstalled(program)) return true;
  t.skip(`${program} is not installed: ${listed.advice}`);
  return false;
}
