/**
 * Which classes of a recording a class path can say anything about. A class that is not on it is
 *
 *   generated   made at run or build time (hidden classes, lambdas, proxies, what native-image puts a hash to): in no jar
 *   gone        the path has other classes of its package: it would be there, too
 *   outside     the path has nothing of its package: another jar, the JDK, the VM
 *
 * A package that was renamed as a whole is therefore `outside`, not gone; that is why what is outside is told by package.
 */
import { identityOf, withoutHashes } from '../identity/spelling.js';

export type ClassPlace = 'there' | 'gone' | 'generated' | 'outside';

/** The package of a binary class name; empty for the unnamed one. */
export function packageOf(name: string): string {
  const slash = name.indexOf('/');
  return name.slice(0, Math.max(0, (slash < 0 ? name : name.slice(0, slash)).lastIndexOf('.')));
}

/** The name of a class without its package. */
export function simpleName(name: string): string {
  const { length } = packageOf(name);
  return length === 0 ? name : name.slice(length + 1);
}

export class ClassScope {
  readonly #has: (name: string) => boolean;
  readonly #packages: ReadonlySet<string>;
  readonly #known = new Map<string, ClassPlace>();

  /** `packages`: all that the class path has. */
  constructor(has: (name: string) => boolean, packages: ReadonlySet<string>) {
    this.#has = has;
    this.#packages = packages;
  }

  /** Of a class as Java source spells it; arrays are where their elements are, primitive types are everywhere. */
  of(type: string): ClassPlace {
    let place = this.#known.get(type);
    if (place === undefined) {
      place = this.#find(type.split('[]', 1)[0] ?? type);
      this.#known.set(type, place);
    }
    return place;
  }

  #find(name: string): ClassPlace {
    if (PRIMITIVES.has(name) || this.#has(name)) return 'there';
    if (isGenerated(name)) return 'generated';
    return this.#packages.has(packageOf(name)) ? 'gone' : 'outside';
  }
}

const PRIMITIVES = new Set(['boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double', 'void']);

/** Whether a name is one that only a VM or native-image gives. */
export function isGenerated(name: string): boolean {
  return identityOf(name) !== name || withoutHashes(name) !== name || /\$\$(?:Lambda|StringConcat)\b/.test(name);
}
