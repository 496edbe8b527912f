/**
 * How often the body of a loop ran each time the loop was entered, from the counts of the branches that leave it.
 *
 *   entries     a loop that was entered is left once: the sum of the outcomes that leave it
 *   begun       iterations, counted at a branch that each of them passes once, and those that left before it
 *   iterations  for a loop with its check at the head: all except those in which the check failed
 *
 * Counts are combined by context. Only contexts in which all these branches were counted are used, since a missing
 * branch may have been reached. Exceptions are not counted: a loop left by an exception has one entry too few, and a
 * loop that continues through a handler, after a branch left it, has one entry too many.
 */
import type { BlockSet } from '../../code/java/flow/block-set.js';
import type { ControlFlow } from '../../code/java/flow/loops.js';
import { type Way, waysOf } from '../../code/java/flow/ways.js';

/** A branch of a loop, with the outcomes that leave the loop. */
interface Exit {
  readonly bci: number;
  readonly ways: readonly number[];
  readonly block: number;
}

export interface LoopShape {
  readonly exits: readonly Exit[];
  /** Branches that every iteration passes once, with the exits before each; any one of them is enough. */
  readonly counters: readonly { readonly bci: number; readonly before: readonly Exit[] }[];
  /** The checks at the head of the loop, if any: if one fails, the loop ends before its body. */
  readonly head: readonly Exit[];
}

/**
 * The branches needed to count the iterations of a loop; undefined if branches cannot count them. `isHeadCheck`:
 * whether the branch at the end of a block decides at the head of the loop.
 */
export function loopShape(
  flow: ControlFlow,
  index: number,
  isHeadCheck: (block: number) => boolean,
): LoopShape | undefined {
  const loop = flow.loops[index];
  if (loop === undefined) return undefined;
  const exits: Exit[] = [];
  for (const block of loop.blocks) {
    const { last } = flow.blocks[block];
    const ways = waysOf(last);
    const out = [...ways.keys()].filter((way) => isOutside(flow, loop.blocks, ways[way]));
    if (out.length > 0) exits.push({ bci: last.bci, ways: out, block });
  }
  const counters = [...loop.blocks].filter(
    (block) =>
      flow.loopOf[block] === index &&
      waysOf(flow.blocks[block].last).length > 0 &&
      loop.latches.every((latch) => flow.dominates(block, latch)),
  );
  if (counters.length === 0 || exits.length === 0) return undefined;
  return {
    exits,
    counters: counters.map((block) => ({
      bci: flow.blocks[block].last.bci,
      before: exits.filter((exit) => !flow.dominates(block, exit.block)),
    })),
    head: exits.filter((exit) => isHeadCheck(exit.block)),
  };
}

function isOutside(flow: ControlFlow, blocks: BlockSet, way: Way): boolean {
  return !blocks.has(flow.blockAt(way.bci));
}

/** Executions of each outcome of a branch in one context; undefined if it was not counted, or an outcome is unknown. */
export type WayCounts = (bci: number) => readonly number[] | undefined;

export interface Trips {
  iterations: number;
  entries: number;
}

/** Adds the counts of one context; returns false if not all branches of the loop were counted in it. */
export function addTrips(trips: Trips, shape: LoopShape, counts: WayCounts): boolean {
  const leaving = (exit: Exit): number => {
    const taken = counts(exit.bci);
    return taken === undefined ? Number.NaN : exit.ways.reduce((sum, way) => sum + (taken[way] ?? 0), 0);
  };
  const sum = (exits: readonly Exit[]): number => exits.reduce((all, exit) => all + leaving(exit), 0);
  const counter = shape.counters.find(({ bci }) => counts(bci) !== undefined);
  if (counter === undefined) return false;
  const passed = counts(counter.bci)?.reduce((all, count) => all + count, 0) ?? 0;
  const entries = sum(shape.exits);
  const iterations = passed + sum(counter.before) - sum(shape.head);
  if (Number.isNaN(entries + iterations)) return false;
  trips.entries += entries;
  trips.iterations += iterations;
  return true;
}
