/** Counts what a run has found; at the end reports the skipped tests by reason, and the counts. */
import type { Failure, Skip } from './messages.js';

export class Tally {
  passes = 0;
  failures = 0;
  readonly #skipsFail: boolean;
  readonly #print: (text: string) => void;
  /** Reason → names of tests. */
  readonly #skips = new Map<string, string[]>();

  constructor(skipsFail: boolean, print: (text: string) => void) {
    this.#skipsFail = skipsFail;
    this.#print = print;
  }

  fail(name: string, report: string): void {
    this.failures++;
    this.#print(`FAILED ${name}\n${report.trimEnd().replace(/^/gm, '  ')}\n\n`);
  }

  add(passes: number, failures: readonly Failure[], skips: readonly Skip[]): void {
    this.passes += passes;
    for (const { name, report } of failures) this.fail(name, report);
    if (this.#skipsFail) this.failures += skips.length;
    for (const { name, why } of skips) this.#skips.set(why, [...(this.#skips.get(why) ?? []), name]);
  }

  /** Skipped tests, a line a reason and with `named` a line a test; the counts as the last line. */
  summary(named: boolean): string {
    const reasons = [...this.#skips].sort(([one], [other]) => (one < other ? -1 : 1));
    const count = reasons.reduce((sum, [, names]) => sum + names.length, 0);
    const lines = reasons.flatMap(([why, names]) => [
      `  ${String(names.length).padStart(5)}  ${why}`,
      ...(named || this.#skipsFail ? names.sort().map((name) => `         ${name}`) : []),
    ]);
    if (count > 0) {
      const failed = this.#skipsFail ? ', which counts as failed (KANSOKU_NO_SKIP)' : '';
      const advice = named || this.#skipsFail ? '' : '; their names: npm test -- --skipped';
      lines.unshift(`${count} skipped${failed}${advice}:`);
    }
    lines.push(`${this.passes} passed, ${this.failures} failed`);
    return `${lines.join('\n')}\n`;
  }
}
