/**
 * The dominators of a call graph: a method dominates what can be reached only through it, and what would no longer be reachable without
 * it. SEMI-NCA, as for heaps. 40 bytes a method and 4 a target while it runs.
 */
import { NONE } from '../../base/flavor.js';
import type { Work } from '../../base/progress.js';
import type { FunctionId } from '../../models/program/program.js';
import { type Referrers, semiNca } from '../heap/semi-nca.js';
import { type CallIndex, callerOf } from './reach.js';

export interface CallDominators {
  /** By function: the method that dominates it immediately; -1 for those that only entries together hold, and unreachable ones. */
  readonly above: Int32Array;
  /** By function: the methods that are reachable only through it, itself included; 0 if it is not reachable. */
  readonly methods: Int32Array;
}

/** Throws the signal's reason if `work` is aborted. */
export async function callDominators(index: CallIndex, work: Work = {}): Promise<CallDominators> {
  const { functions } = index;
  const search = new DepthFirst(index);
  const count = search.run();
  const tree = await semiNca(search.parent.slice(0, count + 1), search.referrers(count), count, work);
  const above = new Int32Array(functions).fill(NONE);
  const methods = new Int32Array(functions);
  const own = new Int32Array(count + 1).fill(1);
  for (let number = count; number > 0; number--) {
    const function_ = search.at[number];
    methods[function_] = own[number];
    own[tree[number]] += own[number];
    if (tree[number] > 0) above[function_] = search.at[tree[number]];
  }
  return { above, methods };
}

/** Numbers methods from 1 on in the order of a depth-first search; 0 stands above all entries. */
class DepthFirst {
  readonly parent: Uint32Array;
  /** By number: the function. */
  readonly at: Int32Array;
  readonly #index: CallIndex;
  readonly #number: Uint32Array;

  constructor(index: CallIndex) {
    this.#index = index;
    this.parent = new Uint32Array(index.functions + 1);
    this.at = new Int32Array(index.functions + 1).fill(NONE);
    this.#number = new Uint32Array(index.functions);
  }

  run(): number {
    const { graph, sites: own, functions } = this.#index;
    const { sites, targets } = graph;
    let count = 0;
    const enter = (id: FunctionId, from: number): void => {
      this.#number[id] = ++count;
      this.parent[count] = from;
      this.at[count] = id;
    };
    // Of each method on the stack: the next position in its sites, and the next row of targets of the one before.
    const stack = new Int32Array(functions);
    const nextSite = new Int32Array(functions);
    const nextTarget = new Int32Array(functions);
    const lastTarget = new Int32Array(functions);
    for (const entry of graph.entries.function) {
      if (this.#number[entry] > 0) continue;
      enter(entry, 0);
      let depth = 0;
      stack[0] = entry;
      nextSite[entry] = own.first[entry];
      while (depth >= 0) {
        const id = stack[depth];
        if (nextTarget[id] < lastTarget[id]) {
          const callee = targets.callee[nextTarget[id]++];
          if (this.#number[callee] > 0) continue;
          enter(callee, this.#number[id]);
          stack[++depth] = callee;
          nextSite[callee] = own.first[callee];
        } else if (nextSite[id] < own.first[id + 1]) {
          const site = own.rows[nextSite[id]++];
          nextTarget[id] = sites.first[site];
          lastTarget[id] = sites.first[site + 1];
        } else depth--;
      }
    }
    return count;
  }

  /** The numbers of the callers of each number. */
  referrers(count: number): Referrers {
    const { graph, callers } = this.#index;
    const isEntry = new Uint8Array(this.#index.functions);
    for (const entry of graph.entries.function) isEntry[entry] = 1;
    const start = new Uint32Array(count + 1);
    const referrer = new Uint32Array(graph.targets.length + graph.entries.length);
    let end = 0;
    for (let number = 1; number <= count; number++) {
      const id = this.at[number];
      start[number] = end;
      if (isEntry[id] === 1) referrer[end++] = 0;
      for (let at = callers.first[id]; at < callers.first[id + 1]; at++) {
        const caller = this.#number[callerOf(graph, callers.rows[at])];
        if (caller > 0) referrer[end++] = caller;
      }
    }
    return { start, referrer: referrer.subarray(0, end) };
  }
}
