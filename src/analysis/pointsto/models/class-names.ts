/**
 * Classes that code names by strings, as `Class.forName` takes them:
 *
 *   "a.b.C"                                  may be loaded and created, wherever the string goes
 *   text.equals("a.b.C"), append("a.b.C")    only compared, printed or a part of a text: names no class
 *   add("Digest", "MD5", "a.b.MD5") …        a table: a method with many names of classes. A row counts if code outside of tables passes all
 *                                            of its other strings to methods called get…; a name without others does not count
 */
import { internalName } from '../../../code/java/class-file/descriptor.js';
import type { Engine } from '../engine.js';
import type { MethodId } from '../methods.js';
import { referenceIn, type TypeId, type TypeTable } from '../types.js';

/** A method with more names of classes is a table: of JDK 17, enumerations have up to 5, tables of algorithms from 20 on. */
const MOST_NAMES = 12;

/** How methods are called that look rows up: `getInstance`, `getImpl`. */
const LOOK_UP = 'get';

/** Classes that join and print texts. */
const TEXTS: ReadonlySet<string> = new Set([
  'java/lang/StringBuilder',
  'java/lang/StringBuffer',
  'java/lang/AbstractStringBuilder',
  'java/util/StringJoiner',
  'java/io/PrintStream',
]);

/** Whether a method only compares, joins or prints the strings that it gets. */
export function isOfTexts({ types, methods }: Engine, callee: MethodId): boolean {
  const { owner } = methods.entry(callee);
  const { name, descriptor } = methods.selectorOf(callee);
  if (TEXTS.has(types.name(owner))) return true;
  if (types.name(owner) === 'java/lang/String')
    return referenceIn(descriptor.slice(descriptor.indexOf(')') + 1)) === undefined;
  const throwable = types.loaded('java/lang/Throwable');
  return name === '<init>' && throwable !== undefined && types.isSubtype(owner, throwable);
}

interface TableRow {
  readonly type: TypeId;
  readonly keys: ReadonlySet<string>;
}

export class ClassNames {
  readonly #types: TypeTable;
  readonly #create: (type: TypeId, reason: string) => void;
  readonly #tables = new Set<MethodId>();
  readonly #texts = new Set<string>();
  readonly #rows = new Map<string, TableRow[]>();
  /** Names in tables that nothing is known to look up. */
  readonly #ignored = new Set<TypeId>();

  constructor(types: TypeTable, create: (type: TypeId, reason: string) => void) {
    this.#types = types;
    this.#create = create;
  }

  /** Says how many names of classes the strings of a method are. */
  counted(method: MethodId, names: number): void {
    if (names > MOST_NAMES) this.#tables.add(method);
  }

  get ignored(): number {
    return this.#ignored.size;
  }

  #classNamed(text: string): TypeId | undefined {
    return text.includes('.') ? this.#types.loaded(internalName(text)) : undefined;
  }

  /** A string that a method passes on. */
  passed(text: string, method: MethodId): void {
    const type = this.#classNamed(text);
    if (this.#tables.has(method)) {
      if (type !== undefined) this.#ignored.add(type);
      return;
    }
    if (type !== undefined) this.#found(type, text);
  }

  /** The strings that a method passes to a call of a method called `callee`. */
  called(texts: readonly string[], method: MethodId, callee: string): void {
    if (!this.#tables.has(method)) {
      if (callee.startsWith(LOOK_UP)) for (const text of texts) this.#ask(text);
      return;
    }
    if (texts.length < 2) return;
    for (const text of texts) {
      const type = this.#classNamed(text);
      if (type === undefined) continue;
      const row: TableRow = { type, keys: new Set(texts.filter((other) => other !== text)) };
      for (const key of row.keys) this.#rows.set(key, [...(this.#rows.get(key) ?? []), row]);
      this.#look(row);
    }
  }

  #ask(text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    for (const row of this.#rows.get(text) ?? []) this.#look(row);
  }

  #look({ type, keys }: TableRow): void {
    if ([...keys].every((key) => this.#texts.has(key))) this.#found(type, [...keys].join(', '));
  }

  #found(type: TypeId, text: string): void {
    this.#ignored.delete(type);
    this.#create(type, `named by the string "${text}"`);
  }
}
