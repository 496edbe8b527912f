/** Locals and operands, and what instructions that copy operands do to the stack. */
import { OPCODE } from '../../code/java/class-file/opcodes.js';

/** Nodes; -1 for values that are not followed; below that, constants of the method. */
export interface Frame {
  readonly locals: number[];
  readonly stack: number[];
}

/** Copies of the operands on the stack (JVMS 6.5, `dup` to `swap`). */
export function duplicate(opcode: number, stack: number[]): void {
  if (opcode === OPCODE.swap) {
    stack.splice(-2, 2, ...stack.slice(-2).reverse());
    return;
  }
  const count = opcode >= OPCODE.dup2 ? 2 : 1;
  const below = opcode - (count === 2 ? OPCODE.dup2 : OPCODE.dup);
  stack.splice(stack.length - count - below, 0, ...stack.slice(-count));
}
