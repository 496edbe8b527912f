/**
 * Classes whose names code puts together from strings of the program:
 *
 *   "sun.text.resources" + ".FormatData"                     a package and the end of a name
 *   "sun.net.www.protocol" + "." + protocol + ".Handler"     a package below it, if a string of the program begins with its name: "http://…"
 *   "java.net." + name                                       a package with its dot and a simple name
 */
import { addToList } from '../../../base/columns/lists.js';
import type { TypeId } from '../types.js';

/** A class with more names of packages lists them: those of modules do, and put no names together. */
const MOST_PACKAGES = 12;

const SIMPLE_NAME = /^[A-Z]\w+$/;

export class ComposedNames {
  readonly #names: Iterable<string>;
  readonly #visit: (name: string) => void;
  readonly #later: (action: () => void) => void;
  /** Names of packages, by the class whose code loads them. */
  readonly #packagesIn = new Map<TypeId, Set<string>>();
  /** By simple name. */
  #classes: ReadonlyMap<string, readonly string[]> | undefined;
  readonly #packages = new Set<string>();
  readonly #strings = new Set<string>();
  /** Words that strings of the program begin with. */
  readonly #words = new Set<string>();
  readonly #prefixes = new Set<string>();
  readonly #suffixes = new Set<string>();
  readonly #simpleNames = new Set<string>();

  /** `visit`: gets binary names; `later`: calls back once the code of the class is read. */
  constructor(names: Iterable<string>, visit: (name: string) => void, later: (action: () => void) => void) {
    this.#names = names;
    this.#visit = visit;
    this.#later = later;
  }

  #index(): ReadonlyMap<string, readonly string[]> {
    if (this.#classes !== undefined) return this.#classes;
    const classes = new Map<string, string[]>();
    for (const name of this.#names) {
      const dot = name.lastIndexOf('.');
      addToList(classes, name.slice(dot + 1), name);
      // Packages that have only packages count, too.
      for (let end = dot; end > 0 && !this.#packages.has(name.slice(0, end)); end = name.lastIndexOf('.', end - 1))
        this.#packages.add(name.slice(0, end));
    }
    this.#classes = classes;
    return classes;
  }

  /** A string that reachable code of a class loads. */
  loaded(text: string, owner: TypeId, isProgram: boolean): void {
    const word = isProgram ? /^\w+/.exec(text)?.[0] : undefined;
    if (word !== undefined) this.#addWord(word);
    this.#index();
    if (this.#packages.has(text.replace(/\.$/, ''))) this.#addPackage(text, owner);
    if (this.#strings.has(text)) return;
    this.#strings.add(text);
    if (text.startsWith('.') && SIMPLE_NAME.test(text.slice(1))) {
      this.#suffixes.add(text);
      for (const prefix of this.#prefixes) this.#compose(prefix, text);
    } else if (SIMPLE_NAME.test(text)) {
      this.#simpleNames.add(text);
      this.#join(text);
    }
  }

  #addPackage(text: string, owner: TypeId): void {
    const names = this.#packagesIn.get(owner) ?? new Set();
    this.#packagesIn.set(owner, names.add(text));
    this.#later(() => {
      if (names.size > MOST_PACKAGES || this.#prefixes.has(text)) return;
      this.#prefixes.add(text);
      if (text.endsWith('.')) for (const name of this.#simpleNames) this.#join(name);
      else for (const suffix of this.#suffixes) this.#compose(text, suffix);
    });
  }

  #addWord(word: string): void {
    if (this.#words.has(word)) return;
    this.#words.add(word);
    for (const prefix of this.#prefixes) for (const suffix of this.#suffixes) this.#compose(prefix, suffix);
  }

  #join(simpleName: string): void {
    for (const name of this.#index().get(simpleName) ?? [])
      if (this.#prefixes.has(name.slice(0, -simpleName.length))) this.#visit(name);
  }

  #compose(prefix: string, suffix: string): void {
    for (const name of this.#index().get(suffix.slice(1)) ?? []) {
      if (!name.startsWith(prefix)) continue;
      const between = name.slice(prefix.length, -suffix.length);
      if (between === '' || (between.startsWith('.') && this.#words.has(between.slice(1)))) this.#visit(name);
    }
  }
}
