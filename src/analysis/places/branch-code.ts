/**
 * Recorded branches on their code: the instruction of a branch, its role in the loops around it, and which way each
 * recorded target is (`code/java/flow/ways.ts`).
 */
import type { Instruction } from '../../code/java/class-file/instructions.js';
import { reachedBlocks, waysFrom } from '../../code/java/flow/graph.js';
import { assignTargets, type Way, waysOf } from '../../code/java/flow/ways.js';
import { bciOf } from '../../models/program/places.js';
import type { LocationId, Program } from '../../models/program/program.js';
import { type Finding, isFinding, type MethodCode, type ProgramCode } from './method-code.js';

/**
 * `loop condition`: decides at the head or the foot of a loop whether it goes on. `loop exit`: leaves a loop from its middle.
 * `condition` and `switch`: all else.
 */
export const BRANCH_ROLES = ['loop condition', 'loop exit', 'condition', 'switch'] as const;
export type BranchRole = (typeof BRANCH_ROLES)[number];

export interface BranchWay extends Way {
  /** Whether it leads out of the innermost loop around the branch. */
  readonly leaves: boolean;
  /** Source line of where it begins. */
  readonly line: number | undefined;
}

/** A branch of the code. */
export interface BranchCode {
  readonly method: MethodCode;
  readonly instruction: Instruction;
  readonly line: number | undefined;
  readonly block: number;
  /** Innermost loop around it, -1 where there is none. */
  readonly loop: number;
  readonly role: BranchRole;
  readonly ways: readonly BranchWay[];
}

/** The branch at a place, or why there is none. */
export function branchAt(code: ProgramCode, program: Program, location: LocationId): BranchCode | Finding {
  const method = code.at(location);
  if (isFinding(method)) return method;
  const bci = bciOf(program, location);
  const instruction = method.instructions.at(bci);
  const branch = instruction === undefined ? undefined : branchOf(method, instruction);
  return (
    branch ?? { reason: 'other instruction', text: `BCI ${bci} is ${instruction?.mnemonic ?? 'nothing'}, not a branch` }
  );
}

/** Whether a call of the method can come to a branch more than once, by whatever way: loops, and exceptions that lead back. */
export function mayRepeat({ method: { flow }, block }: BranchCode): boolean {
  return reachedBlocks(flow.blocks, waysFrom(flow.blocks[block])).has(block);
}

/** What a branch instruction is in its method; undefined for what is no branch. */
export function branchOf(method: MethodCode, instruction: Instruction): BranchCode | undefined {
  const { flow, code } = method;
  const block = flow.blockAt(instruction.bci);
  const loop = flow.loopOf[block] ?? -1;
  const inside = flow.loops[loop]?.blocks;
  const ways = waysOf(instruction).map((way) => ({
    ...way,
    leaves: inside !== undefined && !inside.has(flow.blockAt(way.bci)),
    line: code.lineAt(way.bci),
  }));
  if (ways.length === 0) return undefined;
  const line = code.lineAt(instruction.bci);
  return { method, instruction, line, block, loop, ways, role: roleOf(method, instruction, ways, block) };
}

function roleOf(method: MethodCode, instruction: Instruction, ways: readonly BranchWay[], block: number): BranchRole {
  if (ways.some((way) => way.leaves) && ways.some((way) => !way.leaves))
    return loopCheck(method, method.flow.loopOf[block], block) === undefined ? 'loop exit' : 'loop condition';
  return instruction.kind === 'if' ? 'condition' : 'switch';
}

/**
 * Whether the branch that ends a block decides at the head or the foot of a loop that it goes on. Conditions have further
 * branches before the one that leaves, or after it (`a && b`, `check(i < n)`): they are on its line.
 */
export function loopCheck({ flow, code }: MethodCode, index: number, block: number): 'head' | 'foot' | undefined {
  const loop = flow.loops[index];
  const leaves = (each: number): boolean => flow.blocks[each].successors.some((to) => !loop.blocks.has(to));
  if (flow.loopOf[block] !== index || !leaves(block)) return undefined;
  const lineOf = (each: number): number => code.lineAt(flow.blocks[each].last.bci) ?? -1;
  const line = lineOf(block);
  const isFoot = (each: number): boolean => leaves(each) && flow.blocks[each].successors.includes(loop.header);
  if (isFoot(block) || loop.latches.some((each) => isFoot(each) && line >= 0 && lineOf(each) === line)) return 'foot';
  const isHead = block === loop.header || (line >= 0 && code.lineAt(flow.blocks[loop.header].start) === line);
  return isHead ? 'head' : undefined;
}

/**
 * The way of each of the targets that one entry of a recording has, by their BCIs, as an index into the branch's ways; or
 * why they are none of this branch. A target that is no place of this code (a mark, a place in an inlined method) gets -1
 * where the others do not tell.
 */
export function waysTaken(branch: BranchCode, targets: readonly number[]): readonly number[] | Finding {
  const { instruction, ways, method } = branch;
  if (targets.length > ways.length)
    return {
      reason: 'too many ways',
      text: `${targets.length} outcomes are recorded, ${instruction.mnemonic} at BCI ${instruction.bci} has ${ways.length}`,
    };
  const assigned = assignTargets(method.flow, instruction, targets);
  const stray = targets.find((_, place) => assigned[place] === 'stray');
  if (stray !== undefined)
    return {
      reason: 'other target',
      text: `target ${stray} is on the same outcome of ${instruction.mnemonic} as another target`,
    };
  return assigned.map((way) => (way === 'stray' ? -1 : way));
}
