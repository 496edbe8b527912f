/**
 * Classes in memory by binary name, parsed on demand: look-up of methods as recordings name them, inherited methods and
 * subtypes (JVMS 5.4.3). Cost: the bytes of each class, and what `ClassFile` keeps of those that were asked for.
 */
import { FormatError } from '../../../base/errors.js';
import { type Problem, ProblemLog, type Problems } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import type { ClassPath } from '../../../models/program/class-path.js';
import { ACCESS } from '../class-file/access.js';
import { type ClassFile, type MethodInfo, readClassFile } from '../class-file/class-file.js';
import { attempt, damageOf } from '../class-file/cursor.js';

const OBJECT = 'java.lang.Object';
/** Supertypes of every array (JLS 4.10.3). */
const ARRAY_SUPERS: readonly string[] = [OBJECT, 'java.lang.Cloneable', 'java.io.Serializable'];
const PRIMITIVES = new Set(['boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double']);
/** Their methods with the one parameter Object[] take any descriptor (JVMS 2.9.3). */
const POLYMORPHIC_CLASSES = new Set(['java.lang.invoke.MethodHandle', 'java.lang.invoke.VarHandle']);

interface Held {
  readonly bytes: Uint8Array;
  readonly origin: string;
  /** `damaged`: nothing in it could be read. */
  file?: ClassFile | 'damaged';
}

export class ClassSet {
  readonly #classes = new Map<string, Held>();
  readonly #problems = new ProblemLog();

  get size(): number {
    return this.#classes.size;
  }

  /** Memory of the class files; parsed classes take some more. */
  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#classes.values()) sum += bytes.length;
    return sum;
  }

  /** Problems of the classes parsed so far; the path of a problem is the class. */
  get problems(): Problems {
    return this.#problems.finish();
  }

  names(): Iterable<string> {
    return this.#classes.keys();
  }

  has(name: string): boolean {
    return this.#classes.has(name);
  }

  /** Adds a class; the first of a name stays. The bytes must not change afterwards. */
  add(name: string, bytes: Uint8Array, origin: string = name): void {
    if (!this.#classes.has(name)) this.#classes.set(name, { bytes, origin });
  }

  /** The class of a binary name; undefined if it is missing or unreadable. */
  get(name: string): ClassFile | undefined {
    const held = this.#classes.get(name);
    if (held === undefined) return undefined;
    held.file ??= this.#parse(name, held);
    return held.file === 'damaged' ? undefined : held.file;
  }

  #parse(name: string, held: Held): ClassFile | 'damaged' {
    const file = attempt(() => readClassFile(held.bytes, held.origin));
    const problems: readonly Problem[] = file instanceof FormatError ? [damageOf(file)] : file.problems;
    for (const problem of problems) this.#problems.add({ ...problem, path: name });
    return file instanceof FormatError ? 'damaged' : file;
  }

  /** The methods of a name that a class declares. */
  methodsNamed(className: string, name: string): readonly MethodInfo[] {
    return this.get(className)?.methodsNamed(name) ?? [];
  }

  /** The declared method for the name in a recording; `ambiguous` if several match. */
  method(
    className: string,
    name: string,
    parameters?: readonly string[],
    returns?: string,
  ): MethodInfo | 'ambiguous' | undefined {
    const fitting = this.methodsNamed(className, name).filter((method) => {
      if (parameters === undefined && returns === undefined) return true;
      const types = method.types;
      if (types === undefined || (returns !== undefined && types.returns !== returns)) return false;
      return parameters === undefined || sameTypes(types.parameters, parameters);
    });
    return fitting.length > 1 ? 'ambiguous' : fitting[0];
  }

  /**
   * The method that a call of `className.name descriptor` resolves to (JVMS 5.4.3.3, 5.4.3.4; access is not checked).
   * undefined: no class has it. `unknown`: a class on the way is missing, so the result is open.
   */
  declaring(className: string, name: string, descriptor: string): MethodInfo | 'unknown' | undefined {
    const file = this.get(className.endsWith('[]') ? OBJECT : className);
    if (file === undefined) return 'unknown';
    const line = this.#superclasses(file);
    for (const each of line.classes) {
      const method = declaredIn(each, name, descriptor);
      if (method !== undefined) return method;
    }
    if ((file.access & ACCESS.interface) !== 0) {
      const inObject = this.get(OBJECT)?.method(name, descriptor);
      const found = inObject !== undefined && (inObject.access & (ACCESS.public | ACCESS.static)) === ACCESS.public;
      if (found) return inObject;
    }
    if (!line.whole) return 'unknown';
    const inherited = this.#superinterfaces(line.classes);
    const candidates = inherited.classes
      .map((each) => each.method(name, descriptor))
      .filter((method) => method !== undefined)
      .filter((method) => (method.access & (ACCESS.private | ACCESS.static)) === 0);
    return this.#mostSpecific(candidates) ?? (inherited.whole ? undefined : 'unknown');
  }

  /** The class and its superclasses, nearest first; `whole` is false if one is missing. */
  #superclasses(file: ClassFile): { classes: ClassFile[]; whole: boolean } {
    const classes = new Set<ClassFile>();
    for (let at: ClassFile | undefined = file; at !== undefined && !classes.has(at); ) {
      classes.add(at);
      const superName: string | undefined = at.superName;
      if (superName === undefined) return { classes: [...classes], whole: true };
      at = this.get(superName);
      if (at === undefined) return { classes: [...classes], whole: false };
    }
    return { classes: [...classes], whole: true };
  }

  /** All interfaces above the classes, each once, nearest first. */
  #superinterfaces(classes: readonly ClassFile[]): { classes: ClassFile[]; whole: boolean } {
    const found = new Set<ClassFile>();
    let whole = true;
    const waiting = [...classes];
    for (let next = 0; next < waiting.length; next++) {
      for (const name of waiting[next]?.interfaces ?? []) {
        const file = this.get(name);
        if (file === undefined) whole = false;
        else if (!found.has(file)) {
          found.add(file);
          waiting.push(file);
        }
      }
    }
    return { classes: [...found], whole };
  }

  /** The one maximally-specific method that is not abstract, else any of the candidates (JVMS 5.4.3.3). */
  #mostSpecific(candidates: readonly MethodInfo[]): MethodInfo | undefined {
    const maximal = candidates.filter(
      (method) =>
        !candidates.some((other) => other !== method && this.isSubtype(other.owner.name, method.owner.name) === true),
    );
    const concrete = maximal.filter((method) => (method.access & ACCESS.abstract) === 0);
    return (concrete.length === 1 ? concrete[0] : undefined) ?? maximal[0] ?? candidates[0];
  }

  /** Whether a type is `of` or below it, arrays as `int[]`; undefined if a class on the way is missing. */
  isSubtype(name: string, of: string): boolean | undefined {
    if (name === of || of === OBJECT) return !PRIMITIVES.has(name) || name === of;
    if (name.endsWith('[]')) {
      let both = 0;
      while (name.endsWith('[]', name.length - both) && of.endsWith('[]', of.length - both)) both += 2;
      if (both > 0) return this.isSubtype(name.slice(0, -both), of.slice(0, -both));
      return ARRAY_SUPERS.includes(of);
    }
    if (of.endsWith('[]') || PRIMITIVES.has(name) || PRIMITIVES.has(of)) return false;
    const seen = new Set<string>();
    const waiting = [name];
    let whole = true;
    for (let next = 0; next < waiting.length; next++) {
      const file = this.get(waiting[next] ?? '');
      if (file === undefined) {
        // Object has no supertypes, and a class path without a JDK lacks it.
        if (waiting[next] !== OBJECT) whole = false;
        continue;
      }
      const supers = file.superName === undefined ? file.interfaces : [file.superName, ...file.interfaces];
      for (const each of supers) {
        if (each === of) return true;
        if (!seen.has(each)) waiting.push(each);
        seen.add(each);
      }
    }
    return whole ? false : undefined;
  }
}

function sameTypes(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((type, i) => type === others[i]);
}

/** The method as declared, or the signature-polymorphic one of the name (JVMS 2.9.3). */
function declaredIn(file: ClassFile, name: string, descriptor: string): MethodInfo | undefined {
  const named = file.methodsNamed(name);
  const [only] = named;
  const needed = ACCESS.native | ACCESS.varargs;
  const polymorphic =
    named.length === 1 &&
    only !== undefined &&
    POLYMORPHIC_CLASSES.has(file.name) &&
    (only.access & needed) === needed &&
    only.descriptor.startsWith('([Ljava/lang/Object;)');
  return polymorphic ? only : named.find((method) => method.descriptor === descriptor);
}

export interface LoadOptions {
  /** Also all superclasses and interfaces that the path has. */
  readonly supers: boolean;
  /** Names of the further classes that a class needs, with `supers`. */
  readonly besides?: (file: ClassFile) => readonly string[];
}

/** Takes classes of a path into memory; missing names are ignored. */
export async function loadClasses(
  path: ClassPath,
  names: readonly string[],
  work: Work,
  options: LoadOptions,
): Promise<ClassSet> {
  const set = new ClassSet();
  for (let wanted: readonly string[] = [...new Set(names)]; wanted.length > 0; ) {
    const loaded: string[] = [];
    await path.load(
      wanted.filter((name) => path.has(name)),
      (name, bytes) => {
        set.add(name, bytes.slice(), path.originOf(name) ?? name);
        loaded.push(name);
      },
      work,
    );
    if (!options.supers) break;
    const above = loaded.flatMap((name) => {
      const file = set.get(name);
      if (file === undefined) return [];
      const supers = file.superName === undefined ? file.interfaces : [file.superName, ...file.interfaces];
      return [...supers, ...(options.besides?.(file) ?? [])];
    });
    wanted = [...new Set(above)].filter((name) => !set.has(name) && path.has(name));
  }
  return set;
}
