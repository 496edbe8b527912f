/**
 * Counts the results of a test run and prints what is to be read: failures in full as they come; at the end the skipped
 * tests by reason, and the counts. Suites are not counted, nor are test files, unless they died or hold no test.
 */
import { relative, resolve } from 'node:path';
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

export class Tally {
  passes = 0;
  failures = 0;
  readonly #folder: string;
  readonly #skipsFail: boolean;
  /** Reason → names of tests. */
  readonly #skips = new Map<string, string[]>();
  /** File → names of the tests that are open, by nesting. */
  readonly #open = new Map<string, string[]>();
  /** File → what it printed; shown if it dies. */
  readonly #output = new Map<string, string>();

  constructor(folder: string, skipsFail: boolean) {
    this.#folder = folder;
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

  started(test: TestEvent): void {
    const names = this.#open.get(test.file ?? '') ?? [];
    names.length = test.nesting;
    names.push(test.name);
    this.#open.set(test.file ?? '', names);
  }

  printed(data: { readonly file?: string | undefined; readonly message: string }): void {
    const file = data.file ?? '';
    this.#output.set(file, (this.#output.get(file) ?? '') + data.message);
  }

  passed(test: TestResult): void {
    if (isFile(test)) this.fail(this.#pathOf(test), `holds no test\n${this.#outputOf(test)}`);
    else if (test.details.type === 'suite') return;
    else if (isSet(test.skip)) this.#skip(test, reason(test.skip));
    else if (isSet(test.todo)) this.#skip(test, `to do: ${reason(test.todo)}`);
    else this.pass();
  }

  failed(test: TestResult): void {
    const error = test.details.error;
    const fromInside = error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed';
    // What failed inside has been counted.
    if (fromInside) return;
    const cause = error?.cause ?? error;
    const report = typeof cause === 'string' ? cause : inspect(cause, { depth: 10 });
    this.fail(this.#nameOf(test), isFile(test) ? `${report}\n${this.#outputOf(test)}` : report);
  }

  /** Skipped tests, and the counts as the last line. */
  summary(): string {
    const lines: string[] = [];
    let count = 0;
    for (const [why, names] of this.#skips) {
      count += names.length;
      lines.push(`  ${why}`, ...names.map((name) => `    ${name}`));
    }
    if (count > 0)
      lines.unshift(`${count} skipped${this.#skipsFail ? ', which counts as failed (KANSOKU_NO_SKIP)' : ''}:`);
    lines.push(`${this.passes} passed, ${this.failures} failed`);
    return `${lines.join('\n')}\n`;
  }

  #skip(test: TestResult, why: string): void {
    if (this.#skipsFail) this.failures++;
    const names = this.#skips.get(why) ?? [];
    names.push(this.#nameOf(test));
    this.#skips.set(why, names);
  }

  #nameOf(test: TestEvent): string {
    if (isFile(test)) return this.#pathOf(test);
    const outer = (this.#open.get(test.file ?? '') ?? []).slice(0, test.nesting);
    return [this.#pathOf(test), ...outer, test.name].join(' › ');
  }

  #pathOf(test: TestEvent): string {
    return relative(this.#folder, test.file ?? test.name).replace(/\.js$/, '.ts');
  }

  #outputOf(test: TestEvent): string {
    return this.#output.get(test.file ?? '') ?? '';
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
