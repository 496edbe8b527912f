/** The command line's entry: answers `--version` without loading anything, and turns errors into exit codes. */
import { readFileSync } from 'node:fs';
import { EXIT, explain } from './exit.js';

const arguments_ = process.argv.slice(2);

// A reader that goes away (`kansoku … | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  process.stderr.write(`kansoku: standard output: ${error.message}\n`);
  process.exit(EXIT.failed);
});

if (arguments_.length === 1 && (arguments_[0] === '--version' || arguments_[0] === '-V')) {
  const description: { version: string } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  process.stdout.write(`kansoku ${description.version}\n`);
} else {
  await run();
}

async function run(): Promise<void> {
  const interrupt = new AbortController();
  process.once('SIGINT', () => {
    interrupt.abort();
    // Reading notices at its next window; whatever does not within a second is left behind.
    setTimeout(() => process.exit(EXIT.interrupted), 1000).unref();
  });
  try {
    const { runCommand } = await import('./program.js');
    process.exitCode = await runCommand(arguments_, interrupt.signal);
  } catch (error) {
    const { code, text } = explain(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = code;
  }
}
