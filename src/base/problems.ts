/** How much a problem matters: an error makes `check` fail; a warning may affect answers; info is worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** Something wrong with an input; the message is one a user can act on. */
export interface Problem {
  /** Stable name such as `iprof-dangling-method`; the format's page in docs/ has a line for each. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** Byte offset in the (uncompressed) input. */
  readonly offset?: number;
  /** Where in the structure of the input, for example `/callCountProfiles/17/ctx`. */
  readonly path?: string;
}

/** A snapshot of a log: the problems that were kept, and the count of each code. */
export interface Problems {
  readonly list: readonly Problem[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Problems of one code that are kept word for word; more are only counted. */
export const PROBLEMS_KEPT_PER_CODE = 20;

/** Whether something was lost. */
export function hasErrors({ list }: Pick<Problems, 'list'>): boolean {
  return list.some(({ severity }) => severity === 'error');
}

/** Collects the problems of one input. Damaged input can have millions: the log keeps a bounded number of each code. */
export class ProblemLog {
  readonly #list: Problem[] = [];
  readonly #counts: Record<string, number> = {};

  /** True while a further problem of this code would still be kept, so that callers can skip wording it. */
  wants(code: string): boolean {
    return (this.#counts[code] ?? 0) < PROBLEMS_KEPT_PER_CODE;
  }

  add(problem: Problem): void {
    const count = this.#counts[problem.code] ?? 0;
    if (count < PROBLEMS_KEPT_PER_CODE) this.#list.push(problem);
    this.#counts[problem.code] = count + 1;
  }

  /** Adds those of another log. */
  addAll({ list, counts }: Problems): void {
    for (const problem of list) this.add(problem);
    const listedCount = (code: string): number => list.filter((problem) => problem.code === code).length;
    for (const [code, count] of Object.entries(counts)) this.count(code, count - listedCount(code));
  }

  /** Counts `more` problems of a code without their messages. */
  count(code: string, more: number): void {
    if (more > 0) this.#counts[code] = (this.#counts[code] ?? 0) + more;
  }

  finish(): Problems {
    return { list: [...this.#list], counts: { ...this.#counts } };
  }
}

/** Puts the name of the input before the message, unless the message starts with it. */
export function named(name: string, problem: Problem): Problem {
  return problem.message.startsWith(name) ? problem : { ...problem, message: `${name}: ${problem.message}` };
}

/** The problems of a log followed by others; duplicates are skipped. */
export function withProblems({ list, counts }: Problems, others: readonly Problem[]): Problems {
  const log = new ProblemLog();
  const isKnown = ({ code, message }: Problem): boolean =>
    list.some((listedProblem) => listedProblem.code === code && listedProblem.message === message);
  for (const problem of others) if (!isKnown(problem)) log.add(problem);
  return joinProblems({ list, counts }, log.finish());
}

/** The problems of both, in order. */
export function joinProblems(first: Problems, second: Problems): Problems {
  const counts = { ...first.counts };
  for (const [code, count] of Object.entries(second.counts)) counts[code] = (counts[code] ?? 0) + count;
  return { list: [...first.list, ...second.list], counts };
}
