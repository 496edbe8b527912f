/**
 * What `npm test` may cost: CPU seconds of each test file, and of each kind of test. The budgets are shared, not
 * extended: a new reader takes its part from the others. They were measured on one machine; a slower one, as measured
 * by `yardstick` during the tests, gets proportionally more.
 */
import type { SourceGraph } from '../source-graph.js';

/** Of one test file. */
const A_FILE = 8;
/** Files that are named even if they keep within their budget. */
const NAMED = 5;

/** CPU seconds of each kind of test in the quick tier: 425 together, which two processors do in four minutes. */
const BUDGETS = {
  'build and checks': 40,
  damage: 62,
  'JVM, browser, peers': 125,
  'command lines': 38,
  properties: 65,
  rest: 95,
};
export type Kind = keyof typeof BUDGETS;
/** The kinds of test files. */
export const KINDS = ['damage', 'JVM, browser, peers', 'command lines', 'properties', 'rest'] as const satisfies Kind[];

const ASKS_FOR_PROGRAMS = /^import \{[^}]*\bhasProgram\b/m;

/** The kind of a test file, by what it and its helpers use; the first match counts. */
export function kindOf(graph: SourceGraph, test: string): Kind {
  const sources = [...graph.testReach(test)];
  const uses = (name: string): boolean => sources.some((source) => source.endsWith(`/${name}.ts`));
  if (uses('damage-share')) return 'damage';
  if (ASKS_FOR_PROGRAMS.test(graph.text(test)) || uses('jdks') || uses('probed') || uses('browser'))
    return 'JVM, browser, peers';
  if (test.startsWith('src/cli/')) return 'command lines';
  return uses('amount') ? 'properties' : 'rest';
}

/** Cost of one test file. */
export interface Cost {
  readonly test: string;
  readonly kind: Kind;
  /** CPU seconds; undefined if the system does not report them. */
  readonly seconds: number | undefined;
  /** Result of `yardstick` before it. */
  readonly speed: number;
}

/** Cost of a run, and what exceeds its budget. */
export class Costs {
  readonly #files: { readonly test: string; readonly kind: Kind; readonly seconds: number }[] = [];
  readonly #speeds: number[] = [];
  readonly #preparation: number | undefined;
  readonly #budgeted: boolean;

  /**
   * `preparation`: CPU seconds before the tests. `budgeted`: whether budgets hold: they are those of the quick tier.
   */
  constructor(preparation: number | undefined, budgeted: boolean) {
    this.#preparation = preparation;
    this.#budgeted = budgeted;
  }

  add({ test, kind, seconds, speed }: Cost): void {
    if (seconds !== undefined) this.#files.push({ test, kind, seconds });
    this.#speeds.push(speed);
  }

  /** Test files, and in a whole run kinds of tests, over their budget, each with a message. */
  excesses(whole: boolean): { readonly name: string; readonly report: string }[] {
    if (!this.#budgeted) return [];
    const files = this.#files.filter(({ seconds }) => seconds > A_FILE * this.#scale());
    const found = files.map(({ test, seconds }) => ({
      name: test,
      report: `took ${this.#text(seconds)}; a test file may take ${A_FILE}: reduce what it does in the quick tier (src/testing/amount.ts)`,
    }));
    if (!whole) return found;
    // The build and what it installs depend on what was there before.
    for (const [kind, seconds] of this.#kinds())
      if (kind !== 'build and checks' && seconds > BUDGETS[kind] * this.#scale())
        found.push({
          name: `budget: ${kind}`,
          report: `took ${this.#text(seconds)}; these tests share ${BUDGETS[kind]}`,
        });
    return found;
  }

  /** The table of kinds and the test files that took most. */
  table(): string {
    if (this.#preparation === undefined) return 'CPU time was not measured: this system has no /proc.\n';
    const row = (title: string, seconds: number, budget: number): string =>
      `  ${title.padEnd(20)}${seconds.toFixed(1).padStart(7)}${this.#budgeted ? ` of ${budget}` : ''}\n`;
    const kinds = this.#kinds();
    const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, number) => all + number, 0);
    const most = [...this.#files].sort((one, other) => other.seconds - one.seconds).slice(0, NAMED);
    return [
      `CPU seconds, on a machine that takes ${this.#scale().toFixed(2)} times as long as the one that budgets are for:\n`,
      ...[...kinds].map(([kind, seconds]) => row(kind, seconds, BUDGETS[kind])),
      row('together', sum(kinds.values()), sum(Object.values(BUDGETS))),
      ...most.map(({ test, seconds }) => `  ${seconds.toFixed(1).padStart(7)} ${test}\n`),
    ].join('');
  }

  #kinds(): Map<Kind, number> {
    const kinds = new Map<Kind, number>([['build and checks', this.#preparation ?? 0]]);
    for (const { kind, seconds } of this.#files) kinds.set(kind, (kinds.get(kind) ?? 0) + seconds);
    return kinds;
  }

  /** How much longer this machine takes: the median of all measurements. A faster one has no smaller budgets. */
  #scale(): number {
    const sorted = [...this.#speeds].sort((one, other) => one - other);
    return Math.max(1, sorted[sorted.length >> 1] ?? 1);
  }

  #text(seconds: number): string {
    return `${seconds.toFixed(1)} CPU seconds, ${(seconds / this.#scale()).toFixed(1)} on the machine that budgets are for`;
  }
}
