/** When code goes on at each way out of a block: what must hold of the operands of its last instruction. */
import { NONE } from '../../base/flavor.js';
import { type Instruction, isSwitch } from '../../code/java/class-file/instructions.js';
import type { NodeId } from './flows.js';

/** An operand: a number that code pushes, a node of numbers or objects, -1 if nothing is known of it. */
export interface Operand {
  readonly node: NodeId;
  readonly number?: number | undefined;
}

/** True if a way can always be taken, false if it never can. */
export type Condition =
  | boolean
  /** An object is there. */
  | { readonly kind: 'some'; readonly node: NodeId }
  | { readonly kind: 'number'; readonly node: NodeId; readonly holds: (value: number) => boolean }
  | {
      readonly kind: 'numbers';
      readonly left: NodeId;
      readonly right: NodeId;
      readonly holds: (left: number, right: number) => boolean;
    };

type Comparison = (left: number, right: number) => boolean;

/** In the order of the opcodes `ifeq` to `ifle`, and `if_icmpeq` to `if_icmple`. */
const COMPARISONS: readonly Comparison[] = [
  (left, right) => left === right,
  (left, right) => left !== right,
  (left, right) => left < right,
  (left, right) => left >= right,
  (left, right) => left > right,
  (left, right) => left <= right,
];
const IFEQ = 0x99;
const IF_ICMPEQ = 0x9f;
const IF_ACMPEQ = 0xa5;
const IFNULL = 0xc6;
const IFNONNULL = 0xc7;

/** What must hold so that each way of `destinations` is taken: of an `if` the jump, then the next instruction; of a switch its cases, then the default. */
export function conditionsOf(instruction: Instruction, operands: readonly Operand[]): readonly Condition[] {
  const { opcode } = instruction;
  const top = operands.at(-1) ?? UNKNOWN;
  if (isSwitch(instruction)) return switchConditions(instruction.keys, top);
  if (opcode === IFNULL) return [true, someOf(top)];
  if (opcode === IFNONNULL) return [someOf(top), true];
  if (opcode < IFEQ || opcode >= IF_ACMPEQ) return [true, true];
  const isOfTwo = opcode >= IF_ICMPEQ;
  const holds = COMPARISONS[opcode - (isOfTwo ? IF_ICMPEQ : IFEQ)] ?? (() => true);
  const [left, right] = isOfTwo ? [operands.at(-2) ?? UNKNOWN, top] : [top, ZERO];
  return [compared(left, right, holds), compared(left, right, (a, b) => !holds(a, b))];
}

/** What must hold so that one of several ways to one place is taken. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const [first, ...others] = conditions.filter((condition) => condition !== false);
  if (first === undefined) return false;
  if (others.length === 0) return first;
  if (first === true || first.kind !== 'number') return true;
  const tests = [first];
  for (const other of others) {
    if (other === true || other.kind !== 'number' || other.node !== first.node) return true;
    tests.push(other);
  }
  return { kind: 'number', node: first.node, holds: (value) => tests.some(({ holds }) => holds(value)) };
}

const UNKNOWN: Operand = { node: NONE };
const ZERO: Operand = { node: NONE, number: 0 };

function someOf({ node }: Operand): Condition {
  return node < 0 ? true : { kind: 'some', node };
}

function numberOf({ node, number }: Operand, holds: (value: number) => boolean): Condition {
  if (number !== undefined) return holds(number);
  return node < 0 ? true : { kind: 'number', node, holds };
}

function compared(left: Operand, right: Operand, holds: Comparison): Condition {
  const { number: a } = left;
  const { number: b } = right;
  if (b !== undefined) return numberOf(left, (value) => holds(value, b));
  if (a !== undefined) return numberOf(right, (value) => holds(a, value));
  if (left.node < 0 || right.node < 0) return true;
  return { kind: 'numbers', left: left.node, right: right.node, holds };
}

function switchConditions(keys: readonly number[], value: Operand): readonly Condition[] {
  const all = new Set(keys);
  return [
    ...keys.map((key) => numberOf(value, (number) => number === key)),
    numberOf(value, (number) => !all.has(number)),
  ];
}
