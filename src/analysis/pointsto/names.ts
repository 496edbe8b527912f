/** The types that the code of a method names, so that they are loaded before its body is built. */
import type { Code } from '../../code/java/class-file/code.js';
import type { ConstantPool } from '../../code/java/class-file/constant-pool.js';
import { TAG } from '../../code/java/class-file/constant-pool.js';
import { internalName } from '../../code/java/class-file/descriptor.js';
import { eachInstruction } from '../../code/java/class-file/instructions.js';
import type { ClassPath } from '../../models/program/class-path.js';
import type { ServiceProviders } from './models/service-providers.js';
import { type TypeTable, valueIn, valueTypes } from './types.js';

/** A name with a package. */
const CLASS_NAME = /^[\w$]+(?:\.[\w$]+)+$/;

type BootstrapEntries = (row: number) => readonly number[];

export class NamedTypes {
  readonly #types: TypeTable;
  readonly #classes: ClassPath;
  readonly #services: ServiceProviders;
  /** By constant pool: entries that were read. */
  readonly #entries = new WeakMap<ConstantPool, Uint8Array>();

  constructor(types: TypeTable, classes: ClassPath, services: ServiceProviders) {
    this.#types = types;
    this.#classes = classes;
    this.#services = services;
  }

  /** Names the types of a field or method descriptor. */
  descriptor(descriptor: string): void {
    const { parameters, result } = descriptor.startsWith('(')
      ? valueTypes(descriptor)
      : { parameters: [], result: valueIn(descriptor) };
    for (const name of [...parameters, result]) if (name !== undefined) this.#types.id(name);
  }

  /** `bootstrapEntries`: entries that a bootstrap method takes, by its row. Returns how many names of classes its strings are. */
  code(code: Code, bootstrapEntries: BootstrapEntries): number {
    const { pool } = code;
    let count = 0;
    for (const { catchType } of code.exceptions) if (catchType !== undefined) this.#types.id(catchType);
    eachInstruction(code, ({ index }) => {
      if (index <= 0) return;
      if (pool.tag(index) === TAG.string) count += this.#className(pool.string(index)) ? 1 : 0;
      else this.#entry(pool, index, bootstrapEntries);
    });
    return count;
  }

  /** Whether a string is the name of a class. */
  #className(text: string): boolean {
    if (!CLASS_NAME.test(text) || !this.#classes.has(text)) return false;
    this.#types.id(internalName(text));
    return true;
  }

  /** Names the types of an entry of a constant pool. Throws `FormatError` if it refers to what is not there. */
  #entry(pool: ConstantPool, index: number, bootstrapEntries: BootstrapEntries): void {
    const read = this.#entries.get(pool) ?? new Uint8Array(pool.count);
    this.#entries.set(pool, read);
    if (read[index] === 1) return;
    read[index] = 1;
    switch (pool.tag(index)) {
      case TAG.class:
        for (const name of [pool.className(index), ...this.#services.of(pool.className(index))]) this.#types.id(name);
        return;
      case TAG.fieldref:
      case TAG.methodref:
      case TAG.interfaceMethodref: {
        const { owner, descriptor } = pool.member(index);
        this.#types.id(owner);
        this.descriptor(descriptor);
        return;
      }
      case TAG.methodHandle:
        this.#entry(pool, pool.methodHandle(index).reference, bootstrapEntries);
        return;
      case TAG.methodType:
        this.descriptor(pool.methodType(index));
        return;
      case TAG.dynamic:
        this.descriptor(pool.dynamic(index).descriptor);
        return;
      case TAG.invokeDynamic: {
        const { descriptor, bootstrap } = pool.dynamic(index);
        this.descriptor(descriptor);
        for (const each of bootstrapEntries(bootstrap)) this.#entry(pool, each, bootstrapEntries);
        return;
      }
      default:
    }
  }
}
