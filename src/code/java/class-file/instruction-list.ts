/**
 * The instructions of a method by position and by bytecode index; of damaged code, those before the damage. Cost: one
 * object per instruction, 4 bytes per byte of code.
 */
import type { Problem } from '../../../base/problems.js';
import { type Bytecode, eachInstruction, type Instruction } from './instructions.js';

export class InstructionList {
  /** In the order of the code. An index into them is a row. */
  readonly all: readonly Instruction[];
  /** The problem that ended decoding early. */
  readonly problem: Problem | undefined;
  /** BCI → row, -1 between instructions. */
  readonly #rows: Int32Array;

  constructor(code: Bytecode) {
    const all: Instruction[] = [];
    const rows = new Int32Array(code.length).fill(-1);
    this.problem = eachInstruction(code, (instruction) => {
      rows[instruction.bci] = all.length;
      all.push(instruction);
    });
    this.all = all;
    this.#rows = rows;
  }

  /** The row of the instruction that begins at a BCI, -1 if none does. */
  row(bci: number): number {
    return this.#rows[bci] ?? -1;
  }

  has(bci: number): boolean {
    return this.row(bci) >= 0;
  }

  /** The instruction that begins at a BCI. */
  at(bci: number): Instruction | undefined {
    return this.all[this.row(bci)];
  }

  /** The row of the instruction that a byte of the code is part of, -1 outside of what was decoded. */
  rowAround(bci: number): number {
    const last = this.all.at(-1);
    if (last === undefined || bci >= last.bci + last.length) return -1;
    let begin = bci;
    while (begin >= 0 && this.#rows[begin] < 0) begin--;
    return this.row(begin);
  }
}
