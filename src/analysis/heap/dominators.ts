/**
 * Dominators of the objects of a heap, and what each retains: the objects that would go with it.
 *
 * SEMI-NCA (Georgiadis, Tarjan, Werneck: Finding Dominators in Practice, JGAA 10, 2006) over a depth-first numbering, with
 * two cuts that do not change the result. References into roots are left out, since nothing but the virtual root dominates
 * a root. An object with a single referrer is dominated by it; if all it refers to is such objects, too, the whole part is
 * settled in the search and gets no number. No recursion: a list is as deep as it is long.
 *
 * Memory at its peak: 8 bytes an object, and 28 a numbered one (a third of the objects of usual heaps).
 */
import { sharedBytes } from '../../base/columns/shared.js';
import { pause, STEPS_A_PAUSE, type Work } from '../../base/progress.js';
import { inSteps, STEP } from '../../base/steps.js';
import { type HeapSizes, LAST_REFERENCE, NO_REFERENT, NO_ROW, type ObjectGraph } from '../../models/heap/heap.js';
import { hasSizes, objectSizes, sizesInto } from './object-sizes.js';
import type { ChosenGraph } from './reachable-edges.js';
import { doubled, type Referrers, semiNca } from './semi-nca.js';

/** In place of a dominator: only the virtual root dominates the object. */
export const BY_ROOTS = 0xfffffffe;

export interface Dominators {
  /** Row of the immediate dominator, `BY_ROOTS`, or `NO_ROW` for unreachable objects. */
  readonly dominator: Uint32Array;
  /** Bytes that an object retains, in units of `unit`; 0 for unreachable ones. Objects in place of bytes where sizes are unknown. */
  readonly retained: Uint32Array | Float64Array;
  readonly unit: number;
  /** Reachable objects, and their bytes. */
  readonly objects: number;
  readonly bytes: number;
  /** Of the objects that no root leads to. */
  readonly unreachableBytes: number;
}

/** What an object retains, itself included; null if it is unreachable: bytes, or objects where sizes are unknown. */
export function retainedOf(
  { dominator, retained, unit }: Dominators,
  sizes: Pick<HeapSizes, 'rule'>,
  row: number,
): { readonly retained: number | null; readonly retained_objects: number | null } {
  const value = dominator[row] === NO_ROW ? null : retained[row] * unit;
  return hasSizes(sizes) ? { retained: value, retained_objects: null } : { retained: null, retained_objects: value };
}

/** Places in the references of an object behind the last one: its class, the end. */
const CLASS = 0xffffffff;
const END = 0xfffffffe;

/** Parts of the state of a row, read at once: whether several references lead to it, and its number. */
const SEVERAL = 1 << 31;
const NUMBER = 0x7fffffff;
/** In place of the number of a root, until it gets one: it is not to be entered by a reference. */
const ROOT = NUMBER;

/** Computes dominators and retained sizes. Throws the signal's reason if `work` is aborted. */
export async function dominatorsOf(chosen: ChosenGraph, sizes: HeapSizes, work: Work = {}): Promise<Dominators> {
  await pause(work, 'dominators: search', 0, chosen.graph.ids.length);
  const search = new Search(chosen, sizes);
  await search.prepare(sizes, work);
  await search.run(work);
  const referrers = await search.referrers(work);
  const tree = await semiNca(search.parent, referrers, search.numbered, work);
  await pause(work, 'dominators: sizes', 0, search.numbered);
  return search.finish(tree);
}

/** The depth-first search: numbers from 1 on; 0 is the virtual root. */
class Search {
  readonly #chosen: ChosenGraph;
  readonly #unit: number;
  /**
   * By row: `SEVERAL`, and 0 until the object is found, then its number. A settled object, which no further reference leads
   * to, has the row of its dominator, plus 1; at the end all have.
   */
  readonly #number: Uint32Array;
  /** By row: what the object itself has, plus what was settled below it. */
  readonly #retained: Uint32Array | Float64Array;
  readonly #object: Uint32Array;
  readonly parent: Uint32Array;
  /** By number: references that are no step of the search. */
  readonly #referrers: Uint32Array;
  numbered = 0;
  /** References that are no step of the search, by numbers. */
  #others = new Edges();
  #objects = 0;

  constructor(chosen: ChosenGraph, sizes: HeapSizes) {
    this.#chosen = chosen;
    const { length } = chosen.graph.ids;
    const { unit, total } = objectSizes(chosen.graph, sizes);
    this.#unit = unit;
    this.#number = new Uint32Array(sharedBytes(length * 4));
    this.#retained =
      total / unit < 2 ** 32 ? new Uint32Array(sharedBytes(length * 4)) : new Float64Array(sharedBytes(length * 8));
    this.#object = new Uint32Array(length + 1);
    this.parent = new Uint32Array(length + 1);
    this.#referrers = new Uint32Array(length + 1);
  }

  async prepare(sizes: HeapSizes, work: Work): Promise<void> {
    const setAll = async (): Promise<void> => {
      // The thread gets its task first.
      await pause(work, 'dominators: search', 0, this.#number.length);
      setStates(this.#number, this.#chosen);
    };
    await Promise.all([sizesInto(this.#retained, this.#chosen.graph, sizes, work), setAll()]);
  }

  async run(work: Work): Promise<void> {
    const { roots, graph } = this.#chosen;
    const stack = new Stack();
    let paused = 0;
    for (const root of roots) {
      this.#enter(root, 0);
      stack.push(root, this.#begin(root));
      // A root may lead to all of the heap, or to nothing else.
      while (!this.#follow(stack, STEPS_A_PAUSE) || this.#objects - paused >= STEPS_A_PAUSE) {
        paused = this.#objects;
        await pause(work, 'dominators: search', paused, graph.ids.length);
      }
    }
  }

  /** Goes on with what is on the stack, so many steps at most; true at its end. */
  #follow(stack: Stack, steps: number): boolean {
    const { graph, classTarget, isRoot } = this.#chosen;
    const { targets, class: classes } = graph;
    const number = this.#number;
    const referrers = this.#referrers;
    for (let left = steps; left > 0; left--) {
      const { depth } = stack;
      if (depth < 0) return true;
      const row = stack.rows[depth];
      const edge = stack.edges[depth];
      if (edge === END) {
        if (depth === 0) stack.depth--;
        else this.#leave(stack, row);
        continue;
      }
      let target: number;
      if (edge === CLASS) {
        stack.edges[depth] = END;
        target = classTarget[classes[row]];
        if (target === NO_ROW) continue;
      } else {
        target = targets[edge];
        if (target >= LAST_REFERENCE) {
          target -= LAST_REFERENCE;
          stack.edges[depth] = CLASS;
        } else stack.edges[depth] = edge + 1;
        if (target === NO_REFERENT) continue;
      }
      const state = number[target];
      const seen = state & NUMBER;
      if (seen !== 0) {
        if (((isRoot[target >>> 5] >>> (target & 31)) & 1) !== 0) continue;
        // The target has another referrer, so both keep their numbers.
        stack.keeps[depth] = 1;
        this.#others.add(number[row] & NUMBER, seen);
        referrers[seen]++;
        continue;
      }
      const start = this.#begin(target);
      if (start === END && (state & SEVERAL) === 0) this.#settleLeaf(target, row);
      else {
        this.#enter(target, number[row] & NUMBER);
        stack.push(target, start);
      }
    }
    return false;
  }

  /** The place of the first reference of an object. */
  #begin(row: number): number {
    const { graph, skipsReferent, classTarget } = this.#chosen;
    const heapClass = graph.class[row];
    const at = graph.first[row];
    if (at === 0) return classTarget[heapClass] === NO_ROW ? END : CLASS;
    if (skipsReferent[heapClass] !== 1) return at - 1;
    return graph.targets[at - 1] >= LAST_REFERENCE ? CLASS : at;
  }

  /** Gives an object the next number. */
  #enter(row: number, parent: number): void {
    const number = ++this.numbered;
    this.#number[row] = (this.#number[row] & SEVERAL) | number;
    this.#object[number] = row;
    this.parent[number] = parent;
    this.#objects++;
  }

  #settleLeaf(row: number, above: number): void {
    this.#number[row] = above + 1;
    this.#retained[above] += this.#retained[row];
    this.#objects++;
  }

  /** Takes an object from the stack, and settles it if no other one refers to it or to what is below. */
  #leave(stack: Stack, row: number): void {
    const depth = --stack.depth;
    const state = this.#number[row];
    if (stack.keeps[depth + 1] === 1 || (state & SEVERAL) !== 0) {
      stack.keeps[depth] = 1;
      return;
    }
    const above = stack.rows[depth];
    // All below is settled, too, so its number is the last one.
    this.numbered = state - 1;
    this.#number[row] = above + 1;
    this.#retained[above] += this.#retained[row];
  }

  /** The numbers of all that refer to a numbered object, but its parent in the search. */
  async referrers(work: Work): Promise<Referrers> {
    const blocks = this.#others.blocks();
    const { length } = this.#others;
    const end = this.#referrers.subarray(0, this.numbered + 1);
    inSteps(1, end.length, (from, to) => sumUp(end, from, to));
    const referrer = new Uint32Array(length);
    for (const [i, pairs] of blocks.entries()) {
      if (i % BLOCKS_A_STEP === 0) await pause(work, 'dominators: referrers', i * EDGES_A_BLOCK, length);
      placeBySecond(pairs, end, referrer);
    }
    this.#others = new Edges();
    return { start: end, referrer };
  }

  /** Joins the tree of the numbered objects with what the search settled. */
  finish(tree: Uint32Array): Dominators {
    let bytes = 0;
    for (let number = this.numbered; number > 0; number -= STEP)
      bytes += this.#joinTree(tree, number, Math.max(0, number - STEP));
    let unreachable = 0;
    const { length } = this.#number;
    for (let row = 0; row < length; row += STEP) unreachable += this.#finishRows(row, Math.min(length, row + STEP));
    return {
      dominator: this.#number,
      retained: this.#retained,
      unit: this.#unit,
      objects: this.#objects,
      bytes: bytes * this.#unit,
      unreachableBytes: unreachable * this.#unit,
    };
  }

  /** The dominators of the numbers from `from` down to, but without, `to`; returns what only the roots dominate. */
  #joinTree(tree: Uint32Array, from: number, to: number): number {
    const object = this.#object;
    const retained = this.#retained;
    const dominator = this.#number;
    let bytes = 0;
    for (let number = from; number > to; number--) {
      const row = object[number];
      const above = tree[number];
      const rowAbove = above === 0 ? BY_ROOTS : object[above];
      dominator[row] = rowAbove + 1;
      if (above === 0) bytes += retained[row];
      else retained[rowAbove] += retained[row];
    }
    return bytes;
  }

  /** Turns states into dominators; returns the sizes of what is unreachable. */
  #finishRows(from: number, to: number): number {
    const retained = this.#retained;
    const dominator = this.#number;
    let unreachable = 0;
    for (let row = from; row < to; row++) {
      if ((dominator[row] & NUMBER) === 0) {
        unreachable += retained[row];
        retained[row] = 0;
        dominator[row] = NO_ROW;
      } else dominator[row]--;
    }
    return unreachable;
  }
}

/** The objects between a root and the one that is visited. */
class Stack {
  rows = new Uint32Array(1024);
  /** The next reference of each. */
  edges = new Uint32Array(1024);
  /** Whether something that it refers to is numbered. */
  keeps = new Uint8Array(1024);
  depth = -1;

  push(row: number, edge: number): void {
    const depth = ++this.depth;
    if (depth === this.rows.length) this.#grow();
    this.rows[depth] = row;
    this.edges[depth] = edge;
    this.keeps[depth] = 0;
  }

  #grow(): void {
    this.rows = doubled(this.rows);
    this.edges = doubled(this.edges);
    const keeps = new Uint8Array(this.keeps.length * 2);
    keeps.set(this.keeps);
    this.keeps = keeps;
  }
}

/** Pairs of numbers in blocks, which are given back one by one: 8 bytes each. */
class Edges {
  readonly #blocks: Uint32Array[] = [];
  #block = new Uint32Array(0);
  #used = 0;
  length = 0;

  add(from: number, to: number): void {
    if (this.#used === this.#block.length) {
      this.#block = new Uint32Array(EDGES_A_BLOCK * 2);
      this.#blocks.push(this.#block);
      this.#used = 0;
    }
    this.#block[this.#used] = from;
    this.#block[this.#used + 1] = to;
    this.#used += 2;
    this.length++;
  }

  /** The blocks, each from, to, from, to … */
  blocks(): Uint32Array[] {
    const last = this.#blocks.length - 1;
    return this.#blocks.map((block, i) => (i === last ? block.subarray(0, this.#used) : block));
  }
}

const EDGES_A_BLOCK = 1 << 17;
const BLOCKS_A_STEP = 16;

/** Turns counts into the ends of their places. */
function sumUp(counts: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) counts[i] += counts[i - 1];
}

/** Puts first numbers where those of their second number go, from the end on: that moves each end to the start. */
function placeBySecond(pairs: Uint32Array, ends: Uint32Array, firsts: Uint32Array): void {
  for (let i = 0; i < pairs.length; i += 2) {
    const second = pairs[i + 1];
    const place = (ends[second] - 1) >>> 0;
    ends[second] = place;
    firsts[place] = pairs[i];
  }
}

/** By row: `SEVERAL` and `ROOT`. Several references lead to class objects, too: their objects refer to them. */
function setStates(states: Uint32Array, { graph, roots }: ChosenGraph): void {
  const several = severalReferrers(graph);
  inSteps(0, states.length, (from, to) => {
    for (let row = from; row < to; row++) states[row] = (several[row >>> 5] << (31 - (row & 31))) & SEVERAL;
  });
  for (const root of roots) states[root] |= ROOT;
}

/** Rows that several references lead to, as bits: of a size that stays in the caches of a processor. */
function severalReferrers({ ids, targets, classObject }: ObjectGraph): Uint32Array {
  const words = Math.ceil(ids.length / 32);
  const once = new Uint32Array(words);
  const several = new Uint32Array(words);
  for (let i = 0; i < targets.length; i++) {
    const target = targets[i] & NO_REFERENT;
    const bit = 1 << (target & 31);
    const word = target >>> 5;
    if ((once[word] & bit) === 0) once[word] |= bit;
    else several[word] |= bit;
  }
  for (const target of classObject) if (target !== NO_ROW) several[target >>> 5] |= 1 << (target & 31);
  return several;
}
