/**
 * Which classes of a recording can be judged by a class path. A class that is not on it is
 *
 *   generated   made at run or build time (hidden classes, lambdas, proxies, classes named by native-image with a hash)
 *   gone        removed, since the path has other classes of its package
 *   outside     not covered, since the path has no class of its package: another jar, the JDK, the VM
 *
 * A package that was renamed as a whole is therefore `outside`, not gone; so classes outside are listed by package.
 */
import { identityOf, withoutHashes } from '../identity/spelling.js';
import { packagePart } from '../packages.js';

export type ClassPlace = 'there' | 'gone' | 'generated' | 'outside';

/** The name of a class without its package. */
export function simpleName(name: string): string {
  const { length } = packagePart(name);
  return length === 0 ? name : name.slice(length + 1);
}

export class ClassScope {
  readonly #has: (name: string) => boolean;
  readonly #packages: ReadonlySet<string>;
  readonly #known = new Map<string, ClassPlace>();

  /** `packages`: all packages of the class path. */
  constructor(has: (name: string) => boolean, packages: ReadonlySet<string>) {
    this.#has = has;
    this.#packages = packages;
  }

  /**
   * The place of a class as spelled in Java source; arrays are where their elements are, primitive types are always on
   * the path.
   */
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
    return this.#packages.has(packagePart(name)) ? 'gone' : 'outside';
  }
}

const PRIMITIVES = new Set(['boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double', 'void']);

/** Whether only a VM or native-image makes such a name. */
export function isGenerated(name: string): boolean {
  return identityOf(name) !== name || withoutHashes(name) !== name || /\$\$(?:Lambda|StringConcat)\b/.test(name);
}
