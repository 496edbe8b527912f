/**
 * How many slots an instruction leaves on the operand stack more than it took (JVMS 6.5; long and double are two).
 * Where the stack is empty a statement begins, as javac compiles them.
 */
import type { ConstantPool } from './constant-pool.js';
import { fieldType, methodTypes, parameterSlots } from './descriptor.js';
import type { Instruction } from './instructions.js';

/** By opcode, from `nop` to `jsr_w`: `e` is 0, each letter one slot more or less. `?`: the operands decide. */
const EFFECTS =
  'effffffffggfffggffffgfgfgfffffggggffffggggffffdededddddcdcdddddcccc' +
  'ddddccccddddbababbbbdcfffgggedcdcdcdcdcdcdcdcdcdceeeedddddddcdcdcef' +
  'efddeeffdedeeebddbbddddddccccccccefedddcdcde?????????feeedeedd??dde' +
  'f';
const NO_EFFECT = 'e'.charCodeAt(0);

/** Throws `FormatError` where what the instruction refers to is damaged; undefined for what is no instruction. */
export function stackEffect(pool: ConstantPool, instruction: Instruction): number | undefined {
  const { kind, opcode, index, value } = instruction;
  const letter = EFFECTS[opcode];
  if (letter !== undefined && letter !== '?') return letter.charCodeAt(0) - NO_EFFECT;
  switch (kind) {
    case 'getstatic':
      return fieldSlots(pool, index);
    case 'putstatic':
      return -fieldSlots(pool, index);
    case 'getfield':
      return fieldSlots(pool, index) - 1;
    case 'putfield':
      return -fieldSlots(pool, index) - 1;
    case 'newarray':
      return 1 - value;
    case 'invokestatic':
      return callEffect(pool.member(index).descriptor);
    case 'invokedynamic':
      return callEffect(pool.dynamic(index).descriptor);
    case 'invokevirtual':
    case 'invokespecial':
    case 'invokeinterface':
      return callEffect(pool.member(index).descriptor) - 1;
    default:
      return undefined;
  }
}

function slots(type: string): number {
  if (type === 'void') return 0;
  return type === 'long' || type === 'double' ? 2 : 1;
}

function fieldSlots(pool: ConstantPool, index: number): number {
  return slots(fieldType(pool.member(index).descriptor) ?? '');
}

function callEffect(descriptor: string): number {
  const types = methodTypes(descriptor);
  return types === undefined ? 0 : slots(types.returns) - parameterSlots(types);
}
