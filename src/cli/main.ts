/** The program `kansoku`: the command line with the streams, the environment and the signals of this process. */
import { EXIT } from './exit.js';
import { runMain } from './run.js';

// A reader that goes away (`kansoku … | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  process.stderr.write(`kansoku: standard output: ${error.message}\n`);
  process.exit(EXIT.failed);
});

const interrupt = new AbortController();
process.once('SIGINT', () => {
  interrupt.abort();
  // Reading notices at its next window; whatever does not within a second is left behind.
  setTimeout(() => process.exit(EXIT.interrupted), 1000).unref();
});

const { stdout, stderr, env } = process;
process.exitCode = await runMain(process.argv.slice(2), { stdout, stderr, env, signal: interrupt.signal });
