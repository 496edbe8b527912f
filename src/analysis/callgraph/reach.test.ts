/** Reachability, shortest paths and dominators of random call graphs, as by definition. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type DrawnGraph, randomGraph, reachedBy } from '../../formats/call-tree/testing/random-graph.js';
import { runs } from '../../testing/amount.js';
import { callDominators } from './call-dominators.js';
import { type CallIndex, callerOf, callIndex, IS_START, pathTo, reachFrom } from './reach.js';
import { pathsThrough, type ReachedGraph, reachedCallees, reachedGraph, ShortestPaths } from './shortest-paths.js';

function indexOf({ callGraph, program }: DrawnGraph): CallIndex {
  if (callGraph === undefined) throw new Error('no graph');
  return callIndex(callGraph, program.functions.length);
}

function graphOf(index: CallIndex): ReachedGraph {
  const reach = reachFrom(index, index.graph.entries.function);
  return reachedGraph(index, reach, reachedCallees(index, reach));
}

/** Fewest calls to each method, by relaxing all calls until nothing changes. */
function distances({ entries, calls }: DrawnGraph): Map<number, number> {
  const distance = new Map(entries.map((id) => [id, 0]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const { caller, targets } of calls)
      for (const target of targets) {
        const through = (distance.get(caller) ?? Number.POSITIVE_INFINITY) + 1;
        if (through >= (distance.get(target) ?? Number.POSITIVE_INFINITY)) continue;
        distance.set(target, through);
        changed = true;
      }
  }
  return distance;
}

describe('a call graph', () => {
  it('has shortest paths from its entries', () =>
    fc.assert(
      fc.property(randomGraph(), (drawn) => {
        const index = indexOf(drawn);
        const reach = reachFrom(index, index.graph.entries.function);
        const expected = distances(drawn);
        equal(reach.count, expected.size);
        for (let id = 0; id < drawn.methods; id++) {
          if (reach.by[id] === -1) {
            equal(expected.has(id), false);
            continue;
          }
          equal(reach.distance[id], expected.get(id));
          const { start, calls } = pathTo(index, reach, id);
          ok(drawn.entries.includes(start) && reach.by[start] === IS_START);
          equal(calls.length, reach.distance[id]);
          const ends = calls.map((row) => index.graph.targets.callee[row]);
          deepEqual(
            calls.map((row) => callerOf(index.graph, row)),
            [start, ...ends].slice(0, -1),
          );
          equal(ends.at(-1) ?? start, id);
        }
      }),
      runs(2000),
    ));

  it('has the same paths when some methods are avoided, by either search', () =>
    fc.assert(
      fc.property(randomGraph(), fc.array(fc.nat(11)), (drawn, left) => {
        const index = indexOf(drawn);
        const avoided = new Uint8Array(index.functions);
        for (const id of left) if (id < drawn.methods) avoided[id] = 1;
        const starts = index.graph.entries.function;
        const reach = reachFrom(index, starts, { methods: avoided });
        const graph = graphOf(index);
        const paths = ShortestPaths.search(graph, starts, avoided);
        const entered = pathsThrough(graph, avoided);
        const known = ShortestPaths.fromEntries(graph);
        for (let id = 0; id < drawn.methods; id++) {
          equal(paths.distanceTo(id), reach.by[id] === -1 ? -1 : reach.distance[id]);
          if (reach.by[id] !== -1) deepEqual(paths.pathTo(id), pathTo(index, reach, id));
          // A path from the entries that enters none of them is the path that avoids them.
          const isOpen = graph.numbers[id] >= 0 && entered[graph.numbers[id]] === 0;
          if (isOpen) deepEqual(known.pathTo(id), pathTo(index, reach, id));
        }
      }),
      runs(2000),
    ));

  it('has shortest paths through some methods, however far these are from an entry', () =>
    fc.assert(
      fc.property(randomGraph(), fc.array(fc.nat(11), { minLength: 1 }), (drawn, through) => {
        const index = indexOf(drawn);
        const none = new Uint8Array(index.functions);
        const entries = index.graph.entries.function;
        const graph = graphOf(index);
        const first = ShortestPaths.search(graph, entries, none);
        const via = through.filter((id) => id < drawn.methods && first.reaches(id));
        const paths = ShortestPaths.search(graph, via, none, first.distance);
        for (let id = 0; id < drawn.methods; id++) {
          const lengths = via.flatMap((one) => {
            const distance = ShortestPaths.search(graph, [one], none).distanceTo(id);
            return distance < 0 ? [] : [first.distanceTo(one) + distance];
          });
          equal(paths.distanceTo(id), lengths.length === 0 ? -1 : Math.min(...lengths));
          if (lengths.length === 0) continue;
          const { start, calls } = paths.pathTo(id);
          ok(via.includes(start));
          equal(first.distanceTo(start) + calls.length, paths.distanceTo(id));
        }
      }),
      runs(1000),
    ));

  it('has the methods that only one method leads to, found by leaving each out', () =>
    fc.assert(
      fc.asyncProperty(randomGraph(), async (drawn) => {
        const index = indexOf(drawn);
        const { methods, above } = await callDominators(index);
        const all = reachedBy(drawn.entries, drawn.calls);
        for (let id = 0; id < drawn.methods; id++) {
          const left = reachedBy(drawn.entries, drawn.calls, new Set([id]));
          equal(methods[id], all.has(id) ? all.size - left.size : 0);
          const blocked = new Uint8Array(drawn.program.functions.length);
          blocked[id] = 1;
          equal(reachFrom(index, index.graph.entries.function, { methods: blocked }).count, left.size);
          if (above[id] >= 0) ok(!reachedBy(drawn.entries, drawn.calls, new Set([above[id]])).has(id));
        }
      }),
      runs(2000),
    ));
});
