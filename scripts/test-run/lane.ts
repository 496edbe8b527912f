/**
 * A lane of the test run: a test process at a time, which gets one job after the other. A process in which a test failed,
 * or that grew large, is followed by a new one; what failed beside other files is tried again alone.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endProcesses } from './descendants.js';
import type { Ended, Failure, Job, Order, Report } from './messages.js';

/** Milliseconds far beyond what the longest file needs in the full tier on a busy machine. */
const JOB_TIMEOUT = 20 * 60 * 1000;
/** Milliseconds for closing what tests shared and for timers that outlive them. */
const FINISH_TIMEOUT = 20_000;
/** Characters of a process's output that are shown if it dies. */
const OUTPUT_SHOWN = 20_000;
/** Bytes of memory above which a process gets no further job. */
const MOST_MEMORY = 1 << 30;
/**
 * Tests run most code a few times, and optimising it costs more than it saves: V8 waits fifteen times as long, which is a
 * sixth less CPU on Node 20. Later versions wait longer by themselves.
 */
const V8_FLAGS: readonly string[] = process.versions.v8.startsWith('11.3.') ? ['--interrupt-budget=1000000'] : [];

const EMPTY = { passes: 0, failures: [], skips: [], output: '', seconds: undefined, memory: 0 } as const;
const NO_COUNTS = { processes: 0, mutations: 0, runs: 0 };

/** What came of a job. */
export type Outcome = Pick<Ended, 'passes' | 'failures' | 'skips' | 'output' | 'seconds' | 'counts'>;

export function jobName(job: Job): string {
  return job.kind === 'file' ? job.test : job.name;
}

class TestProcess {
  readonly child: ChildProcess;
  /** Names of the jobs so far. */
  readonly jobs: string[] = [];
  /** Failures of tests that had ended. */
  readonly late: Failure[] = [];
  output = '';
  readonly #ended: Promise<string>;
  #report: ((report: Ended) => void) | undefined;

  constructor(flags: readonly string[]) {
    const reporter = pathToFileURL(join(import.meta.dirname, 'reporter.js')).href;
    this.child = fork(join(import.meta.dirname, 'test-process.js'), {
      execArgv: [`--test-reporter=${reporter}`, ...flags],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk) => {
        this.output = (this.output + String(chunk)).slice(-OUTPUT_SHOWN);
      });
    this.child.on('message', (report: Report) => {
      if (report.kind === 'late') this.late.push(report.failure);
      else this.#report?.(report);
    });
    this.#ended = once(this.child, 'close').then(([code, name]) => (name === null ? `exit code ${code}` : `${name}`));
  }

  /** Runs a job. How the process ended, if it ended first or took too long. */
  async run(job: Job): Promise<Ended | string> {
    this.jobs.push(jobName(job));
    this.output = '';
    const report = new Promise<Ended>((resolve) => {
      this.#report = resolve;
    });
    this.#send(job);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`no end within ${JOB_TIMEOUT / 60_000} minutes`), JOB_TIMEOUT);
    });
    const end = await Promise.race([report, this.#ended, timeout]);
    clearTimeout(timer);
    return end;
  }

  /** Ends the process; its errors of tests that had ended are then in `late`. */
  async finish(): Promise<void> {
    this.#send({ kind: 'finish' });
    const timer = setTimeout(() => this.#kill(), FINISH_TIMEOUT);
    await this.#ended;
    clearTimeout(timer);
  }

  async kill(): Promise<void> {
    await this.#kill();
    await this.#ended;
  }

  async #kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid !== undefined && exitCode === null && signalCode === null) await endProcesses(pid);
  }

  #send(order: Order): void {
    if (this.child.connected) this.child.send(order);
  }
}

export class Lane {
  readonly #stop: AbortSignal;
  #process: TestProcess | undefined;

  /** Once `stop` is aborted, nothing is started and no job ends: somebody else ends the processes. */
  constructor(stop: AbortSignal) {
    this.#stop = stop;
  }

  /** Runs a job. What it costs to try it again alone is added. */
  async run(job: Job): Promise<Outcome> {
    if (job.kind === 'file' && job.own) return this.#alone(job, []);
    this.#process ??= new TestProcess(V8_FLAGS);
    const beside = [...this.#process.jobs];
    const outcome = await this.#try(this.#process, job);
    if (outcome.failures.length === 0 || job.kind === 'check') return outcome;
    const late = await this.end();
    if (beside.length === 0) return { ...outcome, failures: [...outcome.failures, ...late] };
    const alone = await this.#alone(job, V8_FLAGS);
    const seconds = sum(outcome.seconds, alone.seconds);
    const failures = [...outcome.failures, ...late];
    if (alone.failures.length === 0) return { ...alone, failures: [onlyBeside(beside, failures)], seconds };
    // Errors of files before it, which were noticed while it ran.
    const ofOthers = failures.filter(({ name }) => beside.includes(name));
    return { ...alone, failures: [...alone.failures, ...ofOthers], seconds };
  }

  /** Ends the process, if there is one; errors of tests that had ended. */
  async end(): Promise<readonly Failure[]> {
    const ended = this.#process;
    this.#process = undefined;
    await ended?.finish();
    return ended?.late ?? [];
  }

  async #alone(job: Job, flags: readonly string[]): Promise<Outcome> {
    const process = new TestProcess(flags);
    const outcome = await this.#try(process, job);
    await process.finish();
    return { ...outcome, failures: [...outcome.failures, ...process.late] };
  }

  async #try(process: TestProcess, job: Job): Promise<Outcome> {
    const end = await process.run(job);
    if (this.#stop.aborted) return new Promise(() => undefined);
    if (typeof end === 'string') {
      await process.kill();
      const report = `the process that ran it died: ${end}\n${process.output}`;
      return { ...EMPTY, counts: NO_COUNTS, failures: [{ name: jobName(job), report }] };
    }
    if (end.memory > MOST_MEMORY && process === this.#process) {
      const late = await this.end();
      return { ...end, failures: [...end.failures, ...late] };
    }
    return end;
  }
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

function onlyBeside(beside: readonly string[], failures: readonly Failure[]): Failure {
  const files = beside.map((name) => `  ${name}\n`).join('');
  const reports = failures.map(({ name, report }) => `${name}\n${report}\n`).join('');
  const report = `fails only in a process that ran these before:\n${files}${reports}`;
  return { name: failures[0]?.name ?? 'a test process', report };
}
