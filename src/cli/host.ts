/**
 * What a run of the command line has of the world beside files: its streams, its environment and its interruption. The
 * program makes it of its process (`main.ts`), a test of texts, and both run the same commands.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { ExitCode } from './exit.js';

/** A stream, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Host {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** One run of the command line: its host, and the exit code that its command sets. */
export interface Invocation {
  readonly host: Host;
  exitCode: ExitCode;
}

/** Writes to standard output and waits until it is taken. */
export async function print({ host }: Invocation, text: string): Promise<void> {
  if (!host.stdout.write(text)) await once(host.stdout, 'drain');
}

/** Writes a line to standard error: what is said beside the data. */
export function note({ host }: Invocation, line: string): void {
  host.stderr.write(`${line}\n`);
}

/** Whether text is coloured where nothing on the command line forbids it. */
export function hasColour({ stdout, env }: Host): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  return stdout.isTTY === true || (env.FORCE_COLOR ?? '') !== '';
}
