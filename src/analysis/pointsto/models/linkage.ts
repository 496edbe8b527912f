/**
 * Code of java.lang.invoke that the VM runs where handles are linked, which no code calls by name:
 *
 *   string + string                helpers of StringConcatFactory
 *   handle.invoke(…), indy         the prepared forms in classes called …$Holder
 *   VarHandle.set(…)               the guard for the types of the call, and the method of this name of each kind of handle
 */
import { ACCESS } from '../../../code/java/class-file/access.js';
import { descriptorOf, methodTypes } from '../../../code/java/class-file/descriptor.js';
import type { Engine } from '../engine.js';
import type { MethodId } from '../methods.js';
import { referenceIn, type TypeId } from '../types.js';

const INVOKE = 'java/lang/invoke/';
const VAR_HANDLE = `${INVOKE}VarHandle`;
const GUARDS = `${INVOKE}VarHandleGuards`;
const HELPER = 'java/lang/StringConcatHelper';
const HOLDERS: readonly string[] = ['DirectMethodHandle', 'Invokers', 'DelegatingMethodHandle'].map(
  (name) => `${INVOKE}${name}$Holder`,
);

/** Types that the model asks for. */
export const LINKAGE_TYPES: readonly string[] = [VAR_HANDLE, GUARDS, HELPER, ...HOLDERS];

const FORMS = 'runs where handles are linked';

export class Linkage {
  readonly #engine: Engine;
  readonly #linked = new Set<string>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  #once(key: string): boolean {
    const isNew = !this.#linked.has(key);
    this.#linked.add(key);
    return isNew;
  }

  /** A string is joined. */
  concatenated(): void {
    if (this.#once('concatenation')) this.#enterStatic(HELPER, () => true, 'joins strings');
  }

  /** A call is linked by a bootstrap method, or made on a handle. */
  linked(): void {
    if (!this.#once('forms')) return;
    for (const holder of HOLDERS) this.#enterStatic(holder, () => true, FORMS);
  }

  /** A call of a native method that takes any arguments. `descriptor`: that of the call. */
  called(callee: MethodId, descriptor: string): void {
    const { methods, types, flows } = this.#engine;
    const { owner } = methods.entry(callee);
    this.linked();
    if (types.name(owner) !== VAR_HANDLE) return;
    const { name } = methods.selectorOf(callee);
    const guard = guardName(descriptor);
    // A comparison has a guard of its own.
    const isGuard = (method: string): boolean => method === guard || method === guard.replace(/_I$/, '_Z');
    if (this.#once(guard)) this.#enterStatic(GUARDS, isGuard, FORMS);
    const isMeant = handlesOf(name, descriptor);
    if (!this.#once(`mode ${name} ${isMeant}`)) return;
    flows.eachBelow(owner, (type) => {
      if (!isMeant.test(types.name(type))) return;
      for (let each = type; each >= 0 && each !== owner; each = types.superType(each))
        this.#enterStatic(types.name(each), (method) => method === name, 'method of a variable handle');
    });
  }

  #enterStatic(type: string, isWanted: (name: string) => boolean, reason: string): void {
    const { methods, types } = this.#engine;
    const id: TypeId | undefined = types.loaded(type);
    if (id === undefined) return;
    for (const method of methods.declaredBy(id).values())
      if ((methods.access(method) & ACCESS.static) !== 0 && isWanted(methods.selectorOf(method).name))
        this.#engine.enterWithAny(method, reason);
  }
}

/** Words in the names of classes of handles, by the descriptor of what they hold; other classes hold anything. */
const VALUES: Readonly<Record<string, string>> = {
  Z: 'Booleans',
  B: 'Bytes',
  C: 'Chars',
  S: 'Shorts',
  I: 'Ints',
  J: 'Longs',
  F: 'Floats',
  D: 'Doubles',
};
const PLACES: readonly string[] = ['FieldStatic', 'FieldInstance', '(?:Array|ByteBuffer)'];

/** The names of the classes of handles that a call may be on: by the type of the value, and by how many arguments say where it is. */
function handlesOf(mode: string, descriptor: string): RegExp {
  const { parameters = [], returns = 'void' } = methodTypes(descriptor) ?? {};
  const isGetter = mode.startsWith('get') && !mode.startsWith('getAnd');
  const values = isGetter ? 0 : /compareAnd/i.test(mode) ? 2 : 1;
  const value = isGetter ? returns : (parameters.at(-1) ?? returns);
  const word = VALUES[descriptorOf(value)] ?? '(?:References|Objects)';
  const place = PLACES[parameters.length - values];
  return new RegExp(`^(?!.*VarHandle(?:ByteArrayAs|SegmentAs)?[A-Z][a-z]+s\\$)|${word}\\$${place ?? '.*'}`);
}

/** `guard_LI_V`: the kinds of the arguments and of the result; the handle itself is none of them. */
function guardName(descriptor: string): string {
  const end = descriptor.lastIndexOf(')');
  const kinds = descriptor
    .slice(1, end)
    .replace(/\[*L[^;]*;|\[+[A-Z]/g, 'L')
    .replace(/[BCSZ]/g, 'I');
  const result = descriptor.slice(end + 1);
  const kind = referenceIn(result) === undefined ? result.replace(/[BCSZ]/, 'I') : 'L';
  return `guard_${kinds}_${kind}`;
}
