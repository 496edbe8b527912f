#!/usr/bin/env node
/** The program `kansoku`: the command line with the streams, the environment and the signals of this process. */
import { setTimeout as wait } from 'node:timers/promises';
import { argumentWords } from '../bytes/path-bytes.node.js';
import { EXIT } from './exit.js';
import { runMain } from './run.js';
import { useCompiledCode } from './start/compiled-code.js';

/** As `engines` in package.json. */
const OLDEST_NODE = [20, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(`kansoku: Node.js ${OLDEST_NODE.join('.')} or later is required, found ${process.version}\n`);
  process.exit(EXIT.usage);
}

// A reader that goes away (`kansoku … | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  process.stderr.write(`kansoku: standard output: ${error.message}\n`);
  process.exit(EXIT.failed);
});

// Nobody reads the messages any more (`kansoku … 2>&1 | head`): the exit code remains.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exit(EXIT.failed);
});

/** Signals that end the program cleanly, with their numbers; temporary files are removed. */
const ENDING = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
const interrupt = new AbortController();
let interrupted: number = EXIT.interrupted;
let handleSignal: ((signal: NodeJS.Signals) => void) | undefined;
const onSignal = (handle: typeof handleSignal): void => {
  handleSignal = handle;
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (handleSignal !== undefined) return handleSignal(signal);
    // A second one does not wait.
    if (interrupt.signal.aborted) process.exit(interrupted);
    // As in shells: 128 plus the number of the signal.
    interrupted = 128 + ENDING[signal];
    interrupt.abort();
    // Reading stops at its next window; after a second, remaining work is abandoned.
    setTimeout(() => process.exit(interrupted), 1000).unref();
  });

const { stdin, stdout, stderr, env } = process;
const { signal } = interrupt;
const pause = (milliseconds: number): Promise<void> =>
  wait(milliseconds, undefined, { signal }).catch(() => {
    // Interrupted: the caller looks at the signal.
  });
let endsAtOnce = false;
const endAtOnce = (): void => {
  endsAtOnce = true;
};
useCompiledCode(process);
const host = { stdin, stdout, stderr, env, signal, pause, endAtOnce, onSignal };
void runMain(argumentWords(process.argv.slice(2)), host).then(async (code) => {
  process.exitCode = code === EXIT.interrupted ? interrupted : code;
  if (!endsAtOnce) return;
  const { lastWrites } = await import('./start/last-writes.js');
  await lastWrites(process);
  process.exit();
});
