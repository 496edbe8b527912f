/** What run-tests.ts and its test processes (test-process.ts) send to each other. */

/** A test file: the path of its source below the clone, and the path of its module. */
export interface TestFile {
  readonly kind: 'file';
  readonly test: string;
  readonly module: string;
  /** Whether it gets a process of its own, with the usual flags of V8. */
  readonly own: boolean;
}

/** A static check: a program that exits with 0 if nothing is wrong. */
export interface Check {
  readonly kind: 'check';
  readonly name: string;
  readonly program: string;
  readonly words: readonly string[];
  /** Whether its output is also shown if it passes. */
  readonly spoken?: true;
}

export type Job = TestFile | Check;

/** To a test process: its next job, or that none is left. */
export type Order = Job | { readonly kind: 'finish' };

export interface Failure {
  readonly name: string;
  readonly report: string;
}

export interface Skip {
  readonly name: string;
  readonly why: string;
}

/** What the tests of a file did, in numbers that do not depend on the machine's speed. */
export interface Counts {
  /** Processes that the tests started; those that these started do not count. */
  readonly processes: number;
  /** Damaged files that readers read. */
  readonly mutations: number;
  /** Runs of properties. */
  readonly runs: number;
}
export const COUNTED = ['processes', 'mutations', 'runs'] as const satisfies (keyof Counts)[];

/** From a test process: a job has ended. */
export interface Ended {
  readonly kind: 'ended';
  readonly passes: number;
  readonly failures: readonly Failure[];
  readonly skips: readonly Skip[];
  /** Shown as it is. */
  readonly output: string;
  /** CPU seconds of the job and the processes that it started; undefined if the system does not report them. */
  readonly seconds: number | undefined;
  readonly counts: Counts;
  /** Bytes of memory that the process has. */
  readonly memory: number;
}

/** From a test process: an error outside of any running test. */
export interface Late {
  readonly kind: 'late';
  readonly failure: Failure;
}

export type Report = Ended | Late;
