/**
 * Bytecode decoded (JVMS 6.5). A truncated or unknown instruction, or one with impossible operands, ends the walk,
 * since the start of the next one is unknown. Cost: one small object per instruction while it is visited.
 */
import type { Problem } from '../../../base/problems.js';
import { type InstructionKind, kindOfOpcode, LENGTHS, MNEMONICS, OPCODE, SHAPES } from './opcodes.js';
import { lengthAt } from './raw-attributes.js';

/** The bytecode of a method: `bytes[start .. start + length)` of its class file. */
export interface Bytecode {
  /** The whole class file. */
  readonly file: Uint8Array;
  readonly start: number;
  readonly length: number;
}

export interface Instruction {
  readonly bci: number;
  readonly opcode: number;
  /** `if_icmpge`; with `wide`, `iload_w` as javap calls it. */
  readonly mnemonic: string;
  readonly kind: InstructionKind;
  /** Bytes, `wide` included. */
  readonly length: number;
  readonly wide: boolean;
  /** Pool index of the entry it refers to, -1 if none. */
  readonly index: number;
  /** Local variable in its operands, -1 if none. */
  readonly local: number;
  /**
   * The number in its operands: pushed by `bipush`, added by `iinc`; array type; count of invokeinterface; dimensions.
   */
  readonly value: number;
  /** BCIs it can jump to, without the next instruction: of `if` the one taken, of a switch one a case in the order of keys. */
  readonly targets: readonly number[];
  /** Keys of a switch, one per target. */
  readonly keys: readonly number[];
  /** BCI of the default of a switch; -1 for other instructions. */
  readonly defaultTarget: number;
}

const NONE: readonly number[] = [];

export function isSwitch({ kind }: Pick<Instruction, 'kind'>): boolean {
  return kind === 'tableswitch' || kind === 'lookupswitch';
}

/** Whether an instruction branches on a value. */
export function isBranch(instruction: Pick<Instruction, 'kind'>): boolean {
  return instruction.kind === 'if' || isSwitch(instruction);
}

export function isCall({ kind }: Pick<Instruction, 'kind'>): boolean {
  return kind.startsWith('invoke');
}

/** Whether an instruction selects a method by the class of its receiver. */
export function isVirtualCall({ kind }: Pick<Instruction, 'kind'>): boolean {
  return kind === 'invokevirtual' || kind === 'invokeinterface';
}

export function isTypeCheck({ kind }: Pick<Instruction, 'kind'>): boolean {
  return kind === 'instanceof' || kind === 'checkcast';
}

/** The length of the instruction at `bci`, or a text with its fault. */
export function instructionLength(code: Bytecode, bci: number): number | string {
  const { file, start, length } = code;
  const at = start + bci;
  const opcode = file[at];
  const left = length - bci;
  if (SHAPES[opcode] === 0) return `opcode 0x${opcode.toString(16)}`;
  const size = LENGTHS[opcode] || variableLength(code, bci, opcode);
  if (typeof size === 'number' && size > left) return `${MNEMONICS[opcode]} with ${left} of its ${size} bytes`;
  return size;
}

function variableLength(code: Bytecode, bci: number, opcode: number): number | string {
  const { file, start, length } = code;
  const at = start + bci;
  const left = length - bci;
  if (opcode === OPCODE.wide) {
    if (left < 2) return 'wide without an instruction';
    const widened = file[at + 1];
    if (widened === OPCODE.iinc) return 6;
    return isLocal(widened) ? 4 : `wide before opcode 0x${widened.toString(16)}`;
  }
  const head = 1 + padding(bci);
  const fixed = head + (opcode === OPCODE.tableswitch ? 12 : 8);
  if (fixed > left) return `${MNEMONICS[opcode]} with ${left} of at least ${fixed} bytes`;
  if (opcode === OPCODE.lookupswitch) {
    const pairs = lengthAt(file, at + head + 4);
    return fixed + pairs * 8;
  }
  const low = lengthAt(file, at + head + 4) | 0;
  const high = lengthAt(file, at + head + 8) | 0;
  return low > high ? `tableswitch from ${low} to ${high}` : fixed + (high - low + 1) * 4;
}

/** Bytes between the opcode of a switch and its operands, which begin at a multiple of four from the method's start. */
function padding(bci: number): number {
  return 3 - (bci & 3);
}

function isLocal(opcode: number): boolean {
  return String.fromCharCode(SHAPES[opcode]) === 'l';
}

/** The instruction that begins at `bci`, or a text with its fault. */
export function decodeInstruction(code: Bytecode, bci: number): Instruction | string {
  if (bci < 0 || bci >= code.length) return 'the end of the code';
  const length = instructionLength(code, bci);
  if (typeof length === 'string') return length;
  const { file, start } = code;
  const at = start + bci;
  const wide = file[at] === OPCODE.wide;
  const opcode = wide ? file[at + 1] : file[at];
  // One literal, so that all instructions have one shape; the operands are filled in below.
  const instruction: Decoded = {
    bci,
    opcode,
    mnemonic: wide ? `${MNEMONICS[opcode]}_w` : MNEMONICS[opcode],
    kind: kindOfOpcode(opcode),
    length,
    wide,
    index: -1,
    local: -1,
    value: 0,
    targets: NONE,
    keys: NONE,
    defaultTarget: -1,
  };
  if (wide) {
    instruction.local = u2(file, at + 2);
    if (opcode === OPCODE.iinc) instruction.value = s2(file, at + 4);
  } else if (length > 1) readOperands(instruction, file, at, bci);
  return instruction;
}

type Decoded = { -readonly [Field in keyof Instruction]: Instruction[Field] };

function readOperands(fields: Decoded, file: Uint8Array, at: number, bci: number): void {
  switch (String.fromCharCode(SHAPES[file[at]])) {
    case 'b':
      fields.value = (file[at + 1] << 24) >> 24;
      return;
    case 's':
      fields.value = s2(file, at + 1);
      return;
    case 'c':
      fields.index = file[at + 1];
      return;
    case 'l':
      fields.local = file[at + 1];
      return;
    case 'i':
      fields.local = file[at + 1];
      fields.value = (file[at + 2] << 24) >> 24;
      return;
    case 'a':
      fields.value = file[at + 1];
      return;
    case 'j':
      fields.targets = [bci + s2(file, at + 1)];
      return;
    case 'J':
      fields.targets = [bci + (lengthAt(file, at + 1) | 0)];
      return;
    case 't':
    case 'k':
      readSwitch(fields, file, at, bci);
      return;
    case 'C':
    case 'D':
      fields.index = u2(file, at + 1);
      return;
    case 'I':
    case 'm':
      fields.index = u2(file, at + 1);
      fields.value = file[at + 3];
      return;
    default:
  }
}

function readSwitch(fields: Decoded, file: Uint8Array, at: number, bci: number): void {
  const head = at + 1 + padding(bci);
  fields.defaultTarget = bci + (lengthAt(file, head) | 0);
  const targets: number[] = [];
  const keys: number[] = [];
  if (file[at] === OPCODE.tableswitch) {
    const low = lengthAt(file, head + 4) | 0;
    const high = lengthAt(file, head + 8) | 0;
    for (let i = 0; i <= high - low; i++) {
      keys.push(low + i);
      targets.push(bci + (lengthAt(file, head + 12 + i * 4) | 0));
    }
  } else {
    const pairs = lengthAt(file, head + 4);
    for (let i = 0; i < pairs; i++) {
      keys.push(lengthAt(file, head + 8 + i * 8) | 0);
      targets.push(bci + (lengthAt(file, head + 12 + i * 8) | 0));
    }
  }
  fields.targets = targets;
  fields.keys = keys;
}

function u2(file: Uint8Array, at: number): number {
  return (file[at] << 8) | file[at + 1];
}

function s2(file: Uint8Array, at: number): number {
  return (u2(file, at) << 16) >> 16;
}

/**
 * Visits the instructions of a method in order. Returns the problem, with its offset in the class file, if the walk
 * ended before the end of the code.
 */
export function eachInstruction(code: Bytecode, visit: (instruction: Instruction) => void): Problem | undefined {
  for (let bci = 0; bci < code.length; ) {
    const instruction = decodeInstruction(code, bci);
    if (typeof instruction === 'string') return badInstruction(code, bci, instruction);
    visit(instruction);
    bci += instruction.length;
  }
  return undefined;
}

function badInstruction(code: Bytecode, bci: number, found: string): Problem {
  return {
    code: 'class-file-bad-instruction',
    severity: 'error',
    message: `bytecode index ${bci}: expected an instruction, found ${found}; the code after it cannot be decoded`,
    offset: code.start + bci,
  };
}

/** The instruction at a bytecode index; undefined if none begins there. Walks the code up to it. */
export function instructionAt(code: Bytecode, bci: number): Instruction | undefined {
  let at = 0;
  while (at < bci && at < code.length) {
    const length = instructionLength(code, at);
    if (typeof length === 'string') return undefined;
    at += length;
  }
  if (at !== bci) return undefined;
  const instruction = decodeInstruction(code, bci);
  return typeof instruction === 'string' ? undefined : instruction;
}
