/**
 * Bytecode as text, in the layout of `javap -c`: instructions with their operands, and constant pool values after `//`.
 */
import { FormatError } from '../../../base/errors.js';
import type { Problem } from '../../../base/problems.js';
import type { MethodInfo } from './class-file.js';
import type { Code } from './code.js';
import type { ConstantPool } from './constant-pool.js';
import { constantLabel, quotedName } from './constant-text.js';
import { attempt } from './cursor.js';
import { eachInstruction, type Instruction, isSwitch } from './instructions.js';
import { ARRAY_TYPES } from './opcodes.js';

export interface ListedInstruction {
  readonly instruction: Instruction;
  readonly bci: number;
  readonly mnemonic: string;
  /** `#7`, `2, 1000`, the BCI of a branch; of a switch its range or number of cases, its cases are in `instruction`. */
  readonly operands: string;
  /** The comment after `//`: `Method java/io/PrintStream.println:(I)V`. */
  readonly comment: string | undefined;
}

export interface CodeListing {
  readonly instructions: readonly ListedInstruction[];
  /** Where decoding stopped. */
  readonly problem: Problem | undefined;
}

/** Lists the code of a method. Cost: one row per instruction. */
export function listCode(method: MethodInfo, code: Code): CodeListing {
  const { pool, thisIndex } = method.owner;
  const instructions: ListedInstruction[] = [];
  const problem = eachInstruction(code, (each) => instructions.push(listInstruction(pool, thisIndex, each)));
  return { instructions, problem };
}

/** One instruction with its operands as text; `thisIndex` is the pool index of the class that has the code. */
export function listInstruction(pool: ConstantPool, thisIndex: number, instruction: Instruction): ListedInstruction {
  const { bci, mnemonic, index } = instruction;
  const comment = index < 0 ? undefined : commentOf(pool, thisIndex, index);
  return { instruction, bci, mnemonic, operands: operandsOf(instruction), comment };
}

/** A reference to a missing pool entry is shown as such; the instruction itself is valid. */
function commentOf(pool: ConstantPool, thisIndex: number, index: number): string {
  const label = attempt(() => constantLabel(pool, index, thisIndex));
  return label instanceof FormatError ? `damaged: ${label.message}` : label;
}

function operandsOf(instruction: Instruction): string {
  const { mnemonic, kind, index, local, value, targets, keys } = instruction;
  if (kind === 'tableswitch') return `{ // ${keys[0]} to ${keys.at(-1)}`;
  if (kind === 'lookupswitch') return `{ // ${keys.length}`;
  if (targets[0] !== undefined) return String(targets[0]);
  if (mnemonic === 'newarray') return ` ${ARRAY_TYPES[value] ?? value}`;
  if (mnemonic === 'invokeinterface' || mnemonic === 'multianewarray' || mnemonic === 'invokedynamic')
    return `#${index},  ${value}`;
  if (index >= 0) return `#${index}`;
  if (mnemonic === 'iinc' || mnemonic === 'iinc_w') return `${local}, ${value}`;
  if (local >= 0) return String(local);
  return mnemonic === 'bipush' || mnemonic === 'sipush' ? String(value) : '';
}

/** An instruction as `javap -c` prints it, on one line; cases of a switch follow in braces. */
export function instructionText(pool: ConstantPool, thisIndex: number, instruction: Instruction): string {
  const { mnemonic, operands, comment } = listInstruction(pool, thisIndex, instruction);
  if (isSwitch(instruction)) {
    const cases = instruction.keys.map((key, i) => `${key}: ${instruction.targets[i]}`);
    return `${mnemonic} { ${[...cases, `default: ${instruction.defaultTarget}`].join(', ')} }`;
  }
  const head = operands === '' ? mnemonic : `${mnemonic.padEnd(13)} ${operands}`;
  return comment === undefined ? head : `${head.padEnd(22)} // ${comment}`;
}

/** Column where comments begin, if there is room. */
const COMMENT_COLUMN = 40;

/** An instruction as `javap -c` prints it, without the indent of the whole; several lines for a switch. */
export function instructionLines(listed: ListedInstruction): string[] {
  const { instruction, bci, mnemonic, operands, comment } = listed;
  const head = `${String(bci).padStart(4)}: ${mnemonic.padEnd(13)} ${operands}`;
  if (instruction.defaultTarget >= 0 || instruction.keys.length > 0) return [head, ...switchLines(instruction)];
  return [comment === undefined ? head.trimEnd() : withComment(head, comment)];
}

function switchLines({ keys, targets, defaultTarget }: Instruction): string[] {
  const cases = keys.map((key, i) => `      ${String(key).padStart(12)}: ${targets[i]}`);
  return [...cases, `           default: ${defaultTarget}`, '      }'];
}

/** A line with its comment after `//` from a column on. */
export function withComment(line: string, comment: string, column: number = COMMENT_COLUMN): string {
  return `${line.padEnd(Math.max(column, line.length + 1))}// ${comment}`;
}

/** The rows of the exception table under their heading; none if the code has no handlers. */
export function exceptionLines(code: Code): string[] {
  if (code.exceptions.length === 0) return [];
  const rows = code.exceptions.map(({ start, end, handler, catchType }) => {
    const numbers = [start, end, handler].map((bci) => String(bci).padStart(6)).join('');
    return `  ${numbers}   ${catchType === undefined ? 'any' : `Class ${quotedName(catchType)}`}`;
  });
  return ['Exception table:', '   from    to  target type', ...rows];
}
