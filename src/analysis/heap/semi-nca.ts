/** SEMI-NCA over the numbers of a depth-first search: the second half of `dominators.ts`. Without recursion. */
import { pause, STEPS_A_PAUSE, type Work } from '../../base/progress.js';
import { inSteps, STEP } from '../../base/steps.js';

/** What refers to the numbered objects, beside their parents in the search. */
export interface Referrers {
  /** By number: the place of its first referrer; those of the next number follow. The last one's are the last of all. */
  readonly start: Uint32Array;
  readonly referrer: Uint32Array;
}

/** Immediate dominators by number. `parent`: of the search; ends as the tree. The starts of `referrers` are used up. */
export async function semiNca(
  parent: Uint32Array,
  referrers: Referrers,
  count: number,
  work: Work = {},
): Promise<Uint32Array> {
  const paths = new Paths(parent, count, referrers.referrer.length);
  for (let to = count, step = 0; to > 0; to -= STEP, step++) {
    if (step % (STEPS_A_PAUSE / STEP) === 0) await pause(work, 'dominators: semidominators', count - to, count);
    paths.link(to, Math.max(0, to - STEP), parent, referrers);
  }
  // `link` has put them in the place of the starts.
  const semi = referrers.start;
  inSteps(1, count + 1, (from, to) => climb(parent, semi, from, to));
  return parent;
}

/** Turns parents of the search into dominators: the last ancestors up to the semidominators. */
function climb(tree: Uint32Array, semi: Uint32Array, from: number, to: number): void {
  for (let number = from; number < to; number++) {
    const least = semi[number];
    let above = tree[number];
    while (above > least) above = tree[above];
    tree[number] = above;
  }
}

/** The least semidominators on paths of the search, with path compression but without recursion. */
class Paths {
  /** By number, two places that are read together: the end of the path, and the least semidominator on it but at its end. */
  readonly #vertex: Uint32Array;
  #stack = new Uint32Array(1024);
  /** Where the referrers of the next number end. */
  #end: number;

  constructor(parent: Uint32Array, count: number, referrers: number) {
    this.#end = referrers;
    this.#vertex = new Uint32Array((count + 1) * 2);
    inSteps(0, count + 1, (from, to) => this.#begin(parent, from, to));
  }

  #begin(parent: Uint32Array, from: number, to: number): void {
    const vertex = this.#vertex;
    for (let number = from; number < to; number++) vertex[(number << 1) >>> 0] = parent[number];
  }

  /**
   * Finds the semidominators of the numbers from `from` down to, but without, `to`. Each takes the place of the start of its
   * referrers, which nothing needs any more.
   */
  link(from: number, to: number, parent: Uint32Array, { start, referrer }: Referrers): void {
    const vertex = this.#vertex;
    let end = this.#end;
    for (let number = from; number > to; number--) {
      let least = parent[number];
      const first = start[number];
      for (let i = first; i < end; i = (i + 1) >>> 0) {
        const other = referrer[i];
        const candidate = other <= number ? other : this.#least(other, number);
        if (candidate < least) least = candidate;
      }
      end = first;
      start[number] = least;
      vertex[((number << 1) | 1) >>> 0] = least;
    }
    this.#end = end;
  }

  /** The least semidominator on the path from `from` up to, but without, the last number up to `done`. */
  #least(from: number, done: number): number {
    const vertex = this.#vertex;
    let at = (from << 1) >>> 0;
    let above = vertex[at];
    // Ends above `done` are linked already.
    if (above <= done) return vertex[at + 1];
    let stack = this.#stack;
    let depth = 0;
    while (above > done) {
      if (depth === stack.length) {
        stack = doubled(stack);
        this.#stack = stack;
      }
      stack[depth++] = at;
      at = (above << 1) >>> 0;
      above = vertex[at];
    }
    let best = vertex[at + 1];
    while (depth > 0) {
      at = stack[--depth];
      const own = vertex[at + 1];
      if (own > best) vertex[at + 1] = best;
      else best = own;
      vertex[at] = above;
    }
    return best;
  }
}

export function doubled(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(values.length * 2);
  copy.set(values);
  return copy;
}
