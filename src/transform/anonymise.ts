/**
 * Anonymises the names of a program: each part of a name (package, class, method) is replaced by its hash, so that
 * equal names stay equal in every file and the structure stays readable.
 *
 *   com.example.shop.Cart$Item.total   →   p3k….pq7….p0d….Ca9…$C4f….m81…
 *
 * Public names stay: the JDK, the VM, GraalVM, `<init>`, arrays, primitives; and generated ones: `$1`, `$$Lambda/0x…`,
 * `$Proxy12`, `[vdso]`. Build ids, which identify files, are replaced. Cost: a hash for each distinct part; a string
 * per class and function.
 */
import { mayHaveHash } from '../analysis/identity/spelling.js';
import { classesOf } from '../analysis/origin.js';
import { ByteInterner } from '../base/columns/hash.js';
import { UsageError } from '../base/errors.js';
import { NONE } from '../base/flavor.js';
import { usingPattern } from '../base/parsing/pattern.js';
import { phrase, theOption } from '../base/phrase.js';
import { encodeUtf8, stringAt } from '../base/text.js';
import { matchClasses } from '../models/program/names.js';
import { LOAD_OBJECT_KINDS, type Program } from '../models/program/program.js';

export interface AnonymiseOptions {
  /** One-way hash of a text to letters and digits, always the same for one text. */
  readonly hash: (text: string) => string;
  /** Matching classes keep their names and those of their methods. */
  readonly keep?: string;
}

const UNMAPPED = LOAD_OBJECT_KINDS.indexOf('unmapped');

/** Parts of names from a compiler or a VM. */
const GENERATED =
  /^(?:\d+|Lambda|lambda|access|(?:Generated\w+Accessor|Proxy)\d*|(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{8,40}(?:_\d+)?|s[0-9a-f]{6,8})$/;

/** Hash of a lambda's code with its names (32 or 40 digits), and of a hidden class (`s` before them). */
const HASH = /(?<![0-9a-z])[0-9a-f]{32,40}(?![0-9a-z])|(?<=(?:^|\/)s)[0-9a-f]{6,8}$/;

/**
 * The program with anonymised names; ids, kinds and rows stay. Throws `UsageError` if two names would become equal,
 * which another salt avoids, and if `keep` is not a regular expression.
 */
export function anonymise(program: Program, options: AnonymiseOptions): Program {
  const { classes, functions, names } = program;
  const { keep } = options;
  const known =
    keep === undefined
      ? undefined
      : usingPattern(`not a regular expression: ${keep}`, () => matchClasses(program, keep));
  const kept = classesOf(program, ['own']).map((own, id) => (own === 0 || known?.[id] === 1 ? 1 : 0));
  const parts = new Parts(options.hash);
  const interner = new ByteInterner();
  const add = (text: string): number => {
    const bytes = encodeUtf8(text);
    return interner.add(bytes, 0, bytes.length);
  };
  const classNames = Int32Array.from(classes.name, (name, id) =>
    name < 0 ? NONE : add(kept[id] === 1 ? stringAt(names, name) : parts.className(stringAt(names, name))),
  );
  const functionNames = Int32Array.from(functions.name, (name, id) => {
    if (name < 0) return NONE;
    const text = stringAt(names, name);
    const owner = functions.class[id];
    // native-image puts methods generated from a method of the program into its own classes, with the name in it.
    const known = owner >= 0 && kept[owner] === 1 && !mayHaveHash(text);
    return add(known ? text : parts.methodName(text));
  });
  refuseCollisions(classes.name, classNames);
  refuseCollisions(functions.name, functionNames);
  const { file: _, alias: __, aliasOf: ___, ...table } = functions;
  const native = nativeTables(program, parts, add);
  return {
    ...program,
    ...native,
    names: { bytes: interner.bytes.finish(), offsets: interner.offsets.finish() },
    classes: { ...classes, name: classNames },
    functions: { ...table, name: functionNames },
  };
}

/** Load objects and compile units with anonymised names. */
function nativeTables(
  { loadObjects, units, names }: Program,
  parts: Parts,
  add: (text: string) => number,
): Pick<Program, 'loadObjects' | 'units'> {
  const renamed = (column: Int32Array, change: (text: string) => string): Int32Array =>
    column.map((name) => (name < 0 ? NONE : add(change(stringAt(names, name)))));
  const path = (text: string): string => parts.path(text);
  return {
    ...(loadObjects && {
      loadObjects: {
        ...loadObjects,
        path: loadObjects.path.map((name, id) => {
          const text = stringAt(names, name);
          return add(loadObjects.kind[id] === UNMAPPED ? text : path(text));
        }),
        buildId: renamed(loadObjects.buildId, (text) => parts.buildId(text)),
        architecture: renamed(loadObjects.architecture, (text) => text),
      },
    }),
    ...(units && { units: { ...units, name: renamed(units.name, path) } }),
  };
}

/** Two names must not become equal; one name may become two, as a method and as a class. */
function refuseCollisions(before: Int32Array, after: Int32Array): void {
  const origin = new Map<number, number>();
  after.forEach((name, id) => {
    const known = origin.get(name);
    if (known === undefined) origin.set(name, before[id]);
    else if (known !== before[id]) throw collision();
  });
}

function collision(): UsageError {
  return new UsageError('two names have the same hash', {
    code: 'same-hash',
    advice: phrase`Run it again with another ${theOption('salt')}.`,
    action: { choose: ['salt'] },
  });
}

/** Parts of names and their replacements. */
class Parts {
  readonly #hash: (text: string) => string;
  readonly #known = new Map<string, string>();
  readonly #origin = new Map<string, string>();

  constructor(hash: (text: string) => string) {
    this.#hash = hash;
  }

  className(name: string): string {
    const close = name.endsWith(';') ? ';' : '';
    const open = close === '' ? '' : (/^\[*L?/.exec(name)?.[0] ?? '');
    const body = name.slice(open.length, name.length - close.length);
    const slash = body.search(/\/(?:0x[0-9a-f]+|\d+|s[0-9a-f]{6,8})$/);
    const [path, suffix] = slash < 0 ? [body, ''] : [body.slice(0, slash), body.slice(slash)];
    const last = Math.max(path.lastIndexOf('.'), path.lastIndexOf('/')) + 1;
    const packages = path.slice(0, last).replace(/[^./]+/g, (part) => this.#part('p', part));
    return open + packages + this.#words('C', path.slice(last)) + this.#otherHash(suffix) + close;
  }

  /** Path of a load object or a source file; other text stays: `[vdso]`. */
  path(path: string): string {
    return /^\[.*\]$/.test(path) ? path : path.replace(/[^/]+/g, (part) => this.#part('f', part));
  }

  buildId(id: string): string {
    return this.#part('b', id);
  }

  methodName(name: string): string {
    return /^<(?:cl)?init>$/.test(name) ? name : this.#words('m', name);
  }

  #words(kind: string, text: string): string {
    return text.replace(/[^$]+/g, (part) => (GENERATED.test(part) ? this.#otherHash(part) : this.#part(kind, part)));
  }

  /** Hashes by native-image could confirm a guessed name, so they are replaced by similar ones. */
  #otherHash(text: string): string {
    return text.replace(HASH, (digits) => {
      let made = '';
      for (let i = 0; made.length < digits.length; i++)
        made += Array.from(this.#hash(`${i}${digits}`), (digit) => (digit.charCodeAt(0) & 15).toString(16)).join('');
      return made.slice(0, digits.length);
    });
  }

  #part(kind: string, text: string): string {
    const key = `${kind}${text}`;
    let part = this.#known.get(key);
    if (part === undefined) {
      part = kind + this.#hash(key);
      const other = this.#origin.get(part);
      if (other !== undefined && other !== key) throw collision();
      this.#known.set(key, part);
      this.#origin.set(part, key);
    }
    return part;
  }
}
