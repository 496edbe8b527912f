/** Runs the command line in this process: the entry of the program itself, with streams that keep their output. */
import { Readable, Writable } from 'node:stream';
import type { ExitStatus } from '../exit.js';
import type { Host } from '../host.js';
import { runMain } from '../run.js';

export interface RunOptions {
  /** The working folder of the run. */
  readonly cwd?: string;
  /** The whole environment of the run; empty if not given. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether standard output is a terminal. Standard error never is: its progress depends on the clock. */
  readonly tty?: boolean;
  readonly signal?: AbortSignal;
  /** What standard input has, of commands that have a prompt; nothing if not given. */
  readonly input?: string;
  /** What happens while the run waits; waits that a test does not expect are an error. */
  readonly pause?: () => Promise<void>;
}

export interface CommandResult {
  readonly status: ExitStatus;
  readonly stdout: string;
  readonly stderr: string;
}

/** A stream that keeps what is written to it. */
export class TextStream extends Writable {
  readonly isTTY: boolean;
  readonly #chunks: Buffer[] = [];

  constructor(isTTY = false) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

/** A host in memory. */
export function memoryHost(options: Omit<RunOptions, 'cwd'> = {}): Host & Record<'stdout' | 'stderr', TextStream> {
  const { env = {}, tty = false, input = '', signal = new AbortController().signal, pause = unexpected } = options;
  return { stdin: Readable.from([input]), stdout: new TextStream(tty), stderr: new TextStream(), env, signal, pause };
}

function unexpected(): Promise<void> {
  throw new Error('the run waits');
}

let running = false;

/**
 * Runs one command line. Standard input, and standard output if a command writes a file to it (`-`), are those of the
 * process; use `spawnCommand` for these. One run at a time, since the process has one working folder.
 */
export async function runCommand(words: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  if (words.includes('-')) throw new Error('`-` is a stream of the process: use spawnCommand');
  if (running) throw new Error('another run is not over yet');
  const host = memoryHost(options);
  const folder = process.cwd();
  running = true;
  try {
    process.chdir(options.cwd ?? folder);
    const status = await runMain(words, host);
    return { status, stdout: host.stdout.text(), stderr: host.stderr.text() };
  } finally {
    process.chdir(folder);
    running = false;
  }
}
