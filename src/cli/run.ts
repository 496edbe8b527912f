/** The entry of the command line: answers `--version` without loading anything, and turns errors into exit codes. */

import { EXIT, type ExitStatus, explain } from './exit.js';
import { type Host, write } from './host.js';
import { programVersion } from './start/version.js';

/** Runs one command line and returns its exit code. All errors are explained on standard error. */
export async function runMain(words: readonly string[], host: Host): Promise<ExitStatus> {
  try {
    if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
      write(host.stdout, `kansoku ${programVersion()}\n`);
      return EXIT.done;
    }
    const { runProgram } = await import('./program.js');
    return await runProgram(words, host);
  } catch (error) {
    const { code, text } = explain(error);
    write(host.stderr, `${text}\n`);
    return code;
  }
}
