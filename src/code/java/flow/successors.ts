/** Successors of an instruction, without exceptions (JVMS 6.5). */
import type { InstructionList } from '../class-file/instruction-list.js';
import type { Instruction } from '../class-file/instructions.js';

/**
 * BCIs that follow an instruction: of an `if` the jump target, then the next one; of a switch its cases by key, then
 * the default. Duplicates are kept.
 */
export function destinations({ kind, bci, length, targets, defaultTarget }: Instruction): readonly number[] {
  switch (kind) {
    case 'if':
    case 'jsr':
      return [...targets, bci + length];
    case 'goto':
      return targets;
    case 'tableswitch':
    case 'lookupswitch':
      return [...targets, defaultTarget];
    case 'return':
    case 'athrow':
    case 'ret':
      return [];
    default:
      return [bci + length];
  }
}

/** Whether control always continues at the next instruction. A `goto` ends its block even if it jumps there. */
export function isStraight(instruction: Instruction): boolean {
  const { kind, bci, length } = instruction;
  switch (kind) {
    case 'if':
    case 'goto':
    case 'jsr':
    case 'return':
    case 'athrow':
    case 'ret':
      return false;
    case 'tableswitch':
    case 'lookupswitch':
      return destinations(instruction).every((to) => to === bci + length);
    default:
      return true;
  }
}

/**
 * The successor rows of each instruction of a method, each once: those of a row are `to[first[row] .. first[row + 1])`.
 * BCIs without an instruction, which only damaged code has, are skipped. Cost: 8 bytes per instruction.
 */
export class Successors {
  readonly first: Int32Array;
  readonly to: readonly number[];
  /** The rows that are not straight. */
  readonly jumps: readonly number[];

  constructor(instructions: InstructionList) {
    const { all } = instructions;
    const to: number[] = [];
    const jumps: number[] = [];
    this.first = new Int32Array(all.length + 1);
    for (let row = 0; row < all.length; row++) {
      this.first[row] = to.length;
      if (isStraight(all[row])) {
        if (row + 1 < all.length) to.push(row + 1);
        continue;
      }
      jumps.push(row);
      for (const bci of new Set(destinations(all[row]))) {
        const next = instructions.row(bci);
        if (next >= 0) to.push(next);
      }
    }
    this.first[all.length] = to.length;
    this.to = to;
    this.jumps = jumps;
  }

  of(row: number): readonly number[] {
    return this.to.slice(this.first[row], this.first[row + 1]);
  }

  /** 1 for the rows reachable from the given ones, these included. */
  reached(from: Iterable<number>): Uint8Array {
    const { first, to } = this;
    const seen = new Uint8Array(first.length - 1);
    const waiting = [...from];
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      if (seen[row] === 1) continue;
      seen[row] = 1;
      for (let i = first[row]; i < first[row + 1]; i++) if (seen[to[i]] === 0) waiting.push(to[i]);
    }
    return seen;
  }
}
