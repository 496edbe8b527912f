/** Counts what Node's test runner reports of the tests of one file, which `test-process.ts` runs as one suite. */
import { inspect } from 'node:util';
import type { Failure, Skip } from './messages.js';

/** What Node's test runner reports of a test. */
export interface TestEvent {
  readonly name: string;
  readonly nesting: number;
}

export interface TestResult extends TestEvent {
  readonly skip?: string | boolean | undefined;
  readonly todo?: string | boolean | undefined;
  readonly details: { readonly type?: string | undefined; readonly error?: Error };
}

export class FileTally {
  passes = 0;
  readonly failures: Failure[] = [];
  readonly skips: Skip[] = [];
  /** What the failed tests threw. */
  readonly errors = new Set<unknown>();
  /** The names of the tests that are open, by nesting; the first one is the file's. */
  readonly #open: string[] = [];

  started(test: TestEvent): void {
    this.#open.length = test.nesting;
    this.#open.push(test.name);
  }

  passed(test: TestResult): void {
    const name = this.#nameOf(test);
    if (isSet(test.skip)) this.skips.push({ name, why: reason(test.skip) });
    else if (isSet(test.todo)) this.skips.push({ name, why: `to do: ${reason(test.todo)}` });
    else if (test.details.type !== 'suite') this.passes++;
    else if (test.nesting === 0 && this.#isEmpty()) this.failures.push({ name, report: 'holds no test' });
  }

  failed(test: TestResult): void {
    const error = test.details.error;
    const cause = error?.cause ?? error;
    this.errors.add(cause);
    // What failed inside has been counted.
    if (error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed') return;
    const report = typeof cause === 'string' ? cause : inspect(cause, { depth: 10 });
    this.failures.push({ name: this.#nameOf(test), report });
  }

  #isEmpty(): boolean {
    return this.passes + this.failures.length + this.skips.length === 0;
  }

  #nameOf(test: TestEvent): string {
    return [...this.#open.slice(0, test.nesting), test.name].join(' › ');
  }
}

function isSet(mark: string | boolean | undefined): mark is string | true {
  return mark !== undefined && mark !== false;
}

function reason(mark: string | true): string {
  return mark === true || mark === '' ? 'no reason given' : mark;
}
