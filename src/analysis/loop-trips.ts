/**
 * How often the body of a loop ran each time the loop was entered, from the counts of the branches that leave it.
 *
 *   entries     a loop that was entered is left once: the sum of its ways out
 *   begun       iterations, counted at a branch that each of them passes once, and those that left before it
 *   iterations  of a loop that is checked at its head all but those where the check said no
 *
 * Counts are put together by execution context; only contexts are used in which all these branches were counted, as one
 * that is missing is not one that was never reached. What leaves by an exception nobody catches inside is not counted.
 */
import type { ControlFlow } from '../code/java/flow.js';
import { type Way, waysOf } from '../code/java/ways.js';

/** A branch of a loop, with those of its ways that lead out. */
interface Exit {
  readonly bci: number;
  readonly ways: readonly number[];
  readonly block: number;
}

export interface LoopShape {
  readonly exits: readonly Exit[];
  /** A branch that every iteration passes once, and the exits that lie before it. */
  readonly counter: { readonly bci: number; readonly before: readonly Exit[] };
  /** The checks at the head of a loop that is checked there: one that says no ends the loop before its body. */
  readonly head: readonly Exit[];
}

/**
 * What must be known of a loop to count its iterations; undefined where branches cannot tell. `isCondition`: whether the
 * branch at the end of a block is part of the loop's condition.
 */
export function loopShape(
  flow: ControlFlow,
  index: number,
  isCondition: (block: number) => boolean,
): LoopShape | undefined {
  const loop = flow.loops[index];
  if (loop === undefined) return undefined;
  const exits: Exit[] = [];
  for (const block of loop.blocks) {
    const { last, successors } = flow.blocks[block];
    const ways = waysOf(last);
    const out = [...ways.keys()].filter((way) => isOutside(flow, loop.blocks, ways[way]));
    if (out.length > 0) exits.push({ bci: last.bci, ways: out, block });
    // A jump or return out of it, which is part of the loop for its handler only, is counted nowhere.
    const staying = successors.some((to) => loop.blocks.has(to));
    if (ways.length === 0 && !staying && last.kind !== 'athrow') return undefined;
  }
  const counters = [...loop.blocks].filter(
    (block) =>
      flow.loopOf[block] === index &&
      waysOf(flow.blocks[block].last).length > 0 &&
      loop.latches.every((latch) => flow.dominates(block, latch)),
  );
  // They dominate one another; the nearest to the head leaves the least before it.
  const [first] = counters.sort((a, b) => (flow.dominates(a, b) ? -1 : 1));
  if (first === undefined || exits.length === 0) return undefined;
  const before = exits.filter((exit) => !flow.dominates(first, exit.block));
  const goesRound = flow.blocks[loop.header].successors.includes(loop.header);
  const isHeadChecked = !goesRound && exits.some((exit) => exit.block === loop.header);
  return {
    exits,
    counter: { bci: flow.blocks[first].last.bci, before },
    head: isHeadChecked ? exits.filter((exit) => isCondition(exit.block)) : [],
  };
}

function isOutside(flow: ControlFlow, blocks: ReadonlySet<number>, way: Way): boolean {
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
  const passed = counts(shape.counter.bci)?.reduce((all, count) => all + count, 0) ?? Number.NaN;
  const entries = sum(shape.exits);
  const iterations = passed + sum(shape.counter.before) - sum(shape.head);
  if (Number.isNaN(entries + iterations)) return false;
  trips.entries += entries;
  trips.iterations += iterations;
  return true;
}
