/** SEMI-NCA over the numbers of a depth-first search: the second half of `dominators.ts`. Without recursion. */
import { pause, type Work } from '../../base/progress.js';

/** Numbers between two pauses: less than a tenth of a second. */
const STEPS = 1 << 20;

/** What refers to the numbered objects, beside their parents in the search. */
export interface Referrers {
  readonly start: Uint32Array;
  readonly referrer: Uint32Array;
}

/** Immediate dominators by number. `parent`: of the search; ends as the tree. */
export async function semiNca(
  parent: Uint32Array,
  referrers: Referrers,
  count: number,
  work: Work = {},
): Promise<Uint32Array> {
  const semi = new Uint32Array(count + 1);
  const label = new Uint32Array(count + 1);
  const ancestor = parent.slice(0, count + 1);
  for (let number = 0; number <= count; number++) {
    semi[number] = parent[number];
    label[number] = number;
  }
  const linked = { ...referrers, semi, label, ancestor, path: new Path() };
  for (let number = count; number > 0; number -= STEPS) {
    await pause(work, 'dominators: semidominators', count - number, count);
    semidominators(linked, number, Math.max(0, number - STEPS));
  }
  const tree = parent;
  for (let number = 1; number <= count; number++) {
    let above = tree[number];
    while (above > semi[number]) above = tree[above];
    tree[number] = above;
  }
  return tree;
}

interface Linked extends Referrers {
  readonly semi: Uint32Array;
  readonly label: Uint32Array;
  readonly ancestor: Uint32Array;
  readonly path: Path;
}

/** The semidominators of the numbers from `first` down to, but without, `end`. */
function semidominators({ start, referrer, semi, label, ancestor, path }: Linked, first: number, end: number): void {
  for (let number = first; number > end; number--) {
    let least = semi[number];
    // Filling has moved the starts: referrers of `number` end at its own and begin at the one before.
    const begin = start[number - 1];
    for (let i = begin; i < start[number]; i++) {
      const from = referrer[i];
      const candidate = from <= number ? from : semi[path.least(from, number, ancestor, label, semi)];
      if (candidate < least) least = candidate;
    }
    semi[number] = least;
  }
}

/** Path compression without recursion. */
class Path {
  #stack = new Uint32Array(1024);

  /** The vertex with the least semidominator on the path from `from` up to, but without, the last numbers up to `done`. */
  least(from: number, done: number, ancestor: Uint32Array, label: Uint32Array, semi: Uint32Array): number {
    let depth = 0;
    let at = from;
    // Ancestors above `done` are linked already.
    while (ancestor[at] > done) {
      if (depth === this.#stack.length) this.#stack = doubled(this.#stack);
      this.#stack[depth++] = at;
      at = ancestor[at];
    }
    let best = label[at];
    const root = ancestor[at];
    while (depth > 0) {
      at = this.#stack[--depth];
      if (semi[label[at]] > semi[best]) label[at] = best;
      else best = label[at];
      ancestor[at] = root;
    }
    return best;
  }
}

/** A copy with twice the room. */
export function doubled(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(values.length * 2);
  copy.set(values);
  return copy;
}
