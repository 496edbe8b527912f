/**
 * Compares two versions of a class, method by method. Methods with the same name and descriptor are the same. Lambdas,
 * whose numbers change when one is added above, are found by their code. Methods that are gone have candidates for
 * their new name, which are only shown.
 *
 * Cost: linear in the code of the class; places in changed methods cost more when they are looked up (`code-map.ts`).
 */
import { addToList } from '../../base/columns/lists.js';
import { ACCESS } from '../../code/java/class-file/access.js';
import type { ClassFile, MethodInfo } from '../../code/java/class-file/class-file.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { type CodeChange, CodeMap, codeText } from './code-map.js';
import { lambdaBase, Meanings, type NormalCode, normalCode, PoolMeanings } from './normal-code.js';

/** The change of a method. */
export interface MethodChange {
  readonly from: MethodInfo;
  readonly state: CodeChange | 'gone';
  /** Undefined if it is gone. A lambda may have another number. */
  readonly to: MethodInfo | undefined;
  /** The new places of old ones; undefined if the method is gone or one version has no code. */
  readonly map: CodeMap | undefined;
  /** If it is gone: methods that may be the same under another name or with other parameters. */
  readonly candidates: readonly MethodInfo[];
}

export interface ClassChange {
  /** By `methodId` of the old methods. */
  readonly methods: ReadonlyMap<string, MethodChange>;
  /** Methods that only the new version has. */
  readonly added: readonly MethodInfo[];
}

/** Identifies a method within its class: name and descriptor. */
export function methodId(method: Pick<MethodInfo, 'name' | 'descriptor'>): string {
  return `${method.name} ${method.descriptor}`;
}

/** One side of the comparison: methods with their code, each normalised once. */
class Side {
  readonly methods: readonly MethodInfo[];
  readonly #pool: PoolMeanings;
  readonly #codes = new Map<MethodInfo, NormalCode | undefined>();
  readonly #texts = new Map<MethodInfo, string | undefined>();

  constructor(file: ClassFile, meanings: Meanings, classes: ClassSet) {
    this.methods = file.methods;
    this.#pool = new PoolMeanings(file, meanings, (name) => classes.get(name));
  }

  code(method: MethodInfo): NormalCode | undefined {
    if (!this.#codes.has(method)) this.#codes.set(method, normalCode(method, this.#pool));
    return this.#codes.get(method);
  }

  /** Equal for methods with the same descriptor and code; undefined without code. */
  text(method: MethodInfo): string | undefined {
    if (!this.#texts.has(method)) {
      const code = this.code(method);
      const kind = method.access & ACCESS.static;
      this.#texts.set(method, code?.whole === true ? `${kind} ${method.descriptor}\n${codeText(code)}` : undefined);
    }
    return this.#texts.get(method);
  }
}

/** `oldClasses` and `newClasses` return the classes that number the constants of enums (`switch-map.ts`). */
export function compareClasses(
  from: ClassFile,
  to: ClassFile,
  oldClasses: ClassSet,
  newClasses: ClassSet,
): ClassChange {
  const meanings = new Meanings();
  const old = new Side(from, meanings, oldClasses);
  const now = new Side(to, meanings, newClasses);
  const pairs = pairLambdas(old, now);
  const taken = new Set(pairs.values());
  const left = new Map(now.methods.filter((method) => !taken.has(method)).map((method) => [methodId(method), method]));
  const lambdasLeft = countLambdas(now.methods);
  const lambdasWere = countLambdas(old.methods);
  for (const method of old.methods) {
    const id = methodId(method);
    const same = left.get(id);
    if (pairs.has(method) || same === undefined) continue;
    // If the number of lambdas differs, their numbers mean nothing.
    const base = lambdaBase(method.name);
    if (base !== undefined && lambdasWere.get(base) !== lambdasLeft.get(base)) continue;
    pairs.set(method, same);
    left.delete(id);
  }
  const added = [...left.values()];
  const gone = old.methods.filter((method) => !pairs.has(method));
  const methods = new Map(
    old.methods.map((method): [string, MethodChange] => {
      const other = pairs.get(method);
      return [
        methodId(method),
        other === undefined ? goneMethod(method, gone, added, old, now) : changeOf(method, other, old, now),
      ];
    }),
  );
  return { methods, added };
}

function changeOf(from: MethodInfo, to: MethodInfo, old: Side, now: Side): MethodChange {
  const before = old.code(from);
  const after = now.code(to);
  const candidates: readonly MethodInfo[] = [];
  if (before !== undefined && after !== undefined) {
    const map = new CodeMap(before, after);
    return { from, to, map, state: map.state, candidates };
  }
  return { from, to, map: undefined, state: before === after ? 'unchanged' : 'changed', candidates };
}

function countLambdas(methods: readonly MethodInfo[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of methods) {
    const base = lambdaBase(name);
    if (base !== undefined) counts.set(base, (counts.get(base) ?? 0) + 1);
  }
  return counts;
}

/**
 * Pairs the lambdas of one method that have the same code, in their order; if the number of these differs, they are
 * ambiguous.
 */
function pairLambdas(old: Side, now: Side): Map<MethodInfo, MethodInfo> {
  const pairs = new Map<MethodInfo, MethodInfo>();
  const groups = lambdasByCode(now);
  for (const [code, before] of lambdasByCode(old)) {
    const after = groups.get(code) ?? [];
    if (before.length !== after.length) continue;
    for (const [i, method] of before.entries()) pairs.set(method, after[i]);
  }
  return pairs;
}

function lambdasByCode(side: Side): Map<string, MethodInfo[]> {
  const groups = new Map<string, MethodInfo[]>();
  for (const method of side.methods) {
    const base = lambdaBase(method.name);
    const text = base === undefined ? undefined : side.text(method);
    if (base === undefined || text === undefined) continue;
    addToList(groups, `${base}\n${text}`, method);
  }
  for (const group of groups.values()) group.sort((a, b) => lambdaNumber(a) - lambdaNumber(b));
  return groups;
}

function lambdaNumber({ name }: MethodInfo): number {
  return Number(name.slice(name.lastIndexOf('$') + 1));
}

/** Methods with the same code under another name; else the method of the same name, if it is the only one that is gone. */
function goneMethod(
  method: MethodInfo,
  gone: readonly MethodInfo[],
  added: readonly MethodInfo[],
  old: Side,
  now: Side,
): MethodChange {
  const text = old.text(method);
  const sameCode = text === undefined ? [] : added.filter((candidate) => now.text(candidate) === text);
  const sameName = added.filter(({ name }) => name === method.name);
  const only = gone.filter(({ name }) => name === method.name).length === 1 && sameName.length === 1;
  const candidates = sameCode.length > 0 ? sameCode : only ? sameName : [];
  return { from: method, to: undefined, state: 'gone', map: undefined, candidates };
}
