/**
 * The tree that a report prints of a call graph: each method is expanded where a breadth-first search from the entries meets it first, so
 * the tree has shortest paths. Ids are numbers in the order of that search, entries first.
 *
 * Memory: 4 bytes a site and 13 a function.
 */
import { NONE } from '../../base/flavor.js';
import type { FunctionId } from '../program/program.js';
import type { CallGraph } from './call-graph.js';
import { sitesByCaller } from './sites-by-caller.js';

export interface TreeOrder {
  /** The sites of function `f` are `sites[first[f] .. first[f + 1])`, in the order of the graph. */
  readonly first: Int32Array;
  readonly sites: Int32Array;
  /** By function: its number in the search; -1 if no start reaches it. */
  readonly number: Int32Array;
  /** By function: the target row at which it is expanded; -1 for starts, and for those that no start reaches. */
  readonly expandedAt: Int32Array;
}

/** The tree from `starts`, by default the entries. `functions`: number in the program. O(sites + targets). */
export function treeOrder(
  graph: CallGraph,
  functions: number,
  starts: Iterable<FunctionId> = graph.entries.function,
): TreeOrder {
  const { sites, targets } = graph;
  const { first, rows } = sitesByCaller(graph, functions);
  const number = new Int32Array(functions).fill(NONE);
  const expandedAt = new Int32Array(functions).fill(NONE);
  const queue = new Int32Array(functions);
  let found = 0;
  for (const start of starts)
    if (number[start] < 0) {
      number[start] = found;
      queue[found++] = start;
    }
  for (let next = 0; next < found; next++) {
    const caller = queue[next];
    for (let at = first[caller]; at < first[caller + 1]; at++) {
      const site = rows[at];
      for (let target = sites.first[site]; target < sites.first[site + 1]; target++) {
        const callee = targets.callee[target];
        if (number[callee] >= 0) continue;
        number[callee] = found;
        expandedAt[callee] = target;
        queue[found++] = callee;
      }
    }
  }
  return { first, sites: rows, number, expandedAt };
}
