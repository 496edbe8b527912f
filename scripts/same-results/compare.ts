/** Runs each job with both checkouts and keeps what differs, and whether scripts/same-results.allowed.json explains it. */
import { z } from 'zod';
import { UNDECIDED } from './checkout.js';
import { FAULT, isPlain, type Job, type Outcome } from './protocol.js';

const Allowed = z.strictObject({
  /** The command's words, `pgo hot`; several with `|` between them; `*` for all. */
  command: z.string(),
  /** Regular expression for the words after the command, as the report shows them. */
  words: z.string().default(''),
  /** `stdout`, `stderr`, `exit code`, `file NAME` or `mode of NAME`, as a regular expression of the whole. */
  part: z.string(),
  /** Regular expression of what became `to`; all of the part may differ if not given. */
  from: z.string().optional(),
  /** `$1` is the first group of `from`. */
  to: z.string().optional(),
  /** Which text `from` is looked for in. */
  side: z.enum(['old', 'new', 'both']).default('old'),
  /** Regular expression of a refusal: where the new standard error has it, all of the part may differ. */
  refused: z.string().optional(),
  /** Why the answer changed. */
  why: z.string().min(10),
});
export type Allowed = z.infer<typeof Allowed>;

/** Reads the list of allowed differences; throws where an entry has no reason, or only one of `from` and `to`. */
export function readAllowed(json: string): Allowed[] {
  const entries = z.array(Allowed).parse(JSON.parse(json));
  for (const entry of entries)
    if ((entry.from === undefined) !== (entry.to === undefined))
      throw new Error(`an allowed difference of ${entry.command} has only one of "from" and "to"`);
  return entries;
}

export interface PartDifference {
  readonly part: string;
  /** From 1. */
  readonly line: number;
  readonly old: string;
  readonly new: string;
}

export interface Difference {
  readonly command: string;
  readonly words: string;
  readonly parts: readonly PartDifference[];
}

export interface Counts {
  equal: number;
  allowed: number;
  different: number;
  /** Jobs that crashed or ran out of time with both checkouts: these prove nothing. */
  undecided: number;
}

/** What runs jobs: a `Checkout`. */
export interface Runner {
  readonly run: (job: Job) => Promise<Outcome>;
  readonly part: (name: string) => Promise<Buffer | undefined>;
}

export interface ComparisonOptions {
  readonly old: Runner;
  readonly now: Runner;
  readonly allowed: readonly Allowed[];
  /** Removes machine-specific parts from the words. */
  readonly shorten: (words: string) => string;
}

export class Comparison {
  readonly #options: ComparisonOptions;
  readonly #used = new Set<Allowed>();
  readonly #seen = new Set<string>();
  readonly differences: Difference[] = [];
  readonly undecided: string[] = [];
  /** By command. */
  readonly counts = new Map<string, Counts>();
  /** Exit code with the old checkout → runs: equal refusals alone prove little. */
  readonly exitCodes = new Map<string, number>();
  /** Jobs that ended in a fault of Kansoku with the old checkout. */
  readonly faults: string[] = [];

  constructor(options: ComparisonOptions) {
    this.#options = options;
  }

  /**
   * Runs a job of `command`, whose first words are the command's own. A job that was run before is not run again,
   * unless it may answer otherwise (`again`). Returns how the old checkout ended, undefined if nothing was run.
   */
  async run(command: string, job: Job, again = false): Promise<string | undefined> {
    const key = JSON.stringify(job);
    if (this.#seen.has(key) && !again) return undefined;
    this.#seen.add(key);
    const { old, now } = this.#options;
    const [before, after] = await Promise.all([old.run(job), now.run(job)]);
    const words = this.#options.shorten(job.words.slice(wordCount(command)).join(' '));
    await this.#judge(command, words, before, after);
    const code = before['exit code'];
    if (code === FAULT) this.faults.push(`${command} ${words}`);
    if (code !== undefined) this.exitCodes.set(code, (this.exitCodes.get(code) ?? 0) + 1);
    return code;
  }

  /** What the old checkout printed for the last job. */
  async lastOutput(): Promise<string> {
    return (await this.#options.old.part('stdout'))?.toString() ?? '';
  }

  /** Entries that explained nothing. */
  stale(): Allowed[] {
    return this.#options.allowed.filter((entry) => !this.#used.has(entry));
  }

  async #judge(command: string, words: string, before: Outcome, after: Outcome): Promise<void> {
    const counts = this.counts.get(command) ?? { equal: 0, allowed: 0, different: 0, undecided: 0 };
    this.counts.set(command, counts);
    const parts = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const differing = parts.filter((part) => before[part] !== after[part]);
    if (differing.length === 0) {
      if (!isUndecided(before)) counts.equal++;
      else {
        counts.undecided++;
        this.undecided.push(`${command} ${words}: ${before['exit code']} with both`);
      }
      return;
    }
    const unexplained: PartDifference[] = [];
    const message = (await this.#text('now', 'stderr', after)) ?? '';
    for (const part of differing) {
      const [old, now] = await Promise.all([this.#text('old', part, before), this.#text('now', part, after)]);
      if (!this.#isAllowed({ command, words, part, message }, old, now))
        unexplained.push(firstDifference(part, old, now));
    }
    if (unexplained.length === 0) counts.allowed++;
    else {
      counts.different++;
      this.differences.push({ command, words, parts: unexplained });
    }
  }

  /** The text of a part; undefined if there is none. Bytes that are not UTF-8 become one character each. */
  async #text(side: 'old' | 'now', part: string, outcome: Outcome): Promise<string | undefined> {
    const digest = outcome[part];
    if (digest === undefined || isPlain(part)) return digest;
    const bytes = await this.#options[side].part(part);
    const text = bytes?.toString();
    return text !== undefined && bytes?.equals(Buffer.from(text)) === true ? text : bytes?.toString('latin1');
  }

  #isAllowed(where: Place, old: string | undefined, now: string | undefined): boolean {
    const entries = this.#options.allowed.filter((entry) => concerns(entry, where));
    const whole = entries.find(({ from }) => from === undefined);
    if (whole !== undefined) {
      this.#used.add(whole);
      return true;
    }
    if (old === undefined || now === undefined) return false;
    let expected = old;
    let rest = now;
    for (const entry of entries) {
      const next = entry.side === 'new' ? expected : replaced(expected, entry);
      const left = entry.side === 'old' ? rest : replaced(rest, entry);
      if (next !== expected || left !== rest) this.#used.add(entry);
      expected = next;
      rest = left;
    }
    return expected === rest;
  }
}

interface Place {
  readonly command: string;
  readonly words: string;
  readonly part: string;
  /** The new standard error. */
  readonly message: string;
}

function concerns({ command, words, part, refused }: Allowed, where: Place): boolean {
  return (
    (command === '*' || command.split('|').includes(where.command)) &&
    new RegExp(words).test(where.words) &&
    new RegExp(`^(?:${part})$`).test(where.part) &&
    (refused === undefined || new RegExp(refused).test(where.message))
  );
}

function replaced(text: string, { from, to }: Allowed): string {
  return text.replace(new RegExp(from ?? '', 'gmu'), to ?? '');
}

function wordCount(command: string): number {
  return command === '' ? 0 : command.split(' ').length;
}

function isUndecided(outcome: Outcome): boolean {
  return UNDECIDED.some((word) => word === outcome['exit code']);
}

const SHOWN = 200;

/** The first line that differs, from a little before the place where it does. */
function firstDifference(part: string, old = '(none)', now = '(none)'): PartDifference {
  const [before, after] = [old.split('\n'), now.split('\n')];
  let line = 0;
  while (line < before.length && line < after.length && before[line] === after[line]) line++;
  const [one, other] = [before[line] ?? '(no more lines)', after[line] ?? '(no more lines)'];
  let column = 0;
  while (column < one.length && one[column] === other[column]) column++;
  const start = Math.max(0, column - SHOWN / 4);
  const excerpt = (text: string): string =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + SHOWN)}${text.length > start + SHOWN ? '…' : ''}`;
  return { part, line: line + 1, old: excerpt(one), new: excerpt(other) };
}
