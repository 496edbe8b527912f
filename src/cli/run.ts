/** The entry of the command line: answers `--version` without loading anything, and turns errors into exit codes. */
import { readFileSync } from 'node:fs';
import { packageFile } from '../base/package.node.js';
import { EXIT, type ExitStatus, explain } from './exit.js';
import { type Host, write } from './host.js';

/** Runs one command line and returns its exit code. All errors are explained on standard error. */
export async function runMain(words: readonly string[], host: Host): Promise<ExitStatus> {
  try {
    if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
      write(host.stdout, `kansoku ${version()}\n`);
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

function version(): string {
  const description: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return description.version;
}
