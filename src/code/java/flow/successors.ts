/** Where control goes from an instruction, exceptions left out (JVMS 6.5). */
import type { InstructionList } from '../class-file/instruction-list.js';
import type { Instruction } from '../class-file/instructions.js';

/**
 * BCIs that an instruction goes to: of an `if` where it jumps to, then the next one; of a switch its cases in the order
 * of their keys, then the default. Equal ones are not put together.
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

/** Whether control has no choice but the next instruction. A `goto` ends its block even where it jumps there. */
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
 * The rows that each instruction of a method goes to, each once: those of a row are `to[first[row] .. first[row + 1])`.
 * BCIs at which no instruction begins are left out; only damaged code has them. Cost: 8 bytes an instruction.
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

  /** 1 for the rows that control comes to from some of them, these included. */
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
