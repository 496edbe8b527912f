/** A built checkout as same-results.ts uses it: a driver process, started again where a job ends it. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type CommandDefinition, Description, type Job, Outcome, Part, type Request } from './protocol.js';

const Envelope = z.strictObject({ result: z.unknown() });

export interface CheckoutOptions {
  readonly root: string;
  /** Holds the driver's working directory, its home and its caches; made where there is none. */
  readonly folder: string;
  /** Milliseconds that one job may take. */
  readonly limit: number;
  /** Where `demo` finds its recordings. */
  readonly examplesRoot: string;
}

/** Stands for the exit code of a job that does not end. */
export const UNDECIDED = ['crashed', 'timed out'] as const;

export class Checkout {
  readonly root: string;
  readonly #options: CheckoutOptions;
  readonly #output: string;
  #driver: ChildProcess | undefined;
  /** Last output of the driver itself, before and after jobs. */
  #noise = '';

  constructor(options: CheckoutOptions) {
    this.root = options.root;
    this.#options = options;
    this.#output = join(options.folder, 'out');
    mkdirSync(this.#output, { recursive: true });
  }

  async describe(): Promise<CommandDefinition[]> {
    const answer = await this.#ask({ kind: 'describe' });
    if (typeof answer === 'string') throw new Error(`${this.root}: the driver ${answer}\n${this.#noise}`);
    return Description.parse(answer.result);
  }

  /** Where the job has no end, its exit code is one of `UNDECIDED`. */
  async run(job: Job): Promise<Outcome> {
    const answer = await this.#ask({ kind: 'run', job });
    return typeof answer === 'string' ? { 'exit code': answer } : Outcome.parse(answer.result);
  }

  /** A part of the last job's outcome; undefined if it has none of that name. */
  async part(name: string): Promise<Buffer | undefined> {
    const answer = await this.#ask({ kind: 'part', name });
    const text = typeof answer === 'string' ? null : Part.parse(answer.result);
    return text === null ? undefined : Buffer.from(text, 'base64');
  }

  async stop(): Promise<void> {
    const driver = this.#driver;
    this.#driver = undefined;
    if (driver === undefined) return;
    await new Promise((resolve) => {
      driver.once('exit', resolve);
      driver.kill('SIGKILL');
    });
  }

  async #ask(request: Request): Promise<{ readonly result: unknown } | (typeof UNDECIDED)[number]> {
    if (this.#driver === undefined) {
      this.#driver = this.#start();
      const started = await this.#answer(this.#driver);
      if (typeof started === 'string') throw new Error(`${this.root} is not built:\n${this.#noise}`);
    }
    const answer = this.#answer(this.#driver);
    this.#driver.send(request);
    return answer;
  }

  #start(): ChildProcess {
    const { root, folder, examplesRoot } = this.#options;
    const driver = fork(join(import.meta.dirname, 'driver.js'), [root, this.#output], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: ['--no-warnings'],
      env: {
        PATH: process.env.PATH ?? '',
        HOME: join(folder, 'home'),
        XDG_CACHE_HOME: join(folder, 'cache'),
        TMPDIR: process.env.TMPDIR ?? '/tmp',
        TZ: 'UTC',
        LANG: 'C.UTF-8',
        KANSOKU_ROOT: examplesRoot,
      },
    });
    for (const stream of [driver.stdout, driver.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#noise = `${this.#noise}${chunk.toString()}`.slice(-4000);
      });
    return driver;
  }

  /** The driver's next message, or why there is none. */
  async #answer(driver: ChildProcess): Promise<{ readonly result: unknown } | (typeof UNDECIDED)[number]> {
    const answer = await new Promise<unknown>((resolve) => {
      const settle = (value: unknown): void => {
        clearTimeout(timer);
        driver.removeListener('message', settle);
        driver.removeListener('exit', ended);
        resolve(value);
      };
      const ended = (): void => settle('crashed');
      const timer = setTimeout(() => settle('timed out'), this.#options.limit);
      driver.once('message', settle);
      driver.once('exit', ended);
    });
    if (answer !== 'crashed' && answer !== 'timed out') return Envelope.parse(answer);
    if (answer === 'crashed') this.#driver = undefined;
    else await this.stop();
    return answer;
  }
}
