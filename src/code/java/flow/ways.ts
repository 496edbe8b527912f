/**
 * The outcomes (ways) of a branch instruction, and which of them a recorded target belongs to. Recorders name a target
 * by a BCI on the way: its first instruction, or the first one that the compiler kept (after an inlined call or a
 * `goto`). A way is identified by its first BCI, else by code that only it reaches, else by elimination.
 */
import { addToList } from '../../../base/columns/lists.js';
import type { InstructionList } from '../class-file/instruction-list.js';
import {
  type Bytecode,
  decodeInstruction,
  type Instruction,
  instructionLength,
  isBranch,
} from '../class-file/instructions.js';
import { kindOfOpcode } from '../class-file/opcodes.js';
import { type FlowGraph, reachedBlocks } from './graph.js';
import { destinations } from './successors.js';

/** `taken`: jumped. `through`: went on to the next instruction. `case`: of a switch; has its default too where `keys` share it. */
export const WAY_KINDS = ['taken', 'through', 'case', 'default'] as const;
export type WayKind = (typeof WAY_KINDS)[number];

export interface Way {
  readonly kind: WayKind;
  /** First BCI of the way. */
  readonly bci: number;
  /** Keys of a switch that go this way, ascending. */
  readonly keys: readonly number[];
  /** Of a switch: the default. */
  readonly isDefault: boolean;
}

/** The ways of a branch in the order of its code: jump and fall-through; cases by smallest key, then default. */
export function waysOf(instruction: Instruction): Way[] {
  const next = instruction.bci + instruction.length;
  if (instruction.kind === 'if') {
    const way = { keys: [], isDefault: false };
    return [
      { kind: 'taken', bci: instruction.targets[0] ?? next, ...way },
      { kind: 'through', bci: next, ...way },
    ];
  }
  if (!isBranch(instruction)) return [];
  const keys = new Map<number, number[]>();
  for (const [place, bci] of instruction.targets.entries()) {
    addToList(keys, bci, instruction.keys[place]);
  }
  const { defaultTarget } = instruction;
  // Gaps in a tableswitch go to its default: they are not cases in the source.
  if (instruction.kind === 'tableswitch') keys.delete(defaultTarget);
  const shared = keys.get(defaultTarget);
  keys.delete(defaultTarget);
  const cases = [...keys].map(([bci, of]): Way => ({ kind: 'case', bci, keys: of, isDefault: false }));
  return [...cases, { kind: 'default', bci: defaultTarget, keys: shared ?? [], isDefault: true }];
}

/**
 * For each target BCI the index of its way; -1 if unknown, `stray` if it lies on a way that begins with another target.
 * Targets are of one execution context, and each is a different way of the branch.
 */
export function assignTargets(flow: FlowGraph, branch: Instruction, targets: readonly number[]): (number | 'stray')[] {
  const ways = waysOf(branch);
  const assigned: (number | 'stray')[] = targets.map((bci) => ways.findIndex((way) => way.bci === bci));
  const exact = new Set(assigned);
  if (exact.has(-1)) {
    const from = flow.blockAt(branch.bci);
    const reached = ways.map((way) => reachedBlocks(flow.blocks, [flow.blockAt(way.bci)], from));
    for (const [place, bci] of targets.entries()) {
      if (assigned[place] !== -1) continue;
      const way = onlyOne(reached, flow.blockAt(bci));
      assigned[place] = way >= 0 && exact.has(way) ? 'stray' : way;
    }
  }
  // Two targets of an `if` cannot be one way, and it is unknown which of them is wrong.
  if (branch.kind === 'if' && assigned.length > 1 && new Set(assigned).size === 1) return assigned.map(() => -1);
  takeLastWay(assigned, ways.length);
  return assigned;
}

/** If there are as many targets as ways and one is unassigned, it gets the remaining way. */
function takeLastWay(assigned: (number | 'stray')[], ways: number): void {
  const left = Array.from({ length: ways }, (_, way) => way).filter((way) => !assigned.includes(way));
  const unknown = assigned.filter((way) => way === -1).length;
  if (assigned.length === ways && unknown === 1 && left.length === 1) assigned[assigned.indexOf(-1)] = left[0];
}

/** The index of the one set that has the block; -1 if none or several have it. */
function onlyOne(reached: readonly ReadonlySet<number>[], block: number): number {
  if (block < 0) return -1;
  const having = [...reached.keys()].filter((way) => reached[way].has(block));
  return having.length === 1 ? having[0] : -1;
}

/**
 * For each target BCI the index of the way that begins or lands there, -1 if none does. `starts`: first BCIs of the
 * ways. Unlike `assignTargets`, it does not search beyond the first instructions of a way.
 */
export function landOnWays(
  instructions: InstructionList,
  starts: readonly number[],
  targets: readonly number[],
): number[] {
  const landings = starts.map((bci) => landing(instructions, bci));
  const assigned = targets.map((bci) => {
    if (bci < 0) return -1;
    const at = landing(instructions, bci);
    return starts.findIndex((start, way) => start === bci || landings[way] === at);
  });
  takeLastWay(assigned, starts.length);
  return assigned;
}

/** The target of a way that begins with only jumps: recorders use either BCI. */
function landing(instructions: InstructionList, bci: number): number {
  let at = bci;
  for (let steps = 0; steps < instructions.all.length; steps++) {
    const instruction = instructions.at(at);
    const [to] = instruction?.kind === 'goto' ? instruction.targets : [];
    if (to === undefined) break;
    at = to;
  }
  return at;
}

/**
 * Calls `visit` for each branch of a method with its number of distinct targets, unless that is one; ends at damaged
 * code. Fast enough for all classes of a JDK.
 */
export function eachBranch(code: Bytecode, visit: (bci: number, ways: number) => void): void {
  for (let bci = 0; bci < code.length; ) {
    const length = instructionLength(code, bci);
    if (typeof length === 'string') return;
    if (isBranch({ kind: kindOfOpcode(code.file[code.start + bci]) })) {
      const instruction = decodeInstruction(code, bci);
      if (typeof instruction === 'string') return;
      const ways = new Set(destinations(instruction)).size;
      if (ways > 1) visit(bci, ways);
    }
    bci += length;
  }
}
