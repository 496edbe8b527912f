/**
 * What a run of the command line uses besides files: its streams, environment and interruption. The program makes it
 * from its process (`main.ts`), tests from texts, and both run the same commands.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { ExitStatus } from './exit.js';

/** A stream, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Host {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Waits so many milliseconds, or until the run is interrupted. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Ends the process when the command is done, though code of the user has timers left. Only where the host is a process. */
  readonly endAtOnce?: () => void;
}

/** One run of the command line: its host, and the exit code that its command sets. */
export interface Invocation {
  readonly host: Host;
  exitCode: ExitStatus;
}

/** Writes to standard output and waits until the data is accepted. */
export async function print({ host }: Invocation, text: string): Promise<void> {
  if (!host.stdout.write(text)) await once(host.stdout, 'drain');
}

/** Writes a line to standard error, beside the data. */
export function note({ host }: Invocation, line: string): void {
  host.stderr.write(`${line}\n`);
}

/** Whether text is coloured, unless the command line forbids it. */
export function hasColour({ stdout, env }: Host): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  return stdout.isTTY === true || (env.FORCE_COLOR ?? '') !== '';
}
