/** What the files of a recording say of its functions: sizes, and all names of the linker. */
import { addToList } from '../../../base/columns/lists.js';
import { stringAt } from '../../../base/text.js';
import type { OpenObject } from '../../../code/native/debug-parts.js';
import { demangler } from '../../../code/native/demangle.node.js';
import { type NativeObject, openNative } from '../../../code/native/object.js';
import { MANGLED } from '../../../code/native/resolve.js';
import { withEmptyPacks, withReturnType } from '../../../code/native/templates.js';
import { readPartName } from '../../../models/program/part-names.js';
import type { Program } from '../../../models/program/program.js';
import type { Demangle } from '../../../models/program/program-files.js';
import { shortestName } from '../code/units.js';
import { Holes } from './holes.js';

/** Names of a function as they are printed. */
export interface FunctionNames {
  readonly shown: string;
  /** The linker's name, where the shown one is spelled as in the source. */
  readonly symbol?: string;
  readonly aliases?: readonly string[];
}

export class FunctionFacts {
  readonly #sizes = new Map<string, number>();
  readonly #names = new Map<string, readonly string[]>();
  readonly #strict: boolean;
  #demangle: Demangle = (name) => name;
  /** As gprofng spells names. */
  #peer: Demangle = (name) => name;
  /** Load objects by their code that no symbol has. */
  readonly opaque = new Map<number, Holes>();

  private constructor(strict: boolean) {
    this.#strict = strict;
  }

  static async read(program: Program, open: OpenObject | undefined, strict: boolean): Promise<FunctionFacts> {
    const facts = new FunctionFacts(strict);
    const { loadObjects, functions, units, names } = program;
    if (open === undefined || loadObjects === undefined) return facts;
    const starts = new Map<number, number[]>();
    for (let id = 0; id < functions.length; id++) {
      const object = units?.loadObject[functions.unit?.[id] ?? -1] ?? -1;
      const start = functions.start?.[id] ?? -1;
      if (object >= 0 && start >= 0) addToList(starts, object, start);
    }
    for (const [object, list] of starts) {
      const file = await openNative(stringAt(names, loadObjects.path[object]), { copyOf: open });
      if (typeof file === 'string') continue;
      try {
        facts.#add(object, file, list);
      } finally {
        await file.close();
      }
    }
    const isMangled = [...facts.#names.values()].some((each) => each.some((name) => MANGLED.test(name)));
    if (isMangled) {
      const demangle = await demangler();
      facts.#demangle = (name) => (MANGLED.test(name) ? demangle(name) : name);
      facts.#peer = strict ? withEmptyPacks(facts.#demangle, 'kept') : facts.#demangle;
    }
    return facts;
  }

  #add(object: number, { elf, functions }: NativeObject, starts: readonly number[]): void {
    for (const start of starts) {
      const found = functions.at(start);
      if (found === undefined) continue;
      this.#sizes.set(`${object} ${start}`, found.end - found.start);
      if (!found.stripped) this.#names.set(`${object} ${start}`, functions.namesAt(start));
    }
    if (!this.#strict) return;
    const text = elf.sections.find(({ name }) => name === '.text')?.offset ?? -1;
    const code = elf.segments.find(({ offset, size }) => text >= offset && text < offset + size);
    this.opaque.set(object, new Holes(elf, functions, code?.size ?? 0));
  }

  /**
   * Names of the function that begins at an offset. `known`: as Kansoku names it, by the last symbol in the alphabet. gprofng takes the shortest
   * symbol, and has return types.
   */
  namesOf(object: number, start: number, known: string): FunctionNames {
    const symbols = this.#names.get(`${object} ${start}`) ?? [];
    const part = readPartName(known)?.symbol;
    if (part !== undefined && symbols.includes(part)) return { shown: known, symbol: part };
    const own = symbols.find((each) => this.#demangle(each) === known);
    const symbol = own === undefined || !this.#strict ? own : shortestName(own, symbols);
    const shown = this.#strict && symbol !== undefined ? this.#spelled(symbol) : known;
    const aliases = symbols.filter((each) => each !== symbol).map((each) => this.#spelled(each));
    const others = this.#strict ? aliases : aliases.filter((each) => each !== known);
    return {
      shown,
      ...(symbol !== undefined && symbol !== shown && { symbol }),
      ...(symbol !== undefined && others.length > 0 && { aliases: others }),
    };
  }

  #spelled(symbol: string): string {
    return this.#strict ? withReturnType(symbol, this.#peer) : this.#demangle(symbol);
  }

  sizeOf(object: number, start: number): number {
    return this.#sizes.get(`${object} ${start}`) ?? 0;
  }
}
