/** A program that a recorder runs: it has the terminal, gets the signals, and its exit code is kept. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { UsageError } from '../../base/errors.js';
import { type Environment, programOf } from '../../code/java/jdk-home.node.js';

/** Where a recorder runs: its environment, and the signals that this process gets meanwhile. */
export interface RecordingHost {
  readonly env: Environment;
  /** Hands the signals of this process to `handle` until that is undefined; absent where signals are not ours. */
  readonly onSignal?: (handle: ((signal: NodeJS.Signals) => void) | undefined) => void;
  /** Whether a terminal sends Ctrl-C to the program, too. */
  readonly hasTerminal: boolean;
}

/** The path of a program with slashes, so that no recorder looks it up anew. Throws UsageError if there is none. */
export function programPath(name: string, env: Environment): string {
  const path = programOf(name, env);
  if (path === undefined) throw new UsageError(`${name}: there is no such program`);
  return path;
}

/** Starts a program that gets what this process is sent. */
export function startProgram(
  [program = '', ...words]: readonly string[],
  host: RecordingHost,
  stdio: SpawnOptions['stdio'] = 'inherit',
): { readonly child: ChildProcess; readonly exitCode: Promise<number> } {
  const child = spawn(program, words, { stdio, env: { ...host.env } });
  host.onSignal?.((signal) => {
    // A terminal sends it to all processes of the group.
    if (signal !== 'SIGINT' || !host.hasTerminal) child.kill(signal);
  });
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signalCode(signal)));
  });
  return { child, exitCode: exitCode.finally(() => host.onSignal?.(undefined)) };
}

/** As shells show it: 128 and the number of the signal. */
function signalCode(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0));
}
