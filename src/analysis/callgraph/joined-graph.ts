/**
 * A call graph over joined functions, so that the graphs of two builds have the same ids. Functions of one graph that are joined (lambdas
 * of a class, proxies) are one there, with the calls of each. 4 bytes a site, target and entry, 8 a joined function.
 */
import { mapped, markedRows } from '../../base/columns/marks.js';
import { NONE } from '../../base/flavor.js';
import { knownSum } from '../../base/share.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { type CallIndex, callIndex, hasEdges, type Reach, reachedMethods, reachFrom } from './reach.js';

/** A graph over joined functions, with what its entries reach. */
export interface JoinedGraph {
  readonly index: CallIndex;
  /** False of lists of methods: then nothing says what is reachable. */
  readonly hasCalls: boolean;
  /** From the entries, if there are calls. */
  readonly reach: Reach;
  /** By joined function: 1 if the image has it: an entry reaches it, or the report has no calls and lists it. */
  readonly has: Uint8Array;
  /** By joined function: a function of the program with this row, the first of the graph; -1 for others. */
  readonly example: Int32Array;
  /** By joined function: how many methods of the graph are joined there. */
  readonly listed: Int32Array;
  /** By joined function: bytes of machine code, NaN if unknown; absent if the report has none. */
  readonly codeBytes?: Float64Array;
}

/** `rows`: functions of the graph's program → joined ones, `length` of them. */
export function joinedGraph(graph: CallGraph, rows: Int32Array, length: number): JoinedGraph {
  const { codeBytes, ...calls } = graph;
  const { sites, targets, entries, methods } = calls;
  const example = new Int32Array(length).fill(NONE);
  for (const id of methods) if (example[rows[id]] < 0) example[rows[id]] = id;
  const listed = new Int32Array(length);
  for (const id of methods) listed[rows[id]]++;
  const isListed = Uint8Array.from(listed, (count) => Math.min(1, count));
  const joined: CallGraph = {
    ...calls,
    methods: markedRows(isListed),
    sites: { ...sites, caller: mapped(sites.caller, rows), declared: mapped(sites.declared, rows) },
    targets: { ...targets, callee: mapped(targets.callee, rows) },
    entries: { ...entries, function: mapped(entries.function, rows) },
  };
  const index = callIndex(joined, length);
  const reach = reachFrom(index, joined.entries.function);
  return {
    index,
    hasCalls: hasEdges(graph),
    reach,
    has: reachedMethods(joined, reach),
    example,
    listed,
    ...(codeBytes && { codeBytes: joinedBytes(methods, codeBytes, rows, length) }),
  };
}

/** The sums of the known sizes. */
function joinedBytes(methods: Int32Array, bytes: Float64Array, rows: Int32Array, length: number): Float64Array {
  const sums = new Float64Array(length).fill(Number.NaN);
  for (let i = 0; i < methods.length; i++) {
    const row = rows[methods[i]];
    sums[row] = knownSum(sums[row], bytes[i]);
  }
  return sums;
}
