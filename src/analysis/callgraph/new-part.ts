/**
 * What one call graph has and another lacks, and why: the part of `now` that is new is divided among its *causes*.
 *
 *   entry ──► old ──► new ──► new         a cause is an edge into the new part, from a method that is not new, or a new method that is an
 *              │        ◄───────┘         entry; by breadth-first search from the entries of `now`, each new method belongs to the cause
 *              └────► new                 through which the search meets it, or another method of its cycle, first
 *
 * So each new method has one cause, and each cause has one first method, its *head*. What only the head leads to may be less: other causes
 * may lead to the same methods. Methods that both sides have count as reachable for that. Removed methods are the new part in the other direction. O(targets).
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { countMarked } from '../../base/columns/marks.js';
import { NONE } from '../../base/flavor.js';
import type { Work } from '../../base/progress.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { CallGraphBuilder } from '../../models/callgraph/call-graph-builder.js';
import { callDominators } from './call-dominators.js';
import { cyclesOf } from './cycles.js';
import type { JoinedGraph } from './joined-graph.js';
import { callerOf, callIndex, IS_START } from './reach.js';

export interface Causes {
  readonly length: number;
  /** The row of targets that leads into the new part, or `IS_START` of an entry. */
  readonly by: Int32Array;
  /** Joined function: the first method. */
  readonly head: Int32Array;
  /** New methods that belong to it. */
  readonly methods: Int32Array;
  /** New methods that are reachable only through the head, itself and its cycle included. */
  readonly only: Int32Array;
}

export interface NewPart {
  /** By joined function. */
  readonly isNew: Uint8Array;
  readonly count: number;
  /** None if the report has no calls. */
  readonly causes: Causes;
  /** By joined function: its cause; -1 if it is not new. */
  readonly causeOf: Int32Array;
}

/** Throws the signal's reason if `work` is aborted. */
export async function newPart(now: JoinedGraph, base: JoinedGraph, work: Work = {}): Promise<NewPart> {
  const isNew = now.has.map((has, row) => (has === 1 && base.has[row] === 0 ? 1 : 0));
  const count = countMarked(isNew);
  const causeOf = new Int32Array(isNew.length).fill(NONE);
  if (count === 0 || !now.hasCalls) return { isNew, count, causes: NO_CAUSES, causeOf };
  const cycle = cyclesOf(now.index, isNew);
  const { by, head } = firstMet(now, isNew, cycle, causeOf);
  const methods = new Int32Array(head.length);
  for (const cause of causeOf) if (cause >= 0) methods[cause]++;
  const held = await heldBy(now, isNew, cycle, work);
  return {
    isNew,
    count,
    causes: { length: head.length, by, head, methods, only: head.map((id) => held[cycle[id]]) },
    causeOf,
  };
}

const NOTHING = new Int32Array();
const NO_CAUSES: Causes = { length: 0, by: NOTHING, head: NOTHING, methods: NOTHING, only: NOTHING };

/** Finds the causes in the order of the search, and fills `causeOf`. */
function firstMet({ index, reach }: JoinedGraph, isNew: Uint8Array, cycle: Int32Array, causeOf: Int32Array) {
  const by = new Int32Builder(16);
  const head = new Int32Builder(16);
  /** By function that stands for a cycle. */
  const ofCycle = new Int32Array(isNew.length).fill(NONE);
  for (const id of reach.order) {
    if (isNew[id] === 0) continue;
    if (ofCycle[cycle[id]] < 0) {
      const caller = reach.by[id] === IS_START ? NONE : callerOf(index.graph, reach.by[id]);
      if (caller >= 0 && isNew[caller] === 1) ofCycle[cycle[id]] = causeOf[caller];
      else {
        by.push(reach.by[id]);
        ofCycle[cycle[id]] = head.push(id);
      }
    }
    causeOf[id] = ofCycle[cycle[id]];
  }
  return { by: by.finish(), head: head.finish() };
}

/** By function that stands for a cycle: the new methods that only its cycle leads to, itself included. */
async function heldBy(now: JoinedGraph, isNew: Uint8Array, cycle: Int32Array, work: Work): Promise<Int32Array> {
  const graph = condensed(now, isNew, cycle);
  return (await callDominators(callIndex(graph, isNew.length), work)).methods;
}

/** The new part alone: calls of a cycle go to the function that stands for it, which calls its others. */
function condensed({ index, reach }: JoinedGraph, isNew: Uint8Array, cycle: Int32Array): CallGraph {
  const { graph, sites: own, callers } = index;
  const { sites, targets, entries } = graph;
  const builder = new CallGraphBuilder(isNew.length, { counts: false });
  const isEntry = new Uint8Array(isNew.length);
  for (const id of entries.function) isEntry[id] = 1;
  for (let id = 0; id < isNew.length; id++) {
    if (isNew[id] === 0) continue;
    if (cycle[id] !== id) builder.target(builder.site(cycle[id], [0], 'unknown'), id, 'derived');
    const site = builder.site(id, [0], 'unknown');
    for (let at = own.first[id]; at < own.first[id + 1]; at++)
      for (let row = sites.first[own.rows[at]]; row < sites.first[own.rows[at] + 1]; row++) {
        const callee = targets.callee[row];
        if (isNew[callee] === 1 && cycle[callee] !== cycle[id]) builder.target(site, cycle[callee], 'derived');
      }
    let isEntered = isEntry[id] === 1;
    for (let at = callers.first[id]; !isEntered && at < callers.first[id + 1]; at++) {
      const caller = callerOf(graph, callers.rows[at]);
      isEntered = reach.by[caller] !== NONE && isNew[caller] === 0;
    }
    if (isEntered) builder.entry(cycle[id], '');
  }
  return builder.finish(false);
}
