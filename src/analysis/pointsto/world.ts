/** The classes under analysis: loaded from a class path in rounds, as code names them. */
import { FormatError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import { type ClassFile, readClassFile } from '../../code/java/class-file/class-file.js';
import { attempt } from '../../code/java/class-file/cursor.js';
import { binaryName } from '../../code/java/class-file/descriptor.js';
import type { ClassPath } from '../../models/program/class-path.js';
import type { TypeId, TypeTable } from './types.js';

export class World {
  readonly types: TypeTable;
  readonly #classes: ClassPath;
  readonly #work: Work;
  /** Internal names of classes that code needs and that the path lacks, or has damaged. */
  readonly missing = new Set<string>();
  readonly unreadable = new Set<string>();

  constructor(types: TypeTable, classes: ClassPath, work: Work) {
    this.types = types;
    this.#classes = classes;
    this.#work = work;
  }

  /** Loads all types that were named since, with all types above them. */
  async load(): Promise<void> {
    for (let types = this.types.takeNamed(); types.length > 0; types = this.types.takeNamed()) {
      await this.#define(types.filter((type) => !this.types.isArray(type)));
      // Names what is above them, which the next round loads.
      for (const type of types) this.types.parents(type);
    }
  }

  async #define(types: readonly TypeId[]): Promise<void> {
    const typeOf = new Map(types.map((type) => [binaryName(this.types.name(type)), type]));
    const names = [...typeOf.keys()].filter((name) => this.#classes.has(name));
    for (const [name, type] of typeOf) if (!this.#classes.has(name)) this.missing.add(this.types.name(type));
    const visit = (name: string, bytes: Uint8Array): void => {
      const type = typeOf.get(name);
      const file = attempt((): ClassFile => readClassFile(bytes.slice(), name));
      if (type === undefined) return;
      if (file instanceof FormatError) this.unreadable.add(this.types.name(type));
      else this.types.define(type, file);
    };
    await this.#classes.load(names, visit, this.#work);
    for (const type of types) this.types.setLoaded(type);
  }
}
