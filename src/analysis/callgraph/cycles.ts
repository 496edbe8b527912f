/**
 * The cycles of a call graph: its strongly connected components (Tarjan, SIAM J. Comput. 1, 1972), without recursion. O(targets); 29 bytes a
 * function while it runs.
 */
import { NONE } from '../../base/flavor.js';
import type { CallIndex } from './reach.js';

/** By function: the function that stands for its cycle; itself if it is in none; -1 for those that are not marked in `of`. */
export function cyclesOf(index: CallIndex, of: Uint8Array): Int32Array {
  const walk = new CycleWalk(index, of);
  for (let id = 0; id < of.length; id++) if (of[id] === 1) walk.from(id);
  return walk.cycle;
}

class CycleWalk {
  readonly cycle: Int32Array;
  readonly #index: CallIndex;
  readonly #of: Uint8Array;
  /** By function: its number in the search, from 1 on, and the least number that it leads to. */
  readonly #number: Int32Array;
  readonly #least: Int32Array;
  /** Functions without a cycle yet, and the path of the search. */
  readonly #open: Int32Array;
  readonly #path: Int32Array;
  /** By function on the path: the next position in its sites, and the next target of the site before. */
  readonly #nextSite: Int32Array;
  readonly #nextTarget: Int32Array;
  #numbers = 0;
  #opened = 0;
  #depth = 0;

  constructor(index: CallIndex, of: Uint8Array) {
    const length = of.length;
    this.#index = index;
    this.#of = of;
    this.cycle = new Int32Array(length).fill(NONE);
    this.#number = new Int32Array(length);
    this.#least = new Int32Array(length);
    this.#open = new Int32Array(length);
    this.#path = new Int32Array(length);
    this.#nextSite = new Int32Array(length);
    this.#nextTarget = new Int32Array(length);
  }

  from(start: number): void {
    if (this.#number[start] > 0) return;
    this.#enter(start);
    while (this.#depth > 0) {
      const id = this.#path[this.#depth - 1];
      const callee = this.#nextCallee(id);
      if (callee >= 0) this.#visit(id, callee);
      else this.#leave(id);
    }
  }

  #enter(id: number): void {
    this.#number[id] = ++this.#numbers;
    this.#least[id] = this.#numbers;
    this.#open[this.#opened++] = id;
    this.#path[this.#depth++] = id;
    this.#nextSite[id] = this.#index.sites.first[id];
    this.#nextTarget[id] = NONE;
  }

  #visit(id: number, callee: number): void {
    if (this.#number[callee] === 0) this.#enter(callee);
    else if (this.cycle[callee] < 0) this.#least[id] = Math.min(this.#least[id], this.#number[callee]);
  }

  #leave(id: number): void {
    this.#depth--;
    if (this.#depth > 0) {
      const caller = this.#path[this.#depth - 1];
      this.#least[caller] = Math.min(this.#least[caller], this.#least[id]);
    }
    if (this.#least[id] !== this.#number[id]) return;
    let member: number;
    do {
      member = this.#open[--this.#opened];
      this.cycle[member] = id;
    } while (member !== id);
  }

  /** The next marked function that a function calls; -1 after the last one. */
  #nextCallee(id: number): number {
    const { sites: own, graph } = this.#index;
    const { sites, targets } = graph;
    for (; this.#nextSite[id] < own.first[id + 1]; this.#nextSite[id]++) {
      const site = own.rows[this.#nextSite[id]];
      if (this.#nextTarget[id] < 0) this.#nextTarget[id] = sites.first[site];
      while (this.#nextTarget[id] < sites.first[site + 1]) {
        const callee = targets.callee[this.#nextTarget[id]++];
        if (this.#of[callee] === 1) return callee;
      }
      this.#nextTarget[id] = NONE;
    }
    return NONE;
  }
}
