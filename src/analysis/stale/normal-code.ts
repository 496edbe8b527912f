/**
 * The code of a method without the free choices of a compiler: operands by their meaning instead of by their index in
 * the constant pool, jump targets as instruction numbers instead of BCIs, one form of instructions with long and short
 * forms (ldc, ldc_w; goto, goto_w; iload_1, iload 1, wide iload 1). Lines and names of variables are left out.
 *
 * Two methods with the same normal code do the same, place by place. The cases of a switch on an enum are constants.
 * Numbers of lambdas (`lambda$main$0`) are left out of operands: they change when another lambda is added above. Cost:
 * 20 bytes an instruction, a text for each operand.
 */
import { placeOf } from '../../base/columns/search.js';
import { FormatError } from '../../base/errors.js';
import { ACCESS } from '../../code/java/class-file/access.js';
import { attributeOf, type BootstrapMethod } from '../../code/java/class-file/attributes.js';
import type { ClassFile, MethodInfo } from '../../code/java/class-file/class-file.js';
import type { Code } from '../../code/java/class-file/code.js';
import { type ConstantPool, TAG } from '../../code/java/class-file/constant-pool.js';
import { attempt } from '../../code/java/class-file/cursor.js';
import { parameterSlots } from '../../code/java/class-file/descriptor.js';
import { eachInstruction, type Instruction } from '../../code/java/class-file/instructions.js';
import { OPCODE } from '../../code/java/class-file/opcodes.js';
import { stackEffect } from '../../code/java/flow/stack-effect.js';
import { isSwitchMap, switchMap } from './switch-map.js';

/** `lambda$main$0` → the part before its number. */
const LAMBDA = /^(lambda\$.*\$)\d+$/;

/** The name of a lambda's method without its number; undefined for other methods. */
export function lambdaBase(name: string): string | undefined {
  return LAMBDA.exec(name)?.[1];
}

export interface NormalCode {
  /** Instructions. */
  readonly length: number;
  /** BCI of each instruction; the last element is the length of the code. */
  readonly bcis: Int32Array;
  readonly opcodes: Uint8Array;
  /** Meaning of the operands: equal numbers of one `Meanings` mean the same. */
  readonly operands: Int32Array;
  /**
   * Targets of instruction i are `targets[targetStarts[i] .. targetStarts[i + 1])`; the default of a switch is the last
   * one.
   */
  readonly targetStarts: Int32Array;
  /** Instruction numbers; -1 if no instruction begins there. */
  readonly targets: Int32Array;
  /** Slots taken from, and put on, the operand stack. */
  readonly taken: Uint16Array;
  readonly put: Uint16Array;
  /** Exception table: from, to, handler as instruction numbers, and the caught type. */
  readonly handlers: Int32Array;
  /** Number of slots of all variables, and of the parameters (with `this`), which come first. */
  readonly maxLocals: number;
  readonly parameterSlots: number;
  /** False if the code could not be decoded to its end. */
  readonly whole: boolean;
}

/** Numbers for meanings; codes that are compared share one. */
export class Meanings {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(text, number);
    }
    return number;
  }
}

/** An entry of a pool: its meaning, and the descriptor of the field or method it names. */
interface Meaning {
  readonly number: number;
  readonly descriptor: string;
}

/** The meanings of the entries of a class's pool; each is decoded once. */
export class PoolMeanings {
  readonly #file: ClassFile;
  readonly #meanings: Meanings;
  readonly #known = new Map<number, Meaning>();
  readonly #own: string;
  readonly #ownType: string;
  readonly #classOf: (name: string) => ClassFile | undefined;
  #bootstraps: readonly BootstrapMethod[] | undefined;

  /** `classOf`: other classes of the same version, by binary name. */
  constructor(file: ClassFile, meanings: Meanings, classOf: (name: string) => ClassFile | undefined) {
    this.#file = file;
    this.#meanings = meanings;
    this.#classOf = classOf;
    this.#own = file.name.replaceAll('.', '/');
    this.#ownType = `L${this.#own};`;
  }

  get meanings(): Meanings {
    return this.#meanings;
  }

  at(index: number): Meaning {
    let meaning = this.#known.get(index);
    if (meaning === undefined) {
      meaning = this.#read(index);
      this.#known.set(index, meaning);
    }
    return meaning;
  }

  #read(index: number): Meaning {
    const { pool } = this.#file;
    const tag = pool.tag(index);
    const named =
      tag === TAG.fieldref || tag === TAG.methodref || tag === TAG.interfaceMethodref || tag === TAG.invokeDynamic;
    try {
      const text = this.#text(pool, index, tag, 0);
      return { number: this.#meanings.of(`${tag} ${text}`), descriptor: named ? descriptorAt(pool, index) : '' };
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return { number: this.#meanings.of(this.#unknown(index)), descriptor: '' };
    }
  }

  /** An unreadable entry equals no other, not even itself in another file. */
  #unknown(index: number): string {
    return `damaged ${this.#file.name} ${this.#file.pool.origin} ${index}`;
  }

  /** The meaning of the cases of a switch; `map` is the entry of the array that numbers the constants of an enum for it. */
  keys(keys: readonly number[], map: number | undefined): number {
    return this.#meanings.of(`keys ${(map === undefined ? keys : this.#constants(keys, map)).join(' ')}`);
  }

  #constants(keys: readonly number[], map: number): readonly (string | number)[] {
    const { owner, name } = this.#file.pool.member(map);
    const file = this.#classOf(owner.replaceAll('/', '.'));
    const constants = file && attempt(() => switchMap(file, name));
    if (constants === undefined || constants instanceof FormatError) return [this.#unknown(map)];
    return keys.map((key) => `${key}=${constants.get(key) ?? ''}`);
  }

  /** Whether an entry names the array that numbers the constants of an enum for a switch. */
  isSwitchMap(index: number): boolean {
    const { pool } = this.#file;
    const field = pool.tag(index) === TAG.fieldref ? attempt(() => pool.member(index)) : undefined;
    return field !== undefined && !(field instanceof FormatError) && isSwitchMap(field.name);
  }

  #type(name: string): string {
    return name === this.#own ? '.' : name.replaceAll(this.#ownType, 'L.;');
  }

  #text(pool: ConstantPool, index: number, tag: number, depth: number): string {
    switch (tag) {
      case TAG.integer:
        return `${pool.integer(index)}`;
      case TAG.float:
      case TAG.long:
      case TAG.double:
        // As bits, since NaNs differ, and so do the zeros.
        return hex(pool, index, tag === TAG.float ? 4 : 8);
      case TAG.string:
        return pool.string(index);
      case TAG.class:
        return this.#type(pool.className(index));
      case TAG.methodType:
        return this.#type(pool.methodType(index));
      case TAG.fieldref:
      case TAG.methodref:
      case TAG.interfaceMethodref: {
        const { owner, name, descriptor } = pool.member(index);
        return `${this.#type(owner)} ${name} ${this.#type(descriptor)}`;
      }
      case TAG.methodHandle:
        return this.#handle(pool, index);
      case TAG.dynamic:
      case TAG.invokeDynamic:
        return this.#dynamic(pool, index, depth);
      default:
        return `${index}`;
    }
  }

  #handle(pool: ConstantPool, index: number): string {
    const { kind, reference } = pool.methodHandle(index);
    const { owner, name, descriptor } = pool.member(reference);
    const known = owner === this.#own ? (lambdaBase(name) ?? name) : name;
    return `${kind} ${this.#type(owner)} ${known} ${this.#type(descriptor)}`;
  }

  #dynamic(pool: ConstantPool, index: number, depth: number): string {
    const { name, descriptor, bootstrap } = pool.dynamic(index);
    const row = this.#rows()[bootstrap];
    // A dynamic constant can have dynamic constants among its arguments; JVMS 4.7.23 does not forbid cycles.
    if (row === undefined || depth > 8) return `${name} ${this.#type(descriptor)} ${bootstrap}`;
    const parts = row.arguments.map((part) => `${pool.tag(part)} ${this.#text(pool, part, pool.tag(part), depth + 1)}`);
    return [name, this.#type(descriptor), this.#handle(pool, row.handle), ...parts].join('\n');
  }

  #rows(): readonly BootstrapMethod[] {
    if (this.#bootstraps === undefined) {
      const attribute = attributeOf(this.#file, this.#file.pool, 'BootstrapMethods');
      this.#bootstraps = attribute === undefined || attribute instanceof Error ? [] : attribute.methods;
    }
    return this.#bootstraps;
  }
}

function descriptorAt(pool: ConstantPool, index: number): string {
  return pool.tag(index) === TAG.invokeDynamic ? pool.dynamic(index).descriptor : pool.member(index).descriptor;
}

function hex(pool: ConstantPool, index: number, size: number): string {
  const at = pool.offsetOf(index) + 1;
  return Array.from(pool.bytes.subarray(at, at + size), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The normal code of a method; undefined if it has none. */
export function normalCode(method: MethodInfo, pool: PoolMeanings): NormalCode | undefined {
  const code = method.code();
  if (code === undefined) return undefined;
  const own = (method.access & ACCESS.static) === 0 ? 1 : 0;
  const slots = own + (method.types === undefined ? 0 : parameterSlots(method.types));
  return new Normaliser(code, pool).finish(slots);
}

const LOCAL_OPERAND = 16;

class Normaliser {
  readonly #code: Code;
  readonly #pool: PoolMeanings;
  readonly #bcis: number[] = [];
  readonly #opcodes: number[] = [];
  readonly #operands: number[] = [];
  readonly #targetStarts: number[] = [];
  readonly #targets: number[] = [];
  readonly #taken: number[] = [];
  readonly #put: number[] = [];
  /** Pool entries of arrays before their switch: one switch can compute the operand of another one. */
  readonly #switchMaps: number[] = [];
  readonly #whole: boolean;

  constructor(code: Code, pool: PoolMeanings) {
    this.#code = code;
    this.#pool = pool;
    this.#whole = eachInstruction(code, (instruction) => this.#add(instruction)) === undefined;
  }

  #add(instruction: Instruction): void {
    const { opcode, index, local, value, targets, keys, defaultTarget } = instruction;
    const meaning = index < 0 ? undefined : this.#pool.at(index);
    const effect = stackEffect(instruction, meaning?.descriptor ?? '()V');
    this.#bcis.push(instruction.bci);
    this.#taken.push(effect.taken);
    this.#put.push(effect.put);
    this.#targetStarts.push(this.#targets.length);
    for (const target of targets) this.#targets.push(target);
    if (defaultTarget >= 0) this.#targets.push(defaultTarget);
    if (instruction.kind === 'getstatic' && this.#pool.isSwitchMap(index)) this.#switchMaps.push(index);
    const short = SHORT_FORMS.get(opcode);
    this.#opcodes.push(short?.opcode ?? opcode);
    const isByMap = keys.length > 0 && this.#opcodes.at(-2) === OPCODE.iaload;
    if (keys.length > 0) this.#operands.push(this.#pool.keys(keys, isByMap ? this.#switchMaps.pop() : undefined));
    else if (meaning !== undefined) this.#operands.push(meaning.number);
    else this.#operands.push(((short?.local ?? local) << LOCAL_OPERAND) | (value & 0xffff));
  }

  finish(slots: number): NormalCode {
    const length = this.#bcis.length;
    const bcis = Int32Array.from([...this.#bcis, this.#code.length]);
    const at = (bci: number): number => instructionNumber(bcis, length, bci);
    return {
      length,
      bcis,
      opcodes: Uint8Array.from(this.#opcodes),
      operands: Int32Array.from(this.#operands),
      targetStarts: Int32Array.from([...this.#targetStarts, this.#targets.length]),
      targets: Int32Array.from(this.#targets, at),
      taken: Uint16Array.from(this.#taken),
      put: Uint16Array.from(this.#put),
      handlers: Int32Array.from(
        this.#code.exceptions.flatMap(({ start, end, handler, catchIndex }) => [
          at(start),
          end === this.#code.length ? length : at(end),
          at(handler),
          catchIndex === 0 ? 0 : this.#pool.at(catchIndex).number,
        ]),
      ),
      maxLocals: this.#code.maxLocals,
      parameterSlots: slots,
      whole: this.#whole,
    };
  }
}

/** The number of the instruction at a BCI among `bcis[0 .. length)`; -1 if none begins there. */
export function instructionNumber(bcis: Int32Array, length: number, bci: number): number {
  return placeOf(bcis, bci, 0, length);
}

/** iload and istore; their forms with a number follow `lload` … and `astore`, four a type. */
const LOADS = [OPCODE.iload, OPCODE.iload_0] as const;
const STORES = [OPCODE.istore, OPCODE.istore_0] as const;
const TYPES = 5;
const FORMS = 4;

interface ShortForm {
  readonly opcode: number;
  readonly local?: number;
}

/** The opcode and local variable of each short form. */
const SHORT_FORMS: ReadonlyMap<number, ShortForm> = new Map<number, ShortForm>([
  [OPCODE.ldc_w, { opcode: OPCODE.ldc }],
  [OPCODE.goto_w, { opcode: OPCODE.goto }],
  [OPCODE.jsr_w, { opcode: OPCODE.jsr }],
  ...[LOADS, STORES].flatMap(([long, short]) =>
    Array.from({ length: TYPES * FORMS }, (_, i): [number, ShortForm] => [
      short + i,
      { opcode: long + Math.floor(i / FORMS), local: i % FORMS },
    ]),
  ),
]);
