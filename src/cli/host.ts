/**
 * What a run of the command line uses besides files: its streams, environment and interruption. The program makes it
 * from its process (`main.ts`), tests from texts, and both run the same commands.
 */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { printable, terminalText } from '../base/text.js';
import type { ExitStatus } from './exit.js';

/** A stream, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** A stream that is read, which may be a terminal. */
export type InputStream = Readable & { readonly isTTY?: boolean };

export interface Host {
  /** What a prompt reads. Absent where there is no such stream. */
  readonly stdin?: InputStream;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Waits so many milliseconds, or until the run is interrupted. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Ends the process when the command is done, though code of the user has timers left. Only where the host is a process. */
  readonly endAtOnce?: () => void;
  /**
   * Hands the signals that end a run to `handle`, until that is undefined: they are for a program that the run started. Only where the host is a
   * process.
   */
  readonly onSignal?: (handle: ((signal: NodeJS.Signals) => void) | undefined) => void;
}

/** One run of the command line: its host, and the exit code that its command sets. */
export interface Invocation {
  readonly host: Host;
  exitCode: ExitStatus;
}

/**
 * Writes to standard output and waits until the data is accepted. Control characters of files are escaped here, whatever the text is;
 * `styled`: the text has styles of our own.
 */
export async function print({ host }: Invocation, text: string, styled = false): Promise<void> {
  if (!write(host.stdout, text, styled)) await once(host.stdout, 'drain');
}

/** Writes a line to standard error, beside the data. Line feeds in it are escaped: names of files may have some. */
export function note({ host }: Invocation, line: string): void {
  host.stderr.write(`${printable(line)}\n`);
}

/** As `note`, for text of several lines, such as the message of another program. */
export function noteLines(invocation: Invocation, text: string): void {
  for (const line of text.split('\n')) note(invocation, line);
}

/** Writes text without control characters, as `print`; false if the stream is full. All text of the command line goes through here. */
export function write(stream: Output, text: string, styled = false): boolean {
  return stream.write(terminalText(text, styled));
}

/** Erases what a terminal shows. */
export function clearScreen({ host }: Invocation): void {
  host.stdout.write('\u001b[2J\u001b[H');
}

/** Whether text is coloured, unless the command line forbids it. */
export function hasColour({ stdout, env }: Host): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  return stdout.isTTY === true || (env.FORCE_COLOR ?? '') !== '';
}
