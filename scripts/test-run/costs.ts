/**
 * What a test run costs. CPU seconds are shown and never judged: they depend on the machine. Numbers that do not (processes,
 * mutations, runs of properties) have limits in scripts/ratchet.json; `npm test` remarks on an excess, `npm test -- --budgets`
 * fails on it.
 */
import type { SourceGraph } from '../source-graph.js';
import { COUNTED, type Counts } from './messages.js';

/** The dearest test files that are named. */
const NAMED = Number(process.env.KANSOKU_COSTS ?? 5);

/** The kinds of test files; those that may take longest first. */
export const KINDS = ['damage', 'JVM, browser, peers', 'command lines', 'properties', 'rest'] as const;
export type Kind = (typeof KINDS)[number];
/** What a run spends time on. */
export type CostKind = Kind | 'set-up' | 'checks';

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

const TITLES: Readonly<Record<keyof Counts, string>> = {
  processes: 'processes started',
  mutations: 'damaged files read',
  runs: 'runs of properties',
};

/** The cost of a run, kind by kind. */
export class Costs {
  readonly #kinds = new Map<CostKind, number>();
  readonly #files: { readonly test: string; readonly seconds: number }[] = [];
  readonly #sums = { processes: 0, mutations: 0, runs: 0 };
  readonly #limits: Counts | undefined;

  /** `limits`: undefined in a run that is not the whole quick tier. */
  constructor(limits: Counts | undefined) {
    this.#limits = limits;
  }

  /** `seconds`: undefined if the system does not report them. */
  add(kind: CostKind, test: string | undefined, seconds: number | undefined, counts?: Counts): void {
    if (seconds !== undefined) {
      this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + seconds);
      if (test !== undefined) this.#files.push({ test, seconds });
    }
    if (counts !== undefined) for (const key of COUNTED) this.#sums[key] += counts[key];
  }

  /** A line for each sum above its limit. */
  excesses(): string[] {
    const limits = this.#limits;
    if (limits === undefined) return [];
    return COUNTED.filter((key) => this.#sums[key] > limits[key]).map(
      (key) => `${TITLES[key]}: ${this.#sums[key]}, at most ${limits[key]} (scripts/ratchet.json)`,
    );
  }

  /** CPU seconds by kind, the dearest test files, and the sums with their limits. */
  table(): string {
    const row = (title: string, number: string, remark = ''): string =>
      `  ${title.padEnd(20)}${number.padStart(9)}${remark}\n`;
    const all = [...this.#kinds.values()].reduce((sum, seconds) => sum + seconds, 0);
    const dearest = [...this.#files].sort((one, other) => other.seconds - one.seconds).slice(0, NAMED);
    const time =
      this.#kinds.size === 0
        ? ['CPU time was not measured: this system has no /proc.\n']
        : [
            'CPU seconds:\n',
            ...[...this.#kinds].map(([kind, seconds]) => row(kind, seconds.toFixed(1))),
            row('together', all.toFixed(1)),
            ...dearest.map(({ test, seconds }) => `  ${seconds.toFixed(1).padStart(7)} ${test}\n`),
          ];
    const limit = (key: keyof Counts): string => {
      if (this.#limits === undefined) return '';
      return ` of ${this.#limits[key]}${this.#sums[key] > this.#limits[key] ? ', over budget' : ''}`;
    };
    return [...time, ...COUNTED.map((key) => row(TITLES[key], String(this.#sums[key]), limit(key)))].join('');
  }
}
