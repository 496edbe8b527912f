/**
 * Checks the code of a method (JVMS 4.9.1, static constraints): every instruction decodes, refers to a pool entry of
 * the right kind and jumps to the start of an instruction; handlers and tables stay within the code. Cost: one pass
 * over the instructions, one byte per bytecode.
 */
import { FormatError } from '../../../../base/errors.js';
import type { Problem } from '../../../../base/problems.js';
import { type Attribute, decodeAttribute } from '../../class-file/attributes.js';
import type { Code } from '../../class-file/code.js';
import { type ConstantPool, TAG } from '../../class-file/constant-pool.js';
import { attempt } from '../../class-file/cursor.js';
import { eachInstruction, type Instruction, isSwitch } from '../../class-file/instructions.js';
import { ARRAY_TYPES, LENGTHS } from '../../class-file/opcodes.js';

const MOST_CODE = 65535;

/** Tags of what `ldc` loads. */
export const LOADABLE: readonly number[] = [
  TAG.integer,
  TAG.float,
  TAG.long,
  TAG.double,
  TAG.class,
  TAG.string,
  TAG.methodHandle,
  TAG.methodType,
  TAG.dynamic,
];
const WIDE_CONSTANTS: readonly number[] = [TAG.long, TAG.double];

const NEEDED: Readonly<Record<string, readonly number[]>> = {
  ldc2_w: [...WIDE_CONSTANTS, TAG.dynamic],
  ldc: LOADABLE.filter((tag) => !WIDE_CONSTANTS.includes(tag)),
  ldc_w: LOADABLE.filter((tag) => !WIDE_CONSTANTS.includes(tag)),
  invokevirtual: [TAG.methodref],
  invokespecial: [TAG.methodref, TAG.interfaceMethodref],
  invokestatic: [TAG.methodref, TAG.interfaceMethodref],
  invokeinterface: [TAG.interfaceMethodref],
  invokedynamic: [TAG.invokeDynamic],
};
const FIELD = /^(get|put)(field|static)$/;

/** Problems of the code; offsets are in the class file. */
export function checkCode(code: Code): Problem[] {
  const check = new CodeCheck(code);
  check.run();
  return [...code.problems, ...check.problems];
}

class CodeCheck {
  readonly problems: Problem[] = [];
  readonly #code: Code;
  readonly #pool: ConstantPool;
  /** 1 where an instruction begins. */
  readonly #starts: Uint8Array;

  constructor(code: Code) {
    this.#code = code;
    this.#pool = code.pool;
    this.#starts = new Uint8Array(code.length + 1);
  }

  #add(code: string, bci: number, message: string): void {
    const offset = this.#code.start + Math.min(Math.max(bci, 0), this.#code.length);
    this.problems.push({ code, severity: 'error', message: `bytecode index ${bci}: ${message}`, offset });
  }

  run(): void {
    const { length } = this.#code;
    if (length === 0 || length > MOST_CODE)
      this.#add('class-file-bad-instruction', 0, `expected 1 to ${MOST_CODE} bytes of code, found ${length}`);
    const jumps: Instruction[] = [];
    const stopped = eachInstruction(this.#code, (instruction) => {
      this.#starts[instruction.bci] = 1;
      if (instruction.targets.length > 0 || instruction.defaultTarget !== -1) jumps.push(instruction);
      this.#checkOperands(instruction);
    });
    if (stopped !== undefined) {
      // The start of later instructions is unknown, so nothing else can be checked.
      this.problems.push(stopped);
      return;
    }
    for (const jump of jumps) this.#checkTargets(jump);
    this.#checkHandlers();
    for (const raw of this.#code.attributes) {
      const table = attempt(() => decodeAttribute(this.#pool, raw));
      // Damage is reported with the attribute.
      if (!(table instanceof FormatError)) this.#checkTable(table);
    }
  }

  #isStart(bci: number): boolean {
    return bci < this.#code.length && this.#starts[bci] === 1;
  }

  #checkTargets({ bci, mnemonic, kind, targets, keys, defaultTarget }: Instruction): void {
    const all = isSwitch({ kind }) ? [...targets, defaultTarget] : targets;
    const wrong = all.find((target) => !this.#isStart(target));
    if (wrong !== undefined)
      this.#add(
        'class-file-bad-target',
        bci,
        `expected ${mnemonic} to go to an instruction, found bytecode index ${wrong}`,
      );
    const unsorted = keys.findIndex((key, i) => i > 0 && key <= (keys[i - 1] ?? 0));
    if (unsorted >= 0)
      this.#add('class-file-bad-instruction', bci, `expected ascending keys of ${mnemonic}, found ${keys[unsorted]}`);
  }

  #checkOperands(instruction: Instruction): void {
    const { bci, mnemonic, kind, index, local, value } = instruction;
    const needed = NEEDED[mnemonic] ?? (FIELD.test(mnemonic) ? [TAG.fieldref] : [TAG.class]);
    if (index >= 0 && !needed.includes(this.#pool.tag(index)))
      this.#add(
        'class-file-bad-reference',
        bci,
        `expected ${mnemonic} to name a constant pool entry of tag ${needed.join(' or ')}, found #${index}, tag ${this.#pool.tag(index)}`,
      );
    if (local >= this.#code.maxLocals)
      this.#add('class-file-bad-instruction', bci, `expected a local below ${this.#code.maxLocals}, found ${local}`);
    if (mnemonic === 'newarray' && ARRAY_TYPES[value] === undefined)
      this.#add('class-file-bad-instruction', bci, `expected an element type of newarray, found ${value}`);
    const counted = kind === 'invokeinterface' || mnemonic === 'multianewarray';
    if (counted && value === 0)
      this.#add('class-file-bad-instruction', bci, `expected a count in ${mnemonic}, found 0`);
    if (kind === 'invokeinterface' || kind === 'invokedynamic') this.#checkZeros(instruction);
  }

  /** The bytes that must be 0 in five-byte calls (JVMS). */
  #checkZeros({ bci, opcode, kind, mnemonic }: Instruction): void {
    const { file, start } = this.#code;
    const end = start + bci + (LENGTHS[opcode] ?? 0);
    const zeros = file.subarray(kind === 'invokeinterface' ? end - 1 : end - 2, end);
    if (zeros.some((byte) => byte !== 0))
      this.#add('class-file-bad-instruction', bci, `expected zeros at the end of ${mnemonic}, found other bytes`);
  }

  #checkHandlers(): void {
    for (const { start, end, handler } of this.#code.exceptions) {
      const ended = end === this.#code.length || this.#isStart(end);
      if (this.#isStart(start) && ended && start < end && this.#isStart(handler)) continue;
      this.#add(
        'class-file-bad-target',
        start,
        `expected a handler at instruction boundaries, found range ${start} to ${end}, handler ${handler}`,
      );
    }
  }

  #checkTable(attribute: Attribute): void {
    switch (attribute.kind) {
      case 'LineNumberTable':
        for (const { bci, line } of attribute.lines)
          if (!this.#isStart(bci))
            this.#add('class-file-bad-target', bci, `expected an instruction for line ${line}, found none`);
        return;
      case 'LocalVariableTable':
      case 'LocalVariableTypeTable':
        for (const { start, length, name } of attribute.variables)
          if (start + length > this.#code.length)
            this.#add(
              'class-file-bad-target',
              start,
              `expected ${name.text} to end within the code, found ${start + length}`,
            );
        return;
      case 'StackMapTable':
        for (const { bci } of attribute.frames)
          if (!this.#isStart(bci))
            this.#add('class-file-bad-target', bci, 'expected an instruction for a stack map frame, found none');
        return;
      default:
    }
  }
}
