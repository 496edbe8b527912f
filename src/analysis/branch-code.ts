/**
 * Recorded branches on their code: the instruction of a branch, its role in the loops around it, and which way each
 * recorded target is (`code/java/ways.ts`).
 */
import type { ControlFlow } from '../code/java/flow.js';
import type { Instruction } from '../code/java/instructions.js';
import { assignTargets, type Way, waysOf } from '../code/java/ways.js';
import type { LocationId, Program } from '../models/program/program.js';
import { isMisfit, type MethodCode, type Misfit, type ProgramCode } from './method-code.js';

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
export function branchAt(code: ProgramCode, program: Program, location: LocationId): BranchCode | Misfit {
  const method = code.at(location);
  if (isMisfit(method)) return method;
  const bci = program.locations.bci[location];
  const instruction = method.flow.instructions.get(bci);
  const branch = instruction === undefined ? undefined : branchOf(method, instruction);
  return (
    branch ?? { reason: 'other instruction', text: `BCI ${bci} is ${instruction?.mnemonic ?? 'nothing'}, no branch` }
  );
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
  if (ways.some((way) => way.leaves))
    return isLoopCondition(method, method.flow.loopOf[block], block) ? 'loop condition' : 'loop exit';
  return instruction.kind === 'if' ? 'condition' : 'switch';
}

/** Whether a branch that leaves a loop is its condition or a part of that. */
export function isLoopCondition({ flow, code }: MethodCode, loop: number, block: number): boolean {
  const { header, latches } = flow.loops[loop];
  if (flow.loopOf[block] !== loop) return false;
  const deciding = [header, ...latches].filter((each) => decides(flow, loop, each));
  // Of a condition of several parts (a && b) each has a branch of its own, on the line of the one that decides.
  const line = code.lineAt(flow.blocks[block].last.bci);
  return deciding.some(
    (each) => each === block || (line !== undefined && code.lineAt(flow.blocks[each].last.bci) === line),
  );
}

/** Whether the head or a foot of a loop ends with a branch that leaves it. */
function decides(flow: ControlFlow, loop: number, block: number): boolean {
  const { successors, last } = flow.blocks[block];
  return waysOf(last).length > 0 && successors.some((to) => !flow.loops[loop].blocks.has(to));
}

/**
 * The way of each of the targets that one entry of a recording has, by their BCIs, as an index into the branch's ways; or
 * why they are none of this branch. A target that is no place of this code (a mark, a place in an inlined method) gets -1
 * where the others do not tell.
 */
export function waysTaken(branch: BranchCode, targets: readonly number[]): readonly number[] | Misfit {
  const { instruction, ways, method } = branch;
  if (targets.length > ways.length)
    return {
      reason: 'too many ways',
      text: `${targets.length} ways are recorded, ${instruction.mnemonic} at BCI ${instruction.bci} has ${ways.length}`,
    };
  const assigned = assignTargets(method.flow, instruction, targets);
  const stray = targets.find((_, place) => assigned[place] === 'stray');
  if (stray !== undefined)
    return {
      reason: 'other target',
      text: `target ${stray} lies on a way of ${instruction.mnemonic} that another target has`,
    };
  return assigned.map((way) => (way === 'stray' ? -1 : way));
}
