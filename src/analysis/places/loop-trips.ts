/**
 * How often the body of a loop ran each time the loop was entered, from the counts of the branches that leave it.
 *
 *   entries     a loop that was entered is left once: the sum of its ways out
 *   begun       iterations, counted at a branch that each of them passes once, and those that left before it
 *   iterations  of a loop that is checked at its head all but those where the check said no
 *
 * Counts are put together by execution context; only contexts are used in which all these branches were counted, as one
 * that is missing is not one that was never reached. What exceptions do is not counted: what leaves a loop by one is
 * missing among the entries, and what stays in it by one, after a branch sent it out, is one entry too many.
 */
import type { BlockSet } from '../../code/java/flow/block-set.js';
import type { ControlFlow } from '../../code/java/flow/loops.js';
import { type Way, waysOf } from '../../code/java/flow/ways.js';

/** A branch of a loop, with those of its ways that lead out. */
interface Exit {
  readonly bci: number;
  readonly ways: readonly number[];
  readonly block: number;
}

export interface LoopShape {
  readonly exits: readonly Exit[];
  /** Branches that every iteration passes once, with the exits that lie before each; any one of them will do. */
  readonly counters: readonly { readonly bci: number; readonly before: readonly Exit[] }[];
  /** The checks at the head of a loop that is checked there: one that says no ends the loop before its body. */
  readonly head: readonly Exit[];
}

/**
 * What must be known of a loop to count its iterations; undefined where branches cannot tell. `isHeadCheck`: whether the
 * branch at the end of a block decides at the head of the loop.
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

/** How often each way of a branch was taken in one context; undefined where it was not counted, or not told which way. */
export type WayCounts = (bci: number) => readonly number[] | undefined;

export interface Trips {
  iterations: number;
  entries: number;
}

/** Adds what one context tells; false where not all branches of the loop were counted in it. */
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
