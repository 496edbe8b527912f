/**
 * Finds recorded branches in their code: the instruction of a branch, its role in the loops around it, and which
 * outcome each recorded target is (`code/java/flow/ways.ts`).
 */
import type { Instruction } from '../../code/java/class-file/instructions.js';
import { reachedBlocks, waysFrom } from '../../code/java/flow/graph.js';
import { assignTargets, type Way, waysOf } from '../../code/java/flow/ways.js';
import { bciOf } from '../../models/program/places.js';
import type { LocationId, Program } from '../../models/program/program.js';
import { isFinding, type MethodCode, type ProgramCode, type SiteFinding } from './method-code.js';

/**
 * `loop condition`: decides at the head or the end of a loop whether it continues. `loop exit`: leaves a loop from its
 * middle. `condition` and `switch`: all others.
 */
export const BRANCH_ROLES = ['loop condition', 'loop exit', 'condition', 'switch'] as const;
export type BranchRole = (typeof BRANCH_ROLES)[number];

export interface BranchWay extends Way {
  /** Whether this outcome leaves the innermost loop around the branch. */
  readonly leaves: boolean;
  /** Source line of the target. */
  readonly line: number | undefined;
}

/** A branch of the code. */
export interface BranchCode {
  readonly method: MethodCode;
  readonly instruction: Instruction;
  readonly line: number | undefined;
  readonly block: number;
  /** Innermost loop around it, -1 if none. */
  readonly loop: number;
  readonly role: BranchRole;
  readonly ways: readonly BranchWay[];
}

/** The branches of a program in the code of its functions, each found once. */
export class ProgramBranches {
  readonly #code: ProgramCode;
  readonly #program: Program;
  readonly #known = new Map<MethodCode, Map<number, BranchCode | SiteFinding>>();

  constructor(code: ProgramCode, program: Program) {
    this.#code = code;
    this.#program = program;
  }

  /** The branch at a place, or the reason why there is none. */
  at(location: LocationId): BranchCode | SiteFinding {
    const method = this.#code.at(location);
    if (isFinding(method)) return method;
    const known = this.#known.get(method) ?? new Map<number, BranchCode | SiteFinding>();
    this.#known.set(method, known);
    const bci = bciOf(this.#program, location);
    const branch = known.get(bci) ?? branchIn(method, bci);
    known.set(bci, branch);
    return branch;
  }
}

function branchIn(method: MethodCode, bci: number): BranchCode | SiteFinding {
  const instruction = method.instructions.at(bci);
  const branch = instruction === undefined ? undefined : branchOf(method, instruction);
  return (
    branch ?? { reason: 'other instruction', text: `BCI ${bci} is ${instruction?.mnemonic ?? 'nothing'}, not a branch` }
  );
}

/** Whether one call of the method can reach a branch more than once, through loops or exception handlers. */
export function mayRepeat({ method: { flow }, block }: BranchCode): boolean {
  return reachedBlocks(flow.blocks, waysFrom(flow.blocks[block])).has(block);
}

/** The branch of an instruction in its method; undefined if it is not a branch. */
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
 * Whether the branch that ends a block decides, at the head or the end of a loop, whether the loop continues. Compound
 * conditions have further branches before or after the one that leaves (`a && b`, `check(i < n)`): those on its line
 * count, too.
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
 * The outcome of each target of one recorded entry, by BCI, as an index into the branch's outcomes; or the reason why
 * the targets do not belong to this branch. A target that is not in this code (a mark, a place in an inlined method)
 * gets -1 unless the other targets determine it.
 */
export function waysTaken(branch: BranchCode, targets: readonly number[]): readonly number[] | SiteFinding {
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
