/**
 * Whether two objects of a dump may have one id. Most dumps list objects by ascending address, region by region: if the ranges of these
 * runs are apart, no id stands twice, which takes neither memory nor a look at each id.
 */
import { Float64Builder } from '../../../../base/columns/columns.js';

/** More runs than this are not kept: collectors that do not move objects in order write them as they are reached. */
const MOST_RUNS = 1 << 12;

/** Runs of ids that ascend in the file. */
export interface IdRuns {
  /** First and last id of each run. */
  readonly first: Float64Array;
  readonly last: Float64Array;
  /** Whether there are more runs, which are not kept. */
  readonly isCut: boolean;
}

export class IdRunBuilder {
  readonly #first = new Float64Builder();
  readonly #last = new Float64Builder();
  /** Whether there are more runs, which are not kept. */
  isCut = false;
  #begin = Number.POSITIVE_INFINITY;

  /** Ends a run with the id `before`, infinite if there is none, and begins one with `id`; infinite: a run that is not kept. */
  begin(before: number, id: number): void {
    this.end(before);
    this.#begin = id;
  }

  /** Ends a run with the id `before`; infinite: none. */
  end(before: number): void {
    if (before === Number.POSITIVE_INFINITY || this.#begin > before) return;
    this.add(this.#begin, before);
    this.#begin = Number.POSITIVE_INFINITY;
  }

  /** Adds a run beside the one that goes on. */
  add(first: number, last: number): void {
    if (this.#first.length >= MOST_RUNS) this.isCut = true;
    else {
      this.#first.push(first);
      this.#last.push(last);
    }
  }

  finish(): IdRuns {
    return { first: this.#first.finish(), last: this.#last.finish(), isCut: this.isCut };
  }
}

export function joinRuns(parts: readonly IdRuns[]): IdRuns {
  return {
    first: Float64Array.from(parts.flatMap(({ first }) => [...first])),
    last: Float64Array.from(parts.flatMap(({ last }) => [...last])),
    isCut: parts.some(({ isCut }) => isCut),
  };
}

/** Whether an id may be in two runs. */
export function mayRepeat({ first, last, isCut }: IdRuns): boolean {
  if (isCut) return true;
  const order = Uint32Array.from(first, (_, run) => run).sort((a, b) => first[a] - first[b]);
  let end = Number.NEGATIVE_INFINITY;
  for (const run of order) {
    if (first[run] <= end) return true;
    end = last[run];
  }
  return false;
}
