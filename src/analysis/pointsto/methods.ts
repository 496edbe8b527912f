/** Methods and fields of the types under analysis, and which of them a reference in code means (JVMS 5.4.3, 5.4.6). */
import { IntTable } from '../../base/columns/hash.js';
import { FormatError } from '../../base/errors.js';
import type { Flavor } from '../../base/flavor.js';
import { NONE } from '../../base/flavor.js';
import { ACCESS } from '../../code/java/class-file/access.js';
import { decodeAttribute } from '../../code/java/class-file/attributes.js';
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import { TAG } from '../../code/java/class-file/constant-pool.js';
import { attempt } from '../../code/java/class-file/cursor.js';
import type { TypeId, TypeTable } from './types.js';

export type MethodId = Flavor<number, 'method'>;
export type FieldId = Flavor<number, 'field'>;
/** A name with a descriptor. */
export type SelectorId = Flavor<number, 'selector'>;

export interface Selector {
  readonly name: string;
  readonly descriptor: string;
}

export interface MethodEntry {
  readonly owner: TypeId;
  readonly selector: SelectorId;
  /** Undefined of methods that only calls name. */
  readonly info: MethodInfo | undefined;
}

/** Classes whose native methods take any arguments (JVMS 2.9.3). */
const POLYMORPHIC: ReadonlySet<string> = new Set(['java/lang/invoke/MethodHandle', 'java/lang/invoke/VarHandle']);

export class MethodTable {
  readonly #types: TypeTable;
  readonly #selectorIds = new Map<string, SelectorId>();
  readonly #selectors: Selector[] = [];
  readonly #methods: MethodEntry[] = [];
  readonly #ids = new IntTable(1 << 12);
  /** By type: the methods that it declares, by selector. */
  readonly #declared: (ReadonlyMap<SelectorId, MethodId> | undefined)[] = [];
  readonly #virtual = new IntTable(1 << 12);
  readonly #virtualMethods: MethodId[] = [];
  readonly #fieldIds = new IntTable(1 << 12);
  readonly #fields: { readonly owner: TypeId; readonly selector: SelectorId; readonly access: number }[] = [];

  constructor(types: TypeTable) {
    this.#types = types;
  }

  get length(): number {
    return this.#methods.length;
  }

  entry(method: MethodId): MethodEntry {
    return this.#methods[method];
  }

  selectorOf(method: MethodId): Selector {
    return this.#selectors[this.#methods[method].selector];
  }

  access(method: MethodId): number {
    return this.#methods[method].info?.access ?? 0;
  }

  isStatic(method: MethodId): boolean {
    return (this.access(method) & ACCESS.static) !== 0;
  }

  selector(name: string, descriptor: string): SelectorId {
    const key = `${name}${descriptor}`;
    const existing = this.#selectorIds.get(key);
    if (existing !== undefined) return existing;
    const id = this.#selectors.push({ name, descriptor }) - 1;
    this.#selectorIds.set(key, id);
    return id;
  }

  selectorText(selector: SelectorId): Selector {
    return this.#selectors[selector];
  }

  /** The methods that a type declares. */
  declaredBy(type: TypeId): ReadonlyMap<SelectorId, MethodId> {
    const existing = this.#declared[type];
    if (existing !== undefined) return existing;
    const declared = new Map<SelectorId, MethodId>();
    this.#declared[type] = declared;
    for (const info of this.#types.file(type)?.methods ?? []) {
      const selector = this.selector(info.name, info.descriptor);
      declared.set(selector, this.#add(type, selector, info));
    }
    return declared;
  }

  /** A method of a synthetic type. */
  declare(type: TypeId, name: string, descriptor: string): MethodId {
    const selector = this.selector(name, descriptor);
    const method = this.#add(type, selector, undefined);
    this.#declared[type] = new Map([...this.declaredBy(type), [selector, method]]);
    return method;
  }

  #add(owner: TypeId, selector: SelectorId, info: MethodInfo | undefined): MethodId {
    const id = this.#ids.add(owner, selector);
    if (id === this.#methods.length) this.#methods.push({ owner, selector, info });
    return id;
  }

  /** Whether an interface declares a method of objects that has code. */
  hasDefault(type: TypeId): boolean {
    const methods = [...this.declaredBy(type).values()];
    return methods.some((method) => (this.access(method) & (ACCESS.static | ACCESS.abstract)) === 0);
  }

  /** The method of a type by name and descriptor; undefined if it declares none. */
  declared(type: TypeId, name: string, descriptor: string): MethodId | undefined {
    return this.declaredBy(type).get(this.selector(name, descriptor));
  }

  /** The method that a reference means; one without code where there is none. */
  resolve(owner: TypeId, selector: SelectorId): MethodId {
    return this.find(owner, selector) ?? this.#polymorphic(owner, selector) ?? this.#add(owner, selector, undefined);
  }

  find(owner: TypeId, selector: SelectorId): MethodId | undefined {
    const start = this.#types.isArray(owner) ? this.#types.object : owner;
    for (let type = start; type >= 0; type = this.#types.superType(type)) {
      const method = this.declaredBy(type).get(selector);
      if (method !== undefined) return method;
    }
    return this.#inInterfaces(start, selector, true);
  }

  /** Whether a method takes any arguments: descriptors of its calls differ from its own. */
  isPolymorphic(method: MethodId): boolean {
    const { owner } = this.#methods[method];
    return POLYMORPHIC.has(this.#types.name(owner)) && (this.access(method) & ACCESS.native) !== 0;
  }

  #polymorphic(owner: TypeId, selector: SelectorId): MethodId | undefined {
    if (!POLYMORPHIC.has(this.#types.name(owner))) return undefined;
    const { name } = this.#selectors[selector];
    for (const method of this.declaredBy(owner).values())
      if (this.selectorOf(method).name === name && (this.access(method) & ACCESS.native) !== 0) return method;
    return undefined;
  }

  /** The most specific method of the interfaces of a type; one with code before all others, unless `abstract` is enough. */
  #inInterfaces(type: TypeId, selector: SelectorId, abstract: boolean): MethodId | undefined {
    let best: MethodId | undefined;
    let isBestAbstract = true;
    for (const each of this.#types.above(type)) {
      if (each === type ? !this.#types.isInterface(type) : !this.#types.isInterface(each)) continue;
      const method = this.declaredBy(each).get(selector);
      if (method === undefined || (this.access(method) & (ACCESS.static | ACCESS.private)) !== 0) continue;
      const isAbstract = (this.access(method) & ACCESS.abstract) !== 0;
      if (isAbstract && !abstract) continue;
      const isMoreSpecific = best === undefined || this.#types.isSubtype(each, this.#methods[best].owner);
      if (isMoreSpecific || (isBestAbstract && !isAbstract)) {
        best = method;
        isBestAbstract = isAbstract;
      }
    }
    return best;
  }

  /** The method that runs when `selector` is called on an object of exactly this type; undefined if none has code. */
  selected(type: TypeId, selector: SelectorId): MethodId | undefined {
    const key = this.#virtual.add(type, selector);
    if (key === this.#virtualMethods.length) this.#virtualMethods.push(this.#select(type, selector) ?? NONE);
    const method = this.#virtualMethods[key];
    return method < 0 ? undefined : method;
  }

  #select(type: TypeId, selector: SelectorId): MethodId | undefined {
    const start = this.#types.isArray(type) ? this.#types.object : type;
    for (let each = start; each >= 0; each = this.#types.superType(each)) {
      const method = this.declaredBy(each).get(selector);
      // Private methods override none (JVMS 5.4.5).
      if (method === undefined || (this.access(method) & (ACCESS.static | ACCESS.private)) !== 0) continue;
      if ((this.access(method) & ACCESS.abstract) === 0) return method;
      break;
    }
    return this.#inInterfaces(start, selector, false);
  }

  /** The field that a reference means. */
  field(owner: TypeId, name: string, descriptor: string): FieldId {
    const selector = this.selector(name, descriptor);
    const declaring = this.#declaringField(owner, name, descriptor);
    const id = this.#fieldIds.add(declaring?.type ?? owner, selector);
    if (id === this.#fields.length)
      this.#fields.push({ owner: declaring?.type ?? owner, selector, access: declaring?.access ?? 0 });
    return id;
  }

  fieldEntry(field: FieldId): { readonly owner: TypeId; readonly selector: SelectorId; readonly access: number } {
    return this.#fields[field];
  }

  /** The number that a field holds before code sets it: 0, or the constant of its class file; undefined if it cannot be known. */
  constantOf(field: FieldId): number | undefined {
    const { owner, selector } = this.#fields[field];
    const { name, descriptor } = this.#selectors[selector];
    const info = this.#types.file(owner)?.fields.find((each) => each.name === name && each.descriptor === descriptor);
    if (info === undefined) return undefined;
    const raw = (info.access & ACCESS.static) === 0 ? undefined : info.attribute('ConstantValue');
    if (raw === undefined) return 0;
    const { pool } = info.owner;
    const attribute = attempt(() => decodeAttribute(pool, raw));
    if (attribute instanceof FormatError || attribute.kind !== 'ConstantValue') return undefined;
    return pool.tag(attribute.index) === TAG.integer ? pool.integer(attribute.index) : undefined;
  }

  #declaringField(
    owner: TypeId,
    name: string,
    descriptor: string,
  ): { readonly type: TypeId; readonly access: number } | undefined {
    const accessIn = (type: TypeId): number | undefined =>
      this.#types.file(type)?.fields.find((field) => field.name === name && field.descriptor === descriptor)?.access;
    for (let type = owner; type >= 0; type = this.#types.superType(type)) {
      for (const each of [type, ...this.#types.interfaces(type)]) {
        const access = accessIn(each);
        if (access !== undefined) return { type: each, access };
      }
    }
    // Of interfaces above those.
    for (const type of this.#types.above(owner)) {
      const access = accessIn(type);
      if (access !== undefined) return { type, access };
    }
    return undefined;
  }
}
