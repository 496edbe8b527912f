/**
 * The graph of a method for counting. It has exception edges where counts can follow them: a block ends after each
 * instruction that throws into a handler from which the method continues, with an edge to that handler. Exceptions that
 * leave the method are ignored, and a handler that only rethrows has no incoming edge.
 *
 * Cost: a pass over the instructions, and one for each handler; `isFollowable` bounds it.
 */
import type { ExceptionEntry } from '../class-file/code.js';
import { InstructionList } from '../class-file/instruction-list.js';
import { type Instruction, isCall, isSwitch } from '../class-file/instructions.js';
import { OPCODE } from '../class-file/opcodes.js';
import {
  coveringHandlers,
  type ExceptionEdges,
  type FlowGraph,
  type FlowingCode,
  flowGraph,
  isFollowable,
} from './graph.js';
import { Successors } from './successors.js';

/** Inputs of the flow; `catchIndex` 0 marks the handlers that javac makes of a `finally`. */
export interface ThrowingCode extends FlowingCode {
  readonly exceptions: readonly Pick<ExceptionEntry, 'start' | 'end' | 'handler' | 'catchIndex'>[];
}

export interface ThrowFlow extends FlowGraph {
  /** The same for the rows of its instructions, without exceptions. */
  readonly successors: Successors;
  /** First blocks of the handlers that only rethrow. */
  readonly rethrowing: readonly number[];
  /** 1 for blocks reachable without those. */
  readonly counted: Uint8Array;
  /** 1 for blocks that run only while an exception leaves the method: the copies that javac makes of a `finally`. */
  readonly leaving: Uint8Array;
}

/**
 * Undefined if the code cannot be followed: damaged, too many handlers, or subroutines (`jsr`), which javac produced up
 * to 1.4.
 */
export function throwFlow(code: ThrowingCode): ThrowFlow | undefined {
  if (!isFollowable(code)) return undefined;
  const instructions = new InstructionList(code);
  if (!isWhole(code, instructions)) return undefined;
  const successors = new Successors(instructions);
  const handlers = new Set(code.exceptions.map(({ handler }) => handler));
  const returning = returningHandlers(handlers, instructions, successors);
  const graph = flowGraph(instructions, throwEdges(code, instructions, handlers, returning), successors);
  const reached = (bcis: Iterable<number>): Uint8Array => {
    const rows = successors.reached(Array.from(bcis, (bci) => instructions.row(bci)));
    return Uint8Array.from(graph.blocks, ({ start }) => rows[instructions.row(start)]);
  };
  const rethrowing = [...handlers].filter((handler) => !returning.has(handler));
  const finallys = code.exceptions.filter(({ catchIndex, handler }) => catchIndex === 0 && !returning.has(handler));
  return {
    ...graph,
    successors,
    rethrowing: rethrowing.map((bci) => graph.blockAt(bci)),
    counted: reached([0, ...returning]),
    leaving: reached(finallys.map(({ handler }) => handler)),
  };
}

function isWhole({ exceptions }: ThrowingCode, instructions: InstructionList): boolean {
  const { all, problem } = instructions;
  if (problem !== undefined || all.length === 0) return false;
  if (exceptions.some(({ handler }) => !instructions.has(handler))) return false;
  return all.every((instruction) => {
    const { kind, targets, defaultTarget } = instruction;
    if (kind === 'jsr' || kind === 'ret') return false;
    return targets.every((bci) => instructions.has(bci)) && (!isSwitch(instruction) || instructions.has(defaultTarget));
  });
}

/** Handlers from which the method can return or loop forever: not those that only rethrow. */
function returningHandlers(
  handlers: ReadonlySet<number>,
  instructions: InstructionList,
  successors: Successors,
): ReadonlySet<number> {
  if (handlers.size === 0) return handlers;
  const usual = successors.reached([0]);
  return new Set(
    [...handlers].filter((handler) => {
      const reached = successors.reached([instructions.row(handler)]);
      return instructions.all.some(({ kind }, row) => reached[row] === 1 && (kind === 'return' || usual[row] === 1));
    }),
  );
}

function throwEdges(
  { exceptions }: ThrowingCode,
  { all }: InstructionList,
  handlers: ReadonlySet<number>,
  returning: ReadonlySet<number>,
): ExceptionEdges {
  const caught = exceptions.filter(({ handler }) => returning.has(handler));
  const catching = (thrower: Instruction): readonly number[] =>
    caught.length > 0 && mayThrow(thrower) ? coveringHandlers(caught, thrower.bci) : [];
  const throwing = caught.length === 0 ? [] : [...all.keys()].filter((row) => catching(all[row]).length > 0);
  return { starts: handlers, ends: throwing, handlers: (_first, last) => catching(last) };
}

/** Instructions with exceptions caused by the program (JVMS 6.5), not by lack of memory or linking. */
function mayThrow(instruction: Instruction): boolean {
  if (isCall(instruction)) return true;
  const { kind, opcode } = instruction;
  switch (kind) {
    case 'getfield':
    case 'putfield':
    case 'newarray':
    case 'new':
    case 'checkcast':
    case 'athrow':
    case 'monitorenter':
      return true;
    default:
      return isArrayAccess(opcode) || isIntegerDivision(opcode);
  }
}

function isArrayAccess(opcode: number): boolean {
  const isLoad = opcode >= OPCODE.iaload && opcode <= OPCODE.saload;
  return isLoad || (opcode >= OPCODE.iastore && opcode <= OPCODE.sastore) || opcode === OPCODE.arraylength;
}

function isIntegerDivision(opcode: number): boolean {
  const { idiv, ldiv, irem, lrem } = OPCODE;
  return opcode === idiv || opcode === ldiv || opcode === irem || opcode === lrem;
}
