/**
 * Counts the results of a test run and prints a report: failures in full as they come; at the end the skipped tests by
 * reason, and the counts. Suites are not counted, nor are test files, unless they died or hold no test.
 */
import { resolve } from 'node:path';
import { inspect } from 'node:util';

/** What Node's test runner says of one test. */
interface TestEvent {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string | undefined;
}

interface TestResult extends TestEvent {
  readonly skip?: string | boolean | undefined;
  readonly todo?: string | boolean | undefined;
  readonly details: { readonly type?: string | undefined; readonly error?: Error };
}

/** Result of one test file. */
export interface FileResult {
  passes: number;
  readonly failures: { readonly name: string; readonly report: string }[];
  readonly skips: { readonly name: string; readonly why: string }[];
}

/**
 * Collects what Node's test runner says of a process with one test file or with a batch of them: there each file is a suite
 * (`test-batch.ts`).
 */
export class FileTally {
  readonly result: FileResult = { passes: 0, failures: [], skips: [] };
  /** Of a batch: its files that ended. */
  suites = 0;
  /** What was printed on standard error, line by line. */
  readonly errorLines: string[] = [];
  /** What the file is called; undefined for a batch. */
  readonly #path: string | undefined;
  /** The names of the tests that are open, by nesting. */
  readonly #open: string[] = [];
  /** Output of the file; shown if it dies. */
  #output = '';
  /** Results of the files before the one that is open. */
  #before = 0;

  constructor(path?: string) {
    this.#path = path;
  }

  started(test: TestEvent): void {
    if (test.nesting === 0) this.#before = this.#results;
    this.#open.length = test.nesting;
    this.#open.push(test.name);
  }

  printed(data: { readonly message: string }): void {
    this.#output += data.message;
  }

  complained(data: { readonly message: string }): void {
    this.errorLines.push(data.message);
    this.printed(data);
  }

  passed(test: TestResult): void {
    const { failures, skips } = this.result;
    if (this.#path === undefined && test.nesting === 0) {
      this.suites++;
      if (this.#before === this.#results) failures.push({ name: test.name, report: 'holds no test' });
    } else if (isFile(test)) failures.push({ name: this.#nameOf(test), report: `holds no test\n${this.#output}` });
    else if (test.details.type === 'suite' && !isSet(test.skip)) return;
    else if (isSet(test.skip)) skips.push({ name: this.#nameOf(test), why: reason(test.skip) });
    else if (isSet(test.todo)) skips.push({ name: this.#nameOf(test), why: `to do: ${reason(test.todo)}` });
    else this.result.passes++;
  }

  failed(test: TestResult): void {
    const error = test.details.error;
    const fromInside = error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed';
    // What failed inside has been counted.
    if (fromInside) return;
    const cause = error?.cause ?? error;
    const text = typeof cause === 'string' ? cause : inspect(cause, { depth: 10 });
    const report = isFile(test) ? `${text}\n${this.#output}` : text;
    this.result.failures.push({ name: this.#nameOf(test), report });
  }

  get #results(): number {
    return this.result.passes + this.result.failures.length + this.result.skips.length;
  }

  #nameOf(test: TestEvent): string {
    const file = this.#path === undefined ? [] : [this.#path];
    const parts = isFile(test) ? file : [...file, ...this.#open.slice(0, test.nesting), test.name];
    return parts.join(' › ');
  }
}

/** Counts what a run has found, and prints failures as they come. */
export class Tally {
  passes = 0;
  failures = 0;
  readonly #skipsFail: boolean;
  /** Reason → names of tests. */
  readonly #skips = new Map<string, string[]>();

  constructor(skipsFail: boolean) {
    this.#skipsFail = skipsFail;
  }

  pass(output = ''): void {
    this.passes++;
    process.stdout.write(output);
  }

  fail(name: string, report: string): void {
    this.failures++;
    process.stdout.write(`FAILED ${name}\n${report.trimEnd().replace(/^/gm, '  ')}\n\n`);
  }

  add({ passes, failures, skips }: FileResult): void {
    this.passes += passes;
    for (const { name, report } of failures) this.fail(name, report);
    if (this.#skipsFail) this.failures += skips.length;
    for (const { name, why } of skips) this.#skips.set(why, [...(this.#skips.get(why) ?? []), name]);
  }

  /** Skipped tests, and the counts as the last line. */
  summary(): string {
    const lines: string[] = [];
    let count = 0;
    for (const [why, names] of [...this.#skips].sort(([one], [other]) => (one < other ? -1 : 1))) {
      count += names.length;
      lines.push(`  ${why}`, ...names.sort().map((name) => `    ${name}`));
    }
    if (count > 0)
      lines.unshift(`${count} skipped${this.#skipsFail ? ', which counts as failed (KANSOKU_NO_SKIP)' : ''}:`);
    lines.push(`${this.passes} passed, ${this.failures} failed`);
    return `${lines.join('\n')}\n`;
  }
}

/** A test file is itself reported as a test, under its path, if it failed as a whole or if nothing in it was a test. */
function isFile(test: TestEvent): boolean {
  return test.nesting === 0 && test.file !== undefined && resolve(test.name) === test.file;
}

function isSet(mark: string | boolean | undefined): mark is string | true {
  return mark !== undefined && mark !== false;
}

function reason(mark: string | true): string {
  return mark === true || mark === '' ? 'no reason given' : mark;
}
