/** The rows of a call graph from both ends of an edge. */
import type { CallGraph } from './call-graph.js';

/** Rows grouped by function: those of `f` are `rows[first[f] .. first[f + 1])`, in the order of the graph. */
export interface RowsByFunction {
  readonly first: Int32Array;
  readonly rows: Int32Array;
}

/** The sites of each caller. `functions`: number in the program. O(sites). */
export function sitesByCaller({ sites }: CallGraph, functions: number): RowsByFunction {
  return grouped(sites.caller, functions);
}

/** The rows of targets by which each function is called. O(targets). */
export function targetsByCallee({ targets }: CallGraph, functions: number): RowsByFunction {
  return grouped(targets.callee, functions);
}

function grouped(of: Int32Array, functions: number): RowsByFunction {
  const first = new Int32Array(functions + 1);
  for (const id of of) first[id + 1]++;
  for (let id = 0; id < functions; id++) first[id + 1] += first[id];
  const next = first.slice(0, functions);
  const rows = new Int32Array(of.length);
  for (let row = 0; row < of.length; row++) rows[next[of[row]]++] = row;
  return { first, rows };
}
