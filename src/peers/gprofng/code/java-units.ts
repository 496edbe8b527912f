/** Classes of an experiment as units of code: their methods with the lines of their bytecode, from the copies of class files. */
import { KansokuError } from '../../../base/errors.js';
import { type ClassFile, type MethodInfo, readClassFile } from '../../../code/java/class-file/class-file.js';
import type { Code } from '../../../code/java/class-file/code.js';
import { TAG } from '../../../code/java/class-file/constant-pool.js';
import { constantText } from '../../../code/java/class-file/constant-text.js';
import { eachInstruction, type Instruction } from '../../../code/java/class-file/instructions.js';
import { ARRAY_TYPES } from '../../../code/java/class-file/opcodes.js';
import type { OpenObject } from '../../../code/native/debug-parts.js';
import { readWhole } from '../../../code/read-whole.js';
import { type CodeFunction, type CodeUnit, emptyFunction, lineOfFile } from './model.js';

/** Larger class files are not read. */
const LARGEST = 16 << 20;

interface LoadedClass {
  readonly file: ClassFile;
  /** Path of the copy as it is asked for, `java/util/HashMap.class`. */
  readonly path: string;
  readonly source: string;
  readonly methods: ReadonlyMap<string, { readonly function: CodeFunction; readonly code: Code | undefined }>;
}

/** A method of a class with a copy. */
export interface JavaMethod {
  readonly unit: CodeUnit;
  /** Path of the class file. */
  readonly object: string;
  readonly function: CodeFunction;
  readonly code: Code | undefined;
}

export class JavaUnits {
  readonly #open: OpenObject | undefined;
  readonly #classes = new Map<string, Promise<LoadedClass | undefined>>();
  readonly #units = new Map<string, CodeUnit>();

  constructor(open: OpenObject | undefined) {
    this.#open = open;
  }

  /** Reads the classes of these names, so that methods of one source file are found together. */
  async load(names: Iterable<string>): Promise<void> {
    for (const name of names) await this.#class(name);
  }

  /** The method of a class by its signature, `Work.spin(long)`; undefined if there is no copy of the class. */
  async method(className: string, signature: string): Promise<JavaMethod | undefined> {
    const loaded = await this.#class(className);
    const found = loaded?.methods.get(signature);
    if (loaded === undefined || found === undefined) return undefined;
    return { unit: await this.#unit(loaded), object: loaded.path, ...found };
  }

  /** The bytecode of a method that was found here. */
  async codeOf(of: CodeFunction): Promise<Code | undefined> {
    for (const loading of this.#classes.values()) {
      const found = (await loading)?.methods.get(of.name);
      if (found?.function === of) return found.code;
    }
    return undefined;
  }

  #class(name: string): Promise<LoadedClass | undefined> {
    const known = this.#classes.get(name) ?? this.#read(name);
    this.#classes.set(name, known);
    return known;
  }

  async #read(name: string): Promise<LoadedClass | undefined> {
    const path = `${name.replaceAll('.', '/')}.class`;
    const copy = await this.#open?.(path);
    if (copy === undefined) return undefined;
    const bytes = await readWhole(() => Promise.resolve(copy), LARGEST, 'class-unreadable');
    if ('code' in bytes) return undefined;
    try {
      const file = readClassFile(bytes, path);
      const source = path.replace(/[^/]*$/, '') + (file.sourceFile ?? `${simpleName(name)}.java`);
      const methods = new Map(
        file.methods.map((method) => [
          methodName(name, method),
          { function: methodCode(name, method, source), code: method.code() },
        ]),
      );
      return { file, path, source, methods };
    } catch (error) {
      if (error instanceof KansokuError) return undefined;
      throw error;
    }
  }

  /** The methods of all classes of a source file, those of nested classes, too. */
  async #unit({ source, path }: LoadedClass): Promise<CodeUnit> {
    const known = this.#units.get(source);
    if (known !== undefined) return known;
    const functions: CodeFunction[] = [];
    for (const loading of this.#classes.values()) {
      const each = await loading;
      if (each?.source === source) functions.push(...[...each.methods.values()].map((found) => found.function));
    }
    const onLine = new Map<number, CodeFunction[]>();
    for (const of of functions)
      for (const { line } of of.rows) {
        const here = onLine.get(line) ?? [];
        onLine.set(line, here);
        if (!here.includes(of)) here.push(of);
      }
    const unit = { source, object: path, functions, onLine: new Map([[source, onLine]]) };
    this.#units.set(source, unit);
    return unit;
  }
}

function simpleName(name: string): string {
  return name.replace(/^.*\./, '').replace(/\$.*$/, '');
}

function methodName(className: string, { name, types }: MethodInfo): string {
  return `${className}.${name}(${types?.parameters.join(', ') ?? ''})`;
}

function methodCode(className: string, method: MethodInfo, source: string): CodeFunction {
  const code = method.code();
  const of = emptyFunction(methodName(className, method), code?.start ?? 0, code?.length ?? 0);
  of.file = source;
  const table = [...(code?.lineTable ?? [])];
  of.firstLine = table[0]?.line ?? 0;
  for (const { bci, line } of table.sort((a, b) => a.bci - b.bci))
    of.rows.push({ offset: bci, file: source, line, size: 0 });
  for (const [i, row] of of.rows.entries()) {
    row.size = (of.rows[i + 1]?.offset ?? of.size) - row.offset;
    const key = lineOfFile(source, row.line);
    const known = of.lines.get(key);
    of.lines.set(key, { offset: known?.offset ?? row.offset, size: (known?.size ?? 0) + row.size });
  }
  return of;
}

/** The instructions of a method as gprofng writes them: `0000001b: goto 0x5`. `strict`: also where it leaves out classes and signs. */
export function bytecodeTexts(
  code: Code,
  strict: boolean,
): { readonly bci: number; readonly length: number; readonly text: string }[] {
  const texts: { bci: number; length: number; text: string }[] = [];
  eachInstruction(code, (each) => {
    const at = each.bci.toString(16).padStart(8, '0');
    texts.push({
      bci: each.bci,
      length: each.length,
      text: `${at}: ${each.mnemonic} ${operandsOf(each, code.pool, strict)}`,
    });
  });
  return texts;
}

function operandsOf(each: Instruction, pool: ClassFile['pool'], strict: boolean): string {
  const { kind, mnemonic, index, local, value, targets, keys, defaultTarget } = each;
  if (kind === 'tableswitch') return `${keys[0] ?? 0} to ${keys.at(-1) ?? 0}: default=0x${defaultTarget.toString(16)}`;
  if (kind === 'lookupswitch') return `${keys.length}: default=0x${defaultTarget.toString(16)}`;
  if (targets.length > 0) return `0x${(targets[0] ?? 0).toString(16)}`;
  const number = strict ? value & (mnemonic === 'iinc' || mnemonic === 'bipush' ? 0xff : 0xffff) : value;
  if (mnemonic === 'iinc' || mnemonic === 'iinc_w') return `${local} ${number}`;
  if (mnemonic === 'newarray') return ARRAY_TYPES[value] ?? 'BOGUS TYPE';
  if (mnemonic === 'bipush' || mnemonic === 'sipush') return String(number);
  if (mnemonic === 'invokedynamic' && strict) return '';
  if (index >= 0) {
    const text = constantOf(pool, index, strict);
    if (mnemonic === 'anewarray') return `class ${text}`;
    if (mnemonic === 'invokeinterface') return ` #${index}, ${value}) ${text}`;
    return mnemonic === 'multianewarray' ? `${text} dim #${index} ` : text;
  }
  return hasLocal(mnemonic) ? String(local) : '';
}

/** Loads and stores whose variable is an operand, not part of the opcode. */
function hasLocal(mnemonic: string): boolean {
  return /^(?:[ailfd](?:load|store)|ret)(?:_w)?$/.test(mnemonic);
}

function constantOf(pool: ClassFile['pool'], index: number, strict: boolean): string {
  const tag = pool.tag(index);
  if (tag === TAG.methodref) {
    const { owner, name } = pool.member(index);
    return strict ? `${name}()` : `${owner.replaceAll('/', '.')}.${name}()`;
  }
  if (tag === TAG.class) return pool.className(index).replaceAll('/', '.');
  if (tag === TAG.string) return `"${constantText(pool, index)}"`;
  return `#${index}`;
}
