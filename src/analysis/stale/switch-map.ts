/**
 * Finds the enum constant of each case of a switch. javac numbers the constants of a switch in the order of its cases,
 * and keeps the numbers in an array, `$SwitchMap$…`, that a separate class (`Outer$1`) fills by the constants'
 * ordinals. So the bytes of the method stay the same if two of its cases are swapped.
 */
import { FormatError } from '../../base/errors.js';
import type { ClassFile } from '../../code/java/class-file/class-file.js';
import { type ConstantPool, TAG } from '../../code/java/class-file/constant-pool.js';
import { attempt } from '../../code/java/class-file/cursor.js';
import { eachInstruction, type Instruction } from '../../code/java/class-file/instructions.js';
import { OPCODE } from '../../code/java/class-file/opcodes.js';

const PREFIX = '$SwitchMap$';

export function isSwitchMap(field: string): boolean {
  return field.startsWith(PREFIX);
}

/** Binary names of the classes with the arrays that a class uses for switches. */
export function switchMapClasses({ pool }: ClassFile): string[] {
  const owners = new Set<string>();
  for (let index = 1; index < pool.count; index++) {
    const field = pool.tag(index) === TAG.fieldref ? attempt(() => pool.member(index)) : undefined;
    if (field !== undefined && !(field instanceof FormatError) && isSwitchMap(field.name))
      owners.add(field.owner.replaceAll('/', '.'));
  }
  return [...owners];
}

/**
 * Constant by number, read from `getstatic map; getstatic constant; invokevirtual ordinal; iconst; iastore` in that
 * class.
 */
export function switchMap(file: ClassFile, field: string): ReadonlyMap<number, string> {
  const constants = new Map<number, string>();
  const code = file.methodsNamed('<clinit>')[0]?.code();
  if (code === undefined) return constants;
  let isWanted = false;
  let constant: string | undefined;
  let number: number | undefined;
  eachInstruction(code, (instruction) => {
    if (instruction.opcode === OPCODE.iastore) {
      if (isWanted && constant !== undefined && number !== undefined) constants.set(number, constant);
      constant = undefined;
    } else if (instruction.kind === 'getstatic') {
      const { name } = code.pool.member(instruction.index);
      if (isSwitchMap(name)) isWanted = name === field;
      else constant = name;
    } else number = pushed(instruction, code.pool) ?? number;
  });
  return constants;
}

function pushed({ opcode, mnemonic, value, index }: Instruction, pool: ConstantPool): number | undefined {
  if (opcode >= OPCODE.iconst_m1 && opcode <= OPCODE.iconst_5) return opcode - OPCODE.iconst_0;
  if (mnemonic === 'bipush' || mnemonic === 'sipush') return value;
  return index >= 0 && pool.tag(index) === TAG.integer ? pool.integer(index) : undefined;
}
