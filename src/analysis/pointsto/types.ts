/**
 * The types of a program under analysis: classes, interfaces and arrays by their internal names, with what is above them.
 *
 *   java/lang/String         a class of the class path
 *   [Ljava/lang/String;  [I  arrays: below Object, Cloneable, Serializable, and the arrays of what is above their elements
 *   not/There                a class that the path lacks: it is below Object only, and has no members
 *
 * A type is used only once its class is loaded, with all classes above it (`World`).
 */
import type { Flavor } from '../../base/flavor.js';
import { NONE } from '../../base/flavor.js';
import { ACCESS } from '../../code/java/class-file/access.js';
import type { ClassFile } from '../../code/java/class-file/class-file.js';
import { internalName, typeEnd } from '../../code/java/class-file/descriptor.js';
import { slotsOf } from '../../code/java/flow/stack-effect.js';

export type TypeId = Flavor<number, 'type'>;

export const OBJECT = 'java/lang/Object';
/** What stands for the numbers of up to 32 bits: they flow as types do, `int.5` below `int.`. No class has a dot in its internal name. */
export const NUMBER = 'int.';
/** An object of a class that nobody knows: it is below all types, and calls on it select no method. */
const UNKNOWN = 'unknown.';
const ABOVE_ARRAYS: readonly string[] = ['java/lang/Cloneable', 'java/io/Serializable'];

/** What is known of a type. */
interface TypeInfo {
  readonly name: string;
  /** Undefined of arrays, of classes that are not loaded yet, and of those that the path lacks. */
  file: ClassFile | undefined;
  /** NONE of Object. */
  superType: TypeId;
  interfaces: readonly TypeId[];
  /** Of arrays of references. */
  component: TypeId;
  /** Whether the class path was asked for it. */
  isLoaded: boolean;
  /** Itself and all types above it; undefined until a question needs it. */
  above: ReadonlySet<TypeId> | undefined;
  /** The same, one bit a type. */
  aboveBits: Uint32Array | undefined;
}

export class TypeTable {
  readonly #ids = new Map<string, TypeId>();
  readonly #types: TypeInfo[] = [];
  readonly #named: TypeId[] = [];
  readonly object: TypeId;
  readonly number: TypeId;
  readonly unknown: TypeId;

  constructor() {
    this.object = this.id(OBJECT);
    this.number = this.synthetic(NUMBER, []);
    this.unknown = this.synthetic(UNKNOWN, []);
  }

  get length(): number {
    return this.#types.length;
  }

  /** The type of an internal name, of a class or an array. */
  id(name: string): TypeId {
    const existing = this.#ids.get(name);
    if (existing !== undefined) return existing;
    const isArray = name.startsWith('[');
    const component = isArray ? referenceIn(name.slice(1)) : undefined;
    const id = this.#types.length;
    this.#ids.set(name, id);
    this.#types.push({
      name,
      file: undefined,
      superType: id === 0 ? NONE : 0,
      interfaces: [],
      component: NONE,
      isLoaded: isArray,
      above: undefined,
      aboveBits: undefined,
    });
    if (component !== undefined) this.#types[id].component = this.id(component);
    this.#named.push(id);
    return id;
  }

  /** The type of an internal name, if its class is loaded. */
  loaded(name: string): TypeId | undefined {
    const type = this.#ids.get(name);
    return type === undefined || this.#types[type].file === undefined ? undefined : type;
  }

  name(type: TypeId): string {
    return this.#types[type].name;
  }

  file(type: TypeId): ClassFile | undefined {
    return this.#types[type].file;
  }

  superType(type: TypeId): TypeId {
    return this.#types[type].superType;
  }

  interfaces(type: TypeId): readonly TypeId[] {
    return this.#types[type].interfaces;
  }

  /** The type of the elements of an array of references; NONE of all other types. */
  component(type: TypeId): TypeId {
    return this.#types[type].component;
  }

  isArray(type: TypeId): boolean {
    return this.#types[type].name.startsWith('[');
  }

  isInterface(type: TypeId): boolean {
    return ((this.#types[type].file?.access ?? 0) & ACCESS.interface) !== 0;
  }

  /** Whether objects can be of exactly this type. */
  isInstantiable(type: TypeId): boolean {
    return ((this.#types[type].file?.access ?? 0) & (ACCESS.abstract | ACCESS.interface)) === 0;
  }

  /** Whether no type is below it. */
  isFinal(type: TypeId): boolean {
    return ((this.#types[type].file?.access ?? 0) & ACCESS.final) !== 0;
  }

  /** The types that were named since, and may not be loaded yet. */
  takeNamed(): TypeId[] {
    return this.#named.splice(0).filter((type) => !this.#types[type].isLoaded || this.isArray(type));
  }

  /** A class that the path has, or lacks. */
  setLoaded(type: TypeId): void {
    this.#types[type].isLoaded = true;
  }

  /** A class that no file has, below a superclass and interfaces. */
  synthetic(name: string, interfaces: readonly TypeId[], superType = this.object): TypeId {
    const type = this.id(name);
    this.#types[type].superType = superType;
    this.#types[type].interfaces = interfaces;
    this.#types[type].isLoaded = true;
    return type;
  }

  /** Gives a type its class, and names what is above it. */
  define(type: TypeId, file: ClassFile): void {
    const info = this.#types[type];
    info.file = file;
    const { superName, interfaces } = file;
    info.superType =
      superName === undefined ? (type === this.object ? NONE : this.object) : this.id(internalName(superName));
    info.interfaces = interfaces.map((name) => this.id(internalName(name)));
  }

  /** The types directly above one. */
  parents(type: TypeId): readonly TypeId[] {
    const { superType, interfaces, component, name } = this.#types[type];
    const parents = superType < 0 ? interfaces : [superType, ...interfaces];
    if (!name.startsWith('[')) return parents;
    const above = [...parents, ...ABOVE_ARRAYS.map((parent) => this.id(parent))];
    return component < 0 ? above : [...above, ...this.parents(component).map((parent) => this.arrayOf(parent))];
  }

  arrayOf(type: TypeId): TypeId {
    const { name } = this.#types[type];
    return this.id(name.startsWith('[') ? `[${name}` : `[L${name};`);
  }

  /** Itself and all types above it. A class that names itself among its own ancestors has Object above it only. */
  above(type: TypeId): ReadonlySet<TypeId> {
    const info = this.#types[type];
    if (info.above !== undefined) return info.above;
    if (!info.isLoaded) throw new Error(`${info.name} is not loaded`);
    const above = new Set<TypeId>([type, this.object]);
    info.above = above;
    for (const parent of this.parents(type)) for (const each of this.above(parent)) above.add(each);
    return above;
  }

  isSubtype(type: TypeId, above: TypeId): boolean {
    if (type === above || above === this.object) return true;
    const bits = this.#types[type].aboveBits ?? this.#bitsAbove(type);
    return ((bits[above >>> 5] >>> (above & 31)) & 1) !== 0;
  }

  /** A set of bits takes a third of the time of a set of numbers, of which an analysis asks millions of times. */
  #bitsAbove(type: TypeId): Uint32Array {
    const above = this.above(type);
    const bits = new Uint32Array((Math.max(...above) >>> 5) + 1);
    for (const each of above) bits[each >>> 5] |= 1 << (each & 31);
    this.#types[type].aboveBits = bits;
    return bits;
  }

  /** The type of exactly one number. */
  numberType(value: number): TypeId {
    const name = NUMBER + value;
    return this.#ids.get(name) ?? this.synthetic(name, [], this.number);
  }

  /** The number that a type stands for; undefined of all other types. */
  numberOf(type: TypeId): number | undefined {
    const { name, superType } = this.#types[type];
    return superType === this.number ? Number(name.slice(NUMBER.length)) : undefined;
  }
}

/** The internal name that a field descriptor of a reference has; undefined of primitives. */
export function referenceIn(descriptor: string): string | undefined {
  if (descriptor.startsWith('L')) return descriptor.slice(1, -1);
  return descriptor.startsWith('[') ? descriptor : undefined;
}

/** What a place of a field descriptor holds: the internal name of a reference, `NUMBER` of boolean, byte, char, short and int; undefined of others. */
export function valueIn(descriptor: string): string | undefined {
  return referenceIn(descriptor) ?? (/^[ZBCSI]/.test(descriptor) ? NUMBER : undefined);
}

/** The parameters and the result of a method descriptor, as `valueIn` has them. */
export interface ValueTypes {
  readonly parameters: readonly (string | undefined)[];
  readonly result: string | undefined;
  /** 1 or 2 slots of each parameter. */
  readonly slots: readonly number[];
  /** Slots of the result: 0, 1 or 2. */
  readonly resultSlots: number;
}

export function valueTypes(descriptor: string): ValueTypes {
  const parameters: (string | undefined)[] = [];
  const slots: number[] = [];
  for (let at = 1, end = typeEnd(descriptor, at); end >= 0; at = end, end = typeEnd(descriptor, at)) {
    const text = descriptor.slice(at, end);
    parameters.push(valueIn(text));
    slots.push(slotsOf(text));
  }
  const result = descriptor.slice(descriptor.lastIndexOf(')') + 1);
  return { parameters, result: valueIn(result), slots, resultSlots: slotsOf(result) };
}
