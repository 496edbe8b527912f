/** Cuts of random call graphs, against all sets of methods that could go, and against searches without the calls that are removed. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type DrawnGraph, randomGraph } from '../../../formats/call-tree/testing/random-graph.js';
import { runs } from '../../../testing/amount.js';
import { callDominators } from '../call-dominators.js';
import { callIndex, reachFrom } from '../reach.js';
import { reachedCallees, reachedGraph } from '../shortest-paths.js';
import { keptMethods } from './kept-methods.js';
import { partsOfCut, smallestCut } from './smallest-cut.js';

interface PlainCall {
  readonly caller: number;
  readonly callee: number;
}

/** Different pairs of caller and callee. */
function callsOf({ calls }: DrawnGraph): PlainCall[] {
  const pairs = new Map<string, PlainCall>();
  for (const { caller, targets } of calls)
    for (const callee of targets) pairs.set(`${caller} ${callee}`, { caller, callee });
  return [...pairs.values()];
}

/** What entries lead to, by following all calls until nothing is new. */
function reached({ entries }: DrawnGraph, calls: readonly PlainCall[]): Set<number> {
  const reachedIds = new Set(entries);
  for (let size = -1; size < reachedIds.size; ) {
    size = reachedIds.size;
    for (const { caller, callee } of calls) if (reachedIds.has(caller)) reachedIds.add(callee);
  }
  return reachedIds;
}

async function weightedOf(drawn: DrawnGraph, weights: readonly number[], needed: readonly number[]) {
  if (drawn.callGraph === undefined) throw new Error('no graph');
  const index = callIndex(drawn.callGraph, drawn.program.functions.length);
  const reach = reachFrom(index, index.graph.entries.function);
  const graph = reachedGraph(index, reach, reachedCallees(index, reach));
  const isNeeded = Uint8Array.from(graph.functions, (id) => (needed.includes(id) ? 1 : 0));
  const bytes = Float64Array.from(graph.functions, (id) => weights[id] ?? 0);
  return { graph, bytes, stays: keptMethods(graph, isNeeded), dominators: await callDominators(index) };
}

const WEIGHTS = fc.array(fc.nat(9), { minLength: 12, maxLength: 12 });
const NEEDED = fc.array(fc.nat(11), { maxLength: 3 });

describe('the methods that must stay', () => {
  it('are the entries and paths to those that are needed, with the fewest others', () =>
    fc.assert(
      fc.asyncProperty(randomGraph(), NEEDED, async (drawn, needed) => {
        const { graph, stays: marks } = await weightedOf(drawn, [], needed);
        const stays = new Set([...marks.keys()].filter((id) => marks[id] === 1).map((id) => graph.functions[id] ?? -1));
        const calls = callsOf(drawn);
        const inside = calls.filter(({ caller, callee }) => stays.has(caller) && stays.has(callee));
        deepEqual(reached(drawn, inside), stays);
        const all = reached(drawn, calls);
        for (const id of needed) equal(stays.has(id), all.has(id));
        const others = (ids: Iterable<number>) =>
          [...ids].filter((id) => !drawn.entries.includes(id) && !needed.includes(id));
        // One needed method alone has a shortest path.
        const [only] = new Set(needed.filter((id) => all.has(id)));
        if (only === undefined || new Set(needed).size > 1) return;
        for (const id of others(stays)) {
          const without = inside.filter(({ callee, caller }) => callee !== id && caller !== id);
          ok(!reached(drawn, without).has(only), `${id} stays for nothing`);
        }
      }),
      runs(500),
    ));
});

describe('the smallest cut', () => {
  it('frees what it says, each part by itself, and no set of methods needs fewer calls than its bound', () =>
    fc.assert(
      fc.asyncProperty(
        randomGraph(),
        WEIGHTS,
        NEEDED,
        fc.integer({ min: 1, max: 40 }),
        async (drawn, weights, needed, goal) => {
          const weighted = await weightedOf(drawn, weights, needed);
          const { graph, stays } = weighted;
          const calls = callsOf(drawn);
          const all = reached(drawn, calls);
          const free = [...stays.keys()].filter((id) => stays[id] === 0).map((id) => graph.functions[id] ?? -1);
          const bytesOf = (ids: Iterable<number>) => [...ids].reduce((sum, id) => sum + (weights[id] ?? 0), 0);
          const { cut, most, leastCalls } = await smallestCut(weighted, goal);
          equal(most, bytesOf(free));
          equal(cut === undefined, goal > most);
          // Every set of methods that need not stay: its calls, and the bytes that are no longer reached.
          let fewest = Number.POSITIVE_INFINITY;
          for (let bits = 0; bits < 1 << free.length; bits++) {
            const goes = new Set(free.filter((_, i) => ((bits >> i) & 1) === 1));
            if (bytesOf(goes) < goal) continue;
            const removed = calls.filter(
              ({ caller, callee }) => all.has(caller) && !goes.has(caller) && goes.has(callee),
            );
            fewest = Math.min(fewest, removed.length);
          }
          if (cut === undefined) return equal(fewest, Number.POSITIVE_INFINITY);
          ok(leastCalls <= fewest && fewest <= cut.calls, `${leastCalls} <= ${fewest} <= ${cut.calls}`);
          const freed = new Set(
            [...cut.freed.keys()].filter((id) => cut.freed[id] === 1).map((id) => graph.functions[id] ?? -1),
          );
          const isRemoved = ({ caller, callee }: PlainCall) =>
            all.has(caller) && !freed.has(caller) && freed.has(callee);
          const left = reached(
            drawn,
            calls.filter((call) => !isRemoved(call)),
          );
          deepEqual([...all].filter((id) => !left.has(id)).sort(), [...freed].sort());
          deepEqual([cut.bytes, cut.calls], [bytesOf(freed), calls.filter(isRemoved).length]);
          ok(cut.bytes >= goal && needed.every((id) => !freed.has(id)));
          // Each part by itself frees its own methods and no others.
          const parts = partsOfCut(graph, cut.freed);
          for (const part of new Set(parts.filter((id) => id >= 0))) {
            const partMethods = new Set(
              [...parts.keys()].filter((id) => parts[id] === part).map((id) => graph.functions[id] ?? -1),
            );
            const others = calls.filter((call) => !(isRemoved(call) && partMethods.has(call.callee)));
            const stays = reached(drawn, others);
            deepEqual([...all].filter((id) => !stays.has(id)).sort(), [...partMethods].sort());
          }
          return undefined;
        },
      ),
      runs(1000),
    ));
});
