/**
 * Dominators and natural loops of a method.
 *
 *   header ◄───────┐   A loop is all blocks on ways from its header back to it. Its header dominates all of
 *     │  ╲         │   it; the jump back to the header is the latch. Cycles that are entered at several places (no
 *   body  way out  │   compiler of Java makes them) are no loops here.
 *     └── latch ───┘
 *
 * An exception may be thrown anywhere in the range of a handler, so such edges count for dominance. They never close a
 * loop, since javac's handlers of `finally` and `synchronized` cover themselves. A block does not belong to a loop only
 * because an exception in it would lead back, unless it ends by throwing.
 *
 * Cost: dominators by iteration over the blocks in reverse postorder (Cooper, Harvey, Kennedy).
 */
import { addToList } from '../../../base/columns/lists.js';
import { InstructionList } from '../class-file/instruction-list.js';
import { BlockSet } from './block-set.js';
import { type Block, type FlowGraph, type FlowingCode, flowGraph, rangeEdges, waysFrom } from './graph.js';

export interface Loop {
  readonly header: number;
  readonly blocks: BlockSet;
  /** Blocks that jump back to the header. */
  readonly latches: readonly number[];
  /** Enclosing loop, -1 if none. */
  readonly parent: number;
}

/** The graph of a method, with exceptions anywhere in the ranges of handlers, with its loops. */
export interface ControlFlow extends FlowGraph {
  /** By the BCIs of their headers. */
  readonly loops: readonly Loop[];
  /** The innermost loop of a block, -1 if none. */
  readonly loopOf: Int32Array;
  /** Whether every way from the entry to block `to` goes through block `by`; false for unreachable blocks. */
  dominates(by: number, to: number): boolean;
}

/** The control flow of a method; of damaged code, the decoded part. */
export function controlFlow(code: FlowingCode, instructions = new InstructionList(code)): ControlFlow {
  const graph = flowGraph(instructions, rangeEdges(code));
  const { blocks } = graph;
  const order = depthFirst(blocks);
  const dominators = immediateDominators(blocks, order);
  const dominates = (by: number, to: number): boolean => {
    for (let at = to; at >= 0 && order.number[at] >= 0; at = dominators[at]) if (at === by) return true;
    return false;
  };
  const loops = loopsOf(blocks, order, dominates);
  const loopOf = new Int32Array(blocks.length).fill(-1);
  // Inner loops have fewer blocks than those around them.
  const bySize = [...loops.keys()].sort((a, b) => loops[b].blocks.size - loops[a].blocks.size);
  for (const loop of bySize) for (const block of loops[loop].blocks) loopOf[block] = loop;
  return { ...graph, loops, loopOf, dominates };
}

interface Order {
  /** Reachable blocks, each before those that it dominates. */
  readonly blocks: readonly number[];
  /** Position of a block in them, -1 if unreachable. */
  readonly number: Int32Array;
}

/** Reverse postorder of a depth-first search. */
function depthFirst(blocks: readonly Block[]): Order {
  const number = new Int32Array(blocks.length).fill(-1);
  if (blocks.length === 0) return { blocks: [], number };
  const seen = new Uint8Array(blocks.length);
  const finished: number[] = [];
  const path: { readonly block: number; readonly ways: readonly number[]; next: number }[] = [];
  const enter = (block: number): void => {
    seen[block] = 1;
    path.push({ block, ways: waysFrom(blocks[block]), next: 0 });
  };
  enter(0);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const to = top.ways[top.next++];
    if (to === undefined) {
      finished.push(top.block);
      path.pop();
    } else if (seen[to] === 0) enter(to);
  }
  finished.reverse();
  for (const [place, block] of finished.entries()) number[block] = place;
  return { blocks: finished, number };
}

/** Of the reachable blocks. */
function predecessorsOf(blocks: readonly Block[], order: Order, ways: (block: Block) => readonly number[]): number[][] {
  const predecessors: number[][] = blocks.map(() => []);
  for (const from of order.blocks) for (const to of ways(blocks[from])) predecessors[to].push(from);
  return predecessors;
}

/** For each block the nearest other one that dominates it; -1 for the entry and unreachable blocks. */
function immediateDominators(blocks: readonly Block[], order: Order): Int32Array {
  const { number } = order;
  const predecessors = predecessorsOf(blocks, order, waysFrom);
  const dominators = new Int32Array(blocks.length).fill(-1);
  const common = (a: number, b: number): number => {
    while (a !== b) {
      while (number[a] > number[b]) a = dominators[a];
      while (number[b] > number[a]) b = dominators[b];
    }
    return a;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of order.blocks.slice(1)) {
      let best = -1;
      for (const from of predecessors[block]) {
        if (from !== 0 && dominators[from] < 0) continue;
        best = best < 0 ? from : common(best, from);
      }
      if (dominators[block] === best) continue;
      dominators[block] = best;
      changed = true;
    }
  }
  return dominators;
}

function loopsOf(blocks: readonly Block[], order: Order, dominates: (by: number, to: number) => boolean): Loop[] {
  const latches = new Map<number, number[]>();
  for (const from of order.blocks) {
    for (const to of blocks[from].successors) {
      if (dominates(to, from)) addToList(latches, to, from);
    }
  }
  const predecessors = predecessorsOf(blocks, order, ({ successors, handlers, last }) =>
    last.kind === 'athrow' ? handlers : successors,
  );
  const found = [...latches].sort(([a], [b]) => a - b);
  const bodies = found.map(([header, from]) => bodyOf(header, from, predecessors));
  return found.map(([header, from], index) => ({
    header,
    blocks: bodies[index],
    latches: from,
    parent: smallestAround(header, index, bodies),
  }));
}

/** The header and all blocks that reach the latches without passing it. */
function bodyOf(header: number, latches: readonly number[], predecessors: readonly (readonly number[])[]): BlockSet {
  const body = new BlockSet(predecessors.length);
  body.add(header);
  const waiting = [...latches];
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    if (body.has(block)) continue;
    body.add(block);
    waiting.push(...predecessors[block]);
  }
  return body;
}

function smallestAround(header: number, self: number, bodies: readonly BlockSet[]): number {
  let best = -1;
  for (const [index, body] of bodies.entries())
    if (index !== self && body.has(header) && (best < 0 || body.size < bodies[best].size)) best = index;
  return best;
}
