/**
 * Control flow of a method: basic blocks, which block dominates which, natural loops.
 *
 *   header ◄───────┐   A loop is what lies on the ways from its header round to it again. Its header dominates all of
 *     │  ╲         │   it; the jump back to the header is the latch. Cycles that are entered at several places (no
 *   body  way out  │   compiler of Java makes them) are no loops here.
 *     └── latch ───┘
 *
 * An exception may be thrown anywhere in the range of a handler, so such edges count for domination. They never close a
 * loop: javac's handlers of `finally` and `synchronized` cover themselves. Nor does a block belong to a loop because an
 * exception in it would lead back, unless throwing is how it ends.
 *
 * Cost: one pass over the code, dominators by iteration over the blocks in reverse postorder (Cooper, Harvey, Kennedy).
 */

import type { ExceptionEntry } from '../class-file/code.js';
import { type Bytecode, eachInstruction, type Instruction } from '../class-file/instructions.js';
import { BlockSet } from './block-set.js';

/** What the flow of a method follows from. */
export interface FlowingCode extends Bytecode {
  readonly exceptions: readonly Pick<ExceptionEntry, 'start' | 'end' | 'handler'>[];
}

export interface Block {
  /** BCI of its first instruction. */
  readonly start: number;
  /** BCI behind its last instruction. */
  readonly end: number;
  readonly last: Instruction;
  /** Blocks that it goes to, of an `if` the one jumped to first; of a switch each once. */
  readonly successors: readonly number[];
  /** Blocks that catch what is thrown in it. */
  readonly handlers: readonly number[];
}

export interface Loop {
  readonly header: number;
  readonly blocks: BlockSet;
  /** Blocks that jump back to the header. */
  readonly latches: readonly number[];
  /** Loop around it, -1 where there is none. */
  readonly parent: number;
}

export interface ControlFlow {
  readonly instructions: ReadonlyMap<number, Instruction>;
  readonly blocks: readonly Block[];
  /** By the BCIs of their headers. */
  readonly loops: readonly Loop[];
  /** The innermost loop that a block belongs to, -1 where it belongs to none. */
  readonly loopOf: Int32Array;
  /** The block that holds a BCI, -1 where there is no code that was decoded. */
  blockAt(bci: number): number;
  /** Whether every way from the entry to block `to` goes through block `by`; false for blocks nothing leads to. */
  dominates(by: number, to: number): boolean;
}

/**
 * Handlers times bytes of code that are followed: what each block may throw to is a list. The most that a method of
 * JDK 17 has is 276,320; a made one of the largest size would take minutes.
 */
const MOST_COVERED = 1 << 24;

/** Whether a method has not more exception handlers than can be followed. */
export function isFollowable({ exceptions, length }: FlowingCode): boolean {
  return exceptions.length * length <= MOST_COVERED;
}

/** The control flow of a method; where its code is damaged, of what was decoded. */
export function controlFlow(code: FlowingCode): ControlFlow {
  const instructions = new Map<number, Instruction>();
  eachInstruction(code, (instruction) => instructions.set(instruction.bci, instruction));
  const starts = blockStarts(code, instructions);
  const blockAt = (bci: number): number => {
    const index = lastAtOrBefore(starts, bci);
    return index >= 0 && bci < (blocks[index]?.end ?? 0) ? index : -1;
  };
  const blocks = blocksOf(code, instructions, starts);
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
  return { instructions, blocks, loops, loopOf, blockAt, dominates };
}

/** BCIs that an instruction goes to: of an `if` where it jumps to, then the next one. */
function successorsOf(instruction: Instruction): number[] {
  const next = instruction.bci + instruction.length;
  switch (instruction.kind) {
    case 'if':
    case 'jsr':
      return [...instruction.targets, next];
    case 'goto':
      return [...instruction.targets];
    case 'tableswitch':
    case 'lookupswitch':
      return [...new Set([...instruction.targets, instruction.defaultTarget])];
    case 'return':
    case 'athrow':
    case 'ret':
      return [];
    default:
      return [next];
  }
}

/** First BCIs of the blocks, rising. Ranges of handlers begin and end between blocks. */
function blockStarts(code: FlowingCode, instructions: ReadonlyMap<number, Instruction>): number[] {
  const starts = new Set<number>([0]);
  for (const instruction of instructions.values()) {
    const next = instruction.bci + instruction.length;
    const [only, ...more] = successorsOf(instruction);
    if (only === next && more.length === 0) continue;
    for (const to of successorsOf(instruction)) starts.add(to);
    starts.add(next);
  }
  for (const { start, end, handler } of code.exceptions) for (const bci of [start, end, handler]) starts.add(bci);
  return [...starts].filter((bci) => instructions.has(bci)).sort((a, b) => a - b);
}

function blocksOf(
  code: FlowingCode,
  instructions: ReadonlyMap<number, Instruction>,
  starts: readonly number[],
): Block[] {
  const lasts: Instruction[] = [];
  let at = -1;
  for (const instruction of instructions.values()) {
    if (instruction.bci === starts[at + 1]) at++;
    lasts[at] = instruction;
  }
  const indexes = new Map(starts.map((bci, index) => [bci, index]));
  const known = (bcis: readonly number[]): number[] => {
    const found = bcis.map((bci) => indexes.get(bci)).filter((index) => index !== undefined);
    return [...new Set(found)];
  };
  return lasts.map((last, index) => {
    const start = starts[index];
    const covering = code.exceptions.filter((entry) => entry.start <= start && start < entry.end);
    return {
      start,
      end: last.bci + last.length,
      last,
      successors: known(successorsOf(last)),
      handlers: known(covering.map((entry) => entry.handler)),
    };
  });
}

function lastAtOrBefore(rising: readonly number[], value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

interface Order {
  /** Blocks that the entry leads to, each before those that it dominates. */
  readonly blocks: readonly number[];
  /** Place of a block in them, -1 where nothing leads to it. */
  readonly number: Int32Array;
}

/** Reverse postorder of a walk into the depth. */
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

function waysFrom(block: Block): readonly number[] {
  return block.handlers.length === 0 ? block.successors : [...block.successors, ...block.handlers];
}

/** Of the blocks that the entry leads to. */
function predecessorsOf(blocks: readonly Block[], order: Order, ways: (block: Block) => readonly number[]): number[][] {
  const predecessors: number[][] = blocks.map(() => []);
  for (const from of order.blocks) for (const to of ways(blocks[from])) predecessors[to].push(from);
  return predecessors;
}

/** For each block the nearest other one that dominates it; -1 for the entry and where nothing leads to. */
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
      if (!dominates(to, from)) continue;
      const known = latches.get(to);
      if (known === undefined) latches.set(to, [from]);
      else known.push(from);
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

/** The header and all that leads to the latches without going through it. */
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
