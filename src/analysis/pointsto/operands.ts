/** Opcodes that move references, and what they do to the operand stack. */

/** Opcodes that pass references on (JVMS 6.5). */
export const OP = {
  aconst_null: 0x01,
  ldc: 0x12,
  ldc2: 0x14,
  aload: 0x19,
  aload_0: 0x2a,
  aload_3: 0x2d,
  aaload: 0x32,
  istore: 0x36,
  astore: 0x3a,
  istore_0: 0x3b,
  astore_0: 0x4b,
  astore_3: 0x4e,
  aastore: 0x53,
  dup: 0x59,
  dup_x1: 0x5a,
  dup_x2: 0x5b,
  dup2: 0x5c,
  dup2_x1: 0x5d,
  dup2_x2: 0x5e,
  swap: 0x5f,
  areturn: 0xb0,
  getstatic: 0xb2,
  putstatic: 0xb3,
  getfield: 0xb4,
  putfield: 0xb5,
  invokevirtual: 0xb6,
  invokespecial: 0xb7,
  invokestatic: 0xb8,
  invokeinterface: 0xb9,
  invokedynamic: 0xba,
  new: 0xbb,
  newarray: 0xbc,
  anewarray: 0xbd,
  checkcast: 0xc0,
  multianewarray: 0xc5,
} as const;

/** Descriptors of the arrays that `newarray` makes, by its operand (JVMS table 6.5.newarray-A). */
export const PRIMITIVE_ARRAYS: readonly string[] = ['', '', '', '', '[Z', '[C', '[F', '[D', '[B', '[S', '[I', '[J'];

/** Copies of the operands on the stack (JVMS 6.5, `dup` to `swap`). */
export function duplicate(opcode: number, stack: number[]): void {
  if (opcode === OP.swap) {
    stack.splice(-2, 2, ...stack.slice(-2).reverse());
    return;
  }
  const count = opcode >= OP.dup2 ? 2 : 1;
  const below = opcode - (count === 2 ? OP.dup2 : OP.dup);
  stack.splice(stack.length - count - below, 0, ...stack.slice(-count));
}
