/**
 * The control-flow graph of a method: basic blocks and the edges between them. A block ends at an instruction that may
 * not continue to the next one, and before a jump target. Where exceptions end blocks, and which handlers catch them,
 * is chosen by `ExceptionEdges`: everything that may happen, or what can be counted.
 */
import type { ExceptionEntry } from '../class-file/code.js';
import type { InstructionList } from '../class-file/instruction-list.js';
import type { Bytecode, Instruction } from '../class-file/instructions.js';
import { Successors } from './successors.js';

/** Inputs of the control flow of a method. */
export interface FlowingCode extends Bytecode {
  readonly exceptions: readonly Pick<ExceptionEntry, 'start' | 'end' | 'handler'>[];
}

export interface Block {
  /** BCI of its first instruction. */
  readonly start: number;
  /** BCI after its last instruction. */
  readonly end: number;
  readonly last: Instruction;
  /** Successor blocks, each once: of an `if` the one jumped to first, of a switch the cases by their keys. */
  readonly successors: readonly number[];
  /** Blocks that catch its exceptions. */
  readonly handlers: readonly number[];
}

export interface FlowGraph {
  readonly instructions: InstructionList;
  /** In the order of the code. */
  readonly blocks: readonly Block[];
  /** The block of each row of the instructions. */
  readonly blockOf: Int32Array;
  /** The block that a byte of the code is in, -1 for code that was not decoded. */
  blockAt(bci: number): number;
}

/** How exceptions cut the blocks of a method and lead out of them. */
export interface ExceptionEdges {
  /** BCIs at which blocks begin. */
  readonly starts: Iterable<number>;
  /** Rows after which blocks end. */
  readonly ends: Iterable<number>;
  /** BCIs of the handlers that catch exceptions of a block with this first and last instruction. */
  handlers(first: Instruction, last: Instruction): readonly number[];
}

/**
 * Handlers times bytes of code that are followed: each block lists the handlers that catch what it throws. The maximum
 * in JDK 17 is 276,320; an artificial method of the largest size would take minutes.
 */
const MOST_COVERED = 1 << 24;

/** Whether a method has few enough exception handlers to follow. */
export function isFollowable({ exceptions, length }: FlowingCode): boolean {
  return exceptions.length * length <= MOST_COVERED;
}

/** BCIs of the handlers with a range around a BCI. */
export function coveringHandlers(exceptions: FlowingCode['exceptions'], bci: number): number[] {
  const handlers: number[] = [];
  for (const { start, end, handler } of exceptions) if (start <= bci && bci < end) handlers.push(handler);
  return handlers;
}

/**
 * An exception may be thrown anywhere in the range of a handler: ranges begin and end between blocks, and each block
 * throws to all handlers around it.
 */
export function rangeEdges({ exceptions }: FlowingCode): ExceptionEdges {
  return {
    starts: exceptions.flatMap(({ start, end, handler }) => [start, end, handler]),
    ends: [],
    handlers: ({ bci }) => coveringHandlers(exceptions, bci),
  };
}

/** The graph of a method; of damaged code, the decoded part. */
export function flowGraph(
  instructions: InstructionList,
  edges: ExceptionEdges,
  successors = new Successors(instructions),
): FlowGraph {
  const { all } = instructions;
  const blockOf = blocksOfRows(instructions, edges, successors);
  const blocks: Block[] = [];
  for (let row = 0, first = 0; row < all.length; row++) {
    if (row + 1 < all.length && blockOf[row + 1] === blockOf[row]) continue;
    const last = all[row];
    const caught = new Set(edges.handlers(all[first], last));
    const handlers: number[] = [];
    for (const bci of caught) if (instructions.has(bci)) handlers.push(blockOf[instructions.row(bci)]);
    const next = successors.of(row).map((to) => blockOf[to]);
    blocks.push({ start: all[first].bci, end: last.bci + last.length, last, successors: next, handlers });
    first = row + 1;
  }
  return { instructions, blocks, blockOf, blockAt: (bci) => blockOf[instructions.rowAround(bci)] ?? -1 };
}

function blocksOfRows(
  instructions: InstructionList,
  edges: ExceptionEdges,
  { first, to, jumps }: Successors,
): Int32Array {
  const starts = new Uint8Array(first.length);
  for (const bci of edges.starts) if (instructions.has(bci)) starts[instructions.row(bci)] = 1;
  for (const rows of [jumps, edges.ends]) {
    for (const row of rows) {
      starts[row + 1] = 1;
      for (let i = first[row]; i < first[row + 1]; i++) starts[to[i]] = 1;
    }
  }
  const blockOf = new Int32Array(first.length - 1);
  let block = 0;
  for (let row = 0; row < blockOf.length; row++) {
    if (row > 0 && starts[row] === 1) block++;
    blockOf[row] = block;
  }
  return blockOf;
}

/** Blocks that control may reach from a block in one step, exceptions included. */
export function waysFrom({ successors, handlers }: Block): readonly number[] {
  return handlers.length === 0 ? successors : [...successors, ...handlers];
}

/** The blocks reachable from the given ones, these included, without passing the block `closed`. */
export function reachedBlocks(blocks: readonly Block[], from: readonly number[], closed = -1): Set<number> {
  const reached = new Set<number>();
  const waiting = [...from];
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    if (block < 0 || block === closed || reached.has(block)) continue;
    reached.add(block);
    waiting.push(...waysFrom(blocks[block]));
  }
  return reached;
}
