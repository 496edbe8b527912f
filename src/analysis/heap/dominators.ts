/**
 * Dominators of the objects of a heap, and what each retains: the objects that would go with it.
 *
 * SEMI-NCA (Georgiadis, Tarjan, Werneck: Finding Dominators in Practice, JGAA 10, 2006) over a depth-first numbering, with
 * two cuts that do not change the result. References into roots are left out, since nothing but the virtual root dominates
 * a root. An object with a single referrer is dominated by it; if all it refers to is such objects, too, the whole part is
 * settled in the search and gets no number. No recursion: a list is as deep as it is long.
 *
 * Memory at its peak: 12 bytes an object, and 28 a numbered one (a third of the objects of usual heaps).
 */
import type { Work } from '../../base/progress.js';
import { type HeapSizes, LAST_REFERENCE, NO_REFERENT, NO_ROW } from '../../models/heap/heap.js';
import { objectSizes } from './object-sizes.js';
import type { ChosenGraph } from './reachable-edges.js';

/** In place of a dominator: only the virtual root dominates the object. */
export const BY_ROOTS = 0xfffffffe;

export interface Dominators {
  /** Row of the immediate dominator, `BY_ROOTS`, or `NO_ROW` for unreachable objects. */
  readonly dominator: Uint32Array;
  /** Bytes that an object retains, in units of `unit`; 0 for unreachable ones. */
  readonly retained: Uint32Array | Float64Array;
  readonly unit: number;
  /** Reachable objects, and their bytes. */
  readonly objects: number;
  readonly bytes: number;
}

/** Marks an object that was settled in the search. */
const SETTLED = 0xffffffff;
/** Places in the references of an object behind the last one: its class, the end. */
const CLASS = 0xffffffff;
const END = 0xfffffffe;

/** Computes dominators and retained sizes. Throws the signal's reason if `work` is aborted. */
export async function dominatorsOf(chosen: ChosenGraph, sizes: HeapSizes, work: Work = {}): Promise<Dominators> {
  const step = async (phase: string, done: number): Promise<void> => {
    work.progress?.({ phase, done, total: 4, unit: 'rows' });
    await new Promise((resolve) => setTimeout(resolve, 0));
    work.signal?.throwIfAborted();
  };
  await step('dominators: search', 0);
  const search = new Search(chosen, sizes);
  search.run();
  await step('dominators: referrers', 1);
  const referrers = search.referrers();
  await step('dominators: semidominators', 2);
  const tree = semiNca(search.parent, referrers, search.numbered);
  await step('dominators: sizes', 3);
  return search.finish(tree);
}

/** The depth-first search: numbers from 1 on; 0 is the virtual root. */
class Search {
  readonly #chosen: ChosenGraph;
  readonly #size: (row: number) => number;
  readonly #unit: number;
  readonly #number: Uint32Array;
  readonly #dominator: Uint32Array;
  readonly #retained: Uint32Array | Float64Array;
  /** A bit a row: several references lead to it. */
  readonly #several: Uint32Array;
  readonly #object: Uint32Array;
  readonly parent: Uint32Array;
  numbered = 0;
  #objects = 0;

  constructor(chosen: ChosenGraph, sizes: HeapSizes) {
    this.#chosen = chosen;
    const { length } = chosen.graph.ids;
    const { size, unit, total } = objectSizes(chosen.graph, sizes);
    this.#size = size;
    this.#unit = unit;
    this.#number = new Uint32Array(length);
    this.#dominator = new Uint32Array(length).fill(NO_ROW);
    this.#retained = total / unit < 2 ** 32 ? new Uint32Array(length) : new Float64Array(length);
    this.#several = severalReferrers(chosen);
    this.#object = new Uint32Array(length + 1);
    this.parent = new Uint32Array(length + 1);
  }

  run(): void {
    const { roots } = this.#chosen;
    for (const root of roots) this.#from(root);
  }

  #from(root: number): void {
    const { graph, skipsReferent, classTarget, isRoot } = this.#chosen;
    const { first, targets, class: classes } = graph;
    const number = this.#number;
    const dominator = this.#dominator;
    const retained = this.#retained;
    const several = this.#several;
    const object = this.#object;
    const parent = this.parent;
    const size = this.#size;
    let rows = new Uint32Array(1024);
    let edges = new Uint32Array(1024);
    /** Whether something that an object on the stack refers to is numbered. */
    let keeps = new Uint8Array(1024);
    const begin = (row: number): number => {
      const heapClass = classes[row];
      const at = first[row];
      if (at === 0) return classTarget[heapClass] === NO_ROW ? END : CLASS;
      if (skipsReferent[heapClass] !== 1) return at - 1;
      return targets[at - 1] >= LAST_REFERENCE ? CLASS : at;
    };
    let depth = 0;
    let next = this.numbered + 1;
    let objects = 1;
    number[root] = next;
    object[next] = root;
    parent[next] = 0;
    next++;
    retained[root] = size(root);
    rows[0] = root;
    edges[0] = begin(root);
    keeps[0] = 1;
    for (;;) {
      const row = rows[depth];
      const edge = edges[depth];
      if (edge === END) {
        if (depth === 0) break;
        depth--;
        if (keeps[depth + 1] === 0 && ((several[row >>> 5] >>> (row & 31)) & 1) === 0) {
          // All below is settled, too, so its number is the last one.
          next = number[row];
          number[row] = SETTLED;
          dominator[row] = rows[depth];
          retained[rows[depth]] += retained[row];
        } else keeps[depth] = 1;
        continue;
      }
      let target: number;
      if (edge === CLASS) {
        edges[depth] = END;
        target = classTarget[classes[row]];
        if (target === NO_ROW) continue;
      } else {
        target = targets[edge];
        if (target >= LAST_REFERENCE) {
          target -= LAST_REFERENCE;
          edges[depth] = CLASS;
        } else edges[depth] = edge + 1;
        if (target === NO_REFERENT) continue;
      }
      const seen = number[target];
      if (((isRoot[target >>> 5] >>> (target & 31)) & 1) !== 0) continue;
      if (seen !== 0) {
        keeps[depth] = 1;
        continue;
      }
      objects++;
      const start = begin(target);
      if (start === END && ((several[target >>> 5] >>> (target & 31)) & 1) === 0) {
        number[target] = SETTLED;
        dominator[target] = row;
        const bytes = size(target);
        retained[target] = bytes;
        retained[row] += bytes;
        continue;
      }
      number[target] = next;
      object[next] = target;
      parent[next] = number[row];
      next++;
      retained[target] = size(target);
      if (++depth === rows.length) {
        rows = doubled(rows);
        edges = doubled(edges);
        const more = new Uint8Array(keeps.length * 2);
        more.set(keeps);
        keeps = more;
      }
      rows[depth] = target;
      edges[depth] = start;
      keeps[depth] = 0;
    }
    this.numbered = next - 1;
    this.#objects += objects;
  }

  /** The numbers of all that refer to a numbered object, but its parent in the search. */
  referrers(): Referrers {
    const start = new Uint32Array(this.numbered + 2);
    this.#countOrFill(start, undefined);
    for (let number = 1; number < start.length; number++) start[number] += start[number - 1];
    const referrer = new Uint32Array(start[this.numbered + 1]);
    // Filling moves each start to the next one.
    this.#countOrFill(start, referrer);
    return { start, referrer };
  }

  /** Counts the referrers of number `n` in `place[n + 1]`; or puts them into `referrer`, from `place[n]` on. */
  #countOrFill(place: Uint32Array, referrer: Uint32Array | undefined): void {
    const { graph, skipsReferent, classTarget, isRoot } = this.#chosen;
    const { first, targets, class: classes } = graph;
    const number = this.#number;
    const object = this.#object;
    const parent = this.parent;
    for (let from = 1; from <= this.numbered; from++) {
      const row = object[from];
      const heapClass = classes[row];
      let target = classTarget[heapClass];
      let edge = first[row] - 1;
      // Behind the last reference comes the class, if it counts.
      if (edge >= 0 && skipsReferent[heapClass] === 1) edge = targets[edge] >= LAST_REFERENCE ? -1 : edge + 1;
      for (let last = edge < 0; !last || target !== NO_ROW; ) {
        let to = target;
        if (last) target = NO_ROW;
        else {
          to = targets[edge++];
          if (to >= LAST_REFERENCE) {
            to -= LAST_REFERENCE;
            last = true;
          }
          if (to === NO_REFERENT) continue;
        }
        // Roots have no number that counts here: the virtual root alone dominates them.
        const of = number[to];
        if (of === SETTLED || parent[of] === from || ((isRoot[to >>> 5] >>> (to & 31)) & 1) !== 0) continue;
        if (referrer === undefined) place[of + 1]++;
        else referrer[place[of]++] = from;
      }
    }
  }

  /** Joins the tree of the numbered objects with what the search settled. */
  finish(tree: Uint32Array): Dominators {
    const object = this.#object;
    const retained = this.#retained;
    let bytes = 0;
    for (let number = this.numbered; number > 0; number--) {
      const row = object[number];
      const above = tree[number];
      if (above === 0) {
        this.#dominator[row] = BY_ROOTS;
        bytes += retained[row];
        continue;
      }
      this.#dominator[row] = object[above];
      retained[object[above]] += retained[row];
    }
    return {
      dominator: this.#dominator,
      retained,
      unit: this.#unit,
      objects: this.#objects,
      bytes: bytes * this.#unit,
    };
  }
}

interface Referrers {
  readonly start: Uint32Array;
  readonly referrer: Uint32Array;
}

/** Rows that several references lead to, as bits; class objects are among them, since their objects refer to them. */
function severalReferrers({ graph }: ChosenGraph): Uint32Array {
  const words = Math.ceil(graph.ids.length / 32);
  const once = new Uint32Array(words);
  const several = new Uint32Array(words);
  const { targets } = graph;
  for (let i = 0; i < targets.length; i++) {
    const target = targets[i] & NO_REFERENT;
    const bit = 1 << (target & 31);
    const word = target >>> 5;
    if ((once[word] & bit) === 0) once[word] |= bit;
    else several[word] |= bit;
  }
  for (const target of graph.classObject) if (target !== NO_ROW) several[target >>> 5] |= 1 << (target & 31);
  return several;
}

/** Immediate dominators by number. `parent`: of the search; ends as the tree. */
function semiNca(parent: Uint32Array, { start, referrer }: Referrers, count: number): Uint32Array {
  const semi = new Uint32Array(count + 1);
  const label = new Uint32Array(count + 1);
  const ancestor = parent.slice(0, count + 1);
  for (let number = 0; number <= count; number++) {
    semi[number] = parent[number];
    label[number] = number;
  }
  const path = new Path();
  for (let number = count; number > 0; number--) {
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
  const tree = parent;
  for (let number = 1; number <= count; number++) {
    let above = tree[number];
    while (above > semi[number]) above = tree[above];
    tree[number] = above;
  }
  return tree;
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

function doubled(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(values.length * 2);
  copy.set(values);
  return copy;
}
