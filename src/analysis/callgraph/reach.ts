/** What the entries of a call graph reach, on shortest paths: one breadth-first search, O(targets). */
import { NONE } from '../../base/flavor.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { type RowsByFunction, sitesByCaller, targetsByCallee } from '../../models/callgraph/sites-by-caller.js';
import type { FunctionId } from '../../models/program/program.js';

/** In place of a row of targets: the search begins here. */
export const IS_START = -2;

/** A graph that is searched. 4 bytes a site, 4 a target and 8 a function beside the graph. */
export interface CallIndex {
  readonly graph: CallGraph;
  /** Number of functions in the program. */
  readonly functions: number;
  readonly sites: RowsByFunction;
  readonly callers: RowsByFunction;
}

export function callIndex(graph: CallGraph, functions: number): CallIndex {
  return { graph, functions, sites: sitesByCaller(graph, functions), callers: targetsByCallee(graph, functions) };
}

/** What a search does not pass. */
export interface Blocked {
  /** By function: 1 if it is not entered. */
  readonly methods?: Uint8Array;
  /** Whether a row of targets is not followed. */
  readonly edge?: (target: number) => boolean;
}

export interface Reach {
  /** By function: the row of targets by which it was reached first, `IS_START`, or -1 if it was not reached. */
  readonly by: Int32Array;
  /** Calls from the start; undefined entries (0) where not reached. */
  readonly distance: Int32Array;
  /** Functions that were reached, and these in the order of the search. */
  readonly count: number;
  readonly order: Int32Array;
}

/** Searches from `starts`, in their order; blocked ones are skipped. */
export function reachFrom(
  { graph, functions, sites: own }: CallIndex,
  starts: Iterable<FunctionId>,
  blocked: Blocked = {},
): Reach {
  const { sites, targets } = graph;
  const { methods, edge } = blocked;
  const by = new Int32Array(functions).fill(NONE);
  const distance = new Int32Array(functions);
  const queue = new Int32Array(functions);
  let count = 0;
  for (const start of starts) {
    if (by[start] !== NONE || methods?.[start] === 1) continue;
    by[start] = IS_START;
    queue[count++] = start;
  }
  for (let next = 0; next < count; next++) {
    const caller = queue[next];
    for (let at = own.first[caller]; at < own.first[caller + 1]; at++) {
      const site = own.rows[at];
      for (let target = sites.first[site]; target < sites.first[site + 1]; target++) {
        const callee = targets.callee[target];
        if (by[callee] !== NONE || methods?.[callee] === 1 || edge?.(target) === true) continue;
        by[callee] = target;
        distance[callee] = distance[caller] + 1;
        queue[count++] = callee;
      }
    }
  }
  return { by, distance, count, order: queue.subarray(0, count) };
}

/** Whether a graph has calls; lists of methods have none, and nothing says what is reachable. */
export function hasEdges({ sites, partial }: CallGraph): boolean {
  return sites.length > 0 || !partial;
}

/** By function: 1 if the image has it: an entry reaches it, or a graph without calls lists it. `reach`: from the entries. */
export function reachedMethods(graph: CallGraph, { by }: Reach): Uint8Array {
  const reached = new Uint8Array(by.length);
  if (!hasEdges(graph)) for (const id of graph.methods) reached[id] = 1;
  else for (let id = 0; id < by.length; id++) if (by[id] !== NONE) reached[id] = 1;
  return reached;
}

/** The caller of a row of targets. */
export function callerOf({ sites, targets }: CallGraph, target: number): FunctionId {
  return sites.caller[targets.site[target]];
}

/** The rows of targets on the path to a reached function, from the start on; and where it starts. */
export function pathTo(
  { graph }: CallIndex,
  { by }: Reach,
  end: FunctionId,
): { readonly start: FunctionId; readonly calls: number[] } {
  const calls: number[] = [];
  let at = end;
  for (let row = by[at]; row >= 0; row = by[at]) {
    calls.push(row);
    at = callerOf(graph, row);
  }
  return { start: at, calls: calls.reverse() };
}
