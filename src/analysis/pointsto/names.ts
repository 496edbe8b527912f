/** The types that the code of a method names, so that they are loaded before its body is built. */

import type { Code } from '../../code/java/class-file/code.js';
import type { ConstantPool } from '../../code/java/class-file/constant-pool.js';
import { TAG } from '../../code/java/class-file/constant-pool.js';
import { eachInstruction } from '../../code/java/class-file/instructions.js';
import type { ClassPath } from '../../models/program/class-path.js';
import type { ServiceProviders } from './service-providers.js';
import { referenceTypes, type TypeTable } from './types.js';

/** A name with a package. */
const CLASS_NAME = /^[\w$]+(?:\.[\w$]+)+$/;

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
    if (!descriptor.startsWith('(')) {
      this.#reference(descriptor.startsWith('L') ? descriptor.slice(1, -1) : descriptor);
      return;
    }
    const { parameters, result } = referenceTypes(descriptor);
    for (const name of [...parameters, result]) if (name !== undefined) this.#reference(name);
  }

  #reference(name: string): void {
    if (name.startsWith('[') || name.length > 1) this.#types.id(name);
  }

  /** Returns how many names of classes its strings are. */
  code(code: Code): number {
    const { pool } = code;
    let count = 0;
    for (const { catchType } of code.exceptions) if (catchType !== undefined) this.#types.id(catchType);
    eachInstruction(code, ({ index }) => {
      if (index <= 0) return;
      if (pool.tag(index) === TAG.string) count += this.#className(pool.string(index)) ? 1 : 0;
      else this.#entry(pool, index);
    });
    return count;
  }

  /** Whether a string is the name of a class. */
  #className(text: string): boolean {
    if (!CLASS_NAME.test(text) || !this.#classes.has(text)) return false;
    this.#types.id(text.replaceAll('.', '/'));
    return true;
  }

  /** Names the types of an entry of a constant pool. Throws `FormatError` if it refers to what is not there. */
  #entry(pool: ConstantPool, index: number): void {
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
        this.#entry(pool, pool.methodHandle(index).reference);
        return;
      case TAG.methodType:
        this.descriptor(pool.methodType(index));
        return;
      case TAG.dynamic:
      case TAG.invokeDynamic:
        this.descriptor(pool.dynamic(index).descriptor);
        return;
      default:
    }
  }

  /** Names the types of entries that a bootstrap method takes. */
  entries(pool: ConstantPool, indexes: readonly number[]): void {
    for (const index of indexes) this.#entry(pool, index);
  }
}
