/**
 * Class files (JVMS 4) of versions 45 to 69. Reading one walks its constant pool, members and attributes and keeps
 * their offsets: 4 bytes per pool entry and member beside the bytes. Names and contents are decoded on demand.
 *
 * Damage: without a complete pool and a class name nothing can be read (FormatError). Complete members and attributes
 * are kept; the rest is a problem with its offset. Contents of attributes are decoded on demand.
 */
import { FormatError } from '../../../base/errors.js';
import type { Problem } from '../../../base/problems.js';
import { encodeUtf8 } from '../../../base/text.js';
import { Code } from './code.js';
import { ConstantPool } from './constant-pool.js';
import { attempt, damageOf } from './cursor.js';
import { binaryName, type MethodTypes, methodTypes } from './descriptor.js';
import {
  ATTRIBUTE_HEAD,
  type AttributeTable,
  findAttribute,
  lengthAt,
  listAttributes,
  type RawAttribute,
  walkAttributes,
} from './raw-attributes.js';

const MAGIC = 0xcafebabe;
/** Java 25. */
const NEWEST_MAJOR = 69;
/** access_flags, name_index, descriptor_index, attributes_count. */
const MEMBER_HEAD = 8;
const CODE = encodeUtf8('Code');
/** A typed array costs 300 bytes even if it is short, so lists of members are plain ones, and this is the empty one. */
const NONE: readonly number[] = [];

/** Reads a class file; `origin` is its name in messages. Throws FormatError if nothing can be read. */
export function readClassFile(bytes: Uint8Array, origin: string): ClassFile {
  return new ClassFile(bytes, origin);
}

/** The binary name in a class file, without reading the rest; undefined if that part is damaged. */
export function declaredName(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) !== MAGIC) return undefined;
  const name = attempt(() => {
    const pool = new ConstantPool(bytes, 'class');
    // After the pool come the access flags, then the class itself.
    const at = pool.end + 2;
    return at + 2 > bytes.length ? undefined : binaryName(pool.ownName((bytes[at] << 8) | bytes[at + 1]));
  });
  return name instanceof FormatError ? undefined : name;
}

/** A field or method as declared. */
class MemberInfo {
  readonly owner: ClassFile;
  /** Offset in the class file. */
  readonly offset: number;
  readonly access: number;
  #attributes: readonly RawAttribute[] | undefined;

  constructor(owner: ClassFile, offset: number) {
    this.owner = owner;
    this.offset = offset;
    this.access = this.#u2(0);
  }

  #u2(at: number): number {
    return (this.owner.bytes[this.offset + at] << 8) | this.owner.bytes[this.offset + at + 1];
  }

  /** Pool index of the name. */
  get nameIndex(): number {
    return this.#u2(2);
  }

  /** Pool index of the descriptor. */
  get descriptorIndex(): number {
    return this.#u2(4);
  }

  get name(): string {
    return this.owner.pool.utf8(this.nameIndex);
  }

  get descriptor(): string {
    return this.owner.pool.utf8(this.descriptorIndex);
  }

  get attributes(): readonly RawAttribute[] {
    this.#attributes ??= listAttributes(this.owner.pool, this.attributeTable());
    return this.#attributes;
  }

  protected attributeTable(): AttributeTable {
    const { pool, bytes } = this.owner;
    return walkAttributes(pool, this.offset + MEMBER_HEAD - 2, bytes.length);
  }

  /** The first attribute of a name. */
  attribute(name: string): RawAttribute | undefined {
    return this.attributes.find((attribute) => attribute.name === name);
  }
}

export class FieldInfo extends MemberInfo {}

export class MethodInfo extends MemberInfo {
  #code: Code | undefined;
  #types: MethodTypes | undefined;

  /** The method's code, read at the first call; undefined for abstract and native methods. */
  code(): Code | undefined {
    if (this.#code !== undefined) return this.#code;
    const attribute = findAttribute(this.owner.pool, this.attributeTable(), CODE);
    if (attribute !== undefined) this.#code = new Code(this.owner.pool, attribute);
    return this.#code;
  }

  /** Parameter and return types as Java source writes them; undefined if the descriptor is invalid. */
  get types(): MethodTypes | undefined {
    this.#types ??= methodTypes(this.descriptor);
    return this.#types;
  }
}

export class ClassFile {
  readonly bytes: Uint8Array;
  readonly pool: ConstantPool;
  readonly minor: number;
  readonly major: number;
  readonly access: number;
  /** Binary name, `java.util.Map$Entry`. */
  readonly name: string;
  /** Pool index of the class itself. */
  readonly thisIndex: number;
  /** Pool index of the superclass; 0 for java.lang.Object and module-info. */
  readonly superIndex: number;
  readonly #attributeTable: AttributeTable | undefined;
  #attributes: readonly RawAttribute[] | undefined;
  /** Problems of the structure: everything before an error was read, nothing after it. */
  readonly problems: readonly Problem[];
  readonly #interfaces: readonly number[];
  readonly #fieldOffsets: readonly number[];
  readonly #methodOffsets: readonly number[];
  #fields: readonly FieldInfo[] | undefined;
  #methods: MethodInfo[] | undefined;
  /** The declared methods of the names that were asked for. */
  readonly #named = new Map<string, readonly MethodInfo[]>();

  constructor(bytes: Uint8Array, origin: string) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const magic = bytes.length >= 4 ? view.getUint32(0) : 0;
    if (magic !== MAGIC) {
      const found = bytes.length < 4 ? `${bytes.length} bytes` : `0x${magic.toString(16)}`;
      const advice = 'not a class file';
      throw new FormatError({ format: `class file ${origin}`, offset: 0, expected: '0xcafebabe', found, advice });
    }
    this.bytes = bytes;
    this.pool = new ConstantPool(bytes, origin);
    this.minor = view.getUint16(4);
    this.major = view.getUint16(6);
    const walk = new StructureWalk(this.pool, this.major);
    this.access = walk.access;
    this.name = binaryName(this.pool.ownName(walk.thisIndex));
    this.thisIndex = walk.thisIndex;
    this.superIndex = walk.superIndex;
    this.#interfaces = walk.interfaces;
    this.#fieldOffsets = walk.fields;
    this.#methodOffsets = walk.methods;
    this.#attributeTable = walk.attributes;
    this.problems = walk.problems;
  }

  get attributes(): readonly RawAttribute[] {
    const table = this.#attributeTable;
    this.#attributes ??= table === undefined ? [] : listAttributes(this.pool, table);
    return this.#attributes;
  }

  /** Binary name of the superclass; undefined for java.lang.Object and module-info. */
  get superName(): string | undefined {
    return this.superIndex === 0 ? undefined : binaryName(this.pool.className(this.superIndex));
  }

  /** Binary names of the interfaces it declares. */
  get interfaces(): readonly string[] {
    return this.#interfaces.map((index) => binaryName(this.pool.className(index)));
  }

  /** Pool indexes of the interfaces. */
  get interfaceIndexes(): readonly number[] {
    return this.#interfaces;
  }

  get fields(): readonly FieldInfo[] {
    this.#fields ??= this.#fieldOffsets.map((offset) => new FieldInfo(this, offset));
    return this.#fields;
  }

  /** Number of declared methods. */
  get methodCount(): number {
    return this.#methodOffsets.length;
  }

  get methods(): readonly MethodInfo[] {
    return this.#methodOffsets.map((_, i) => this.#methodAt(i));
  }

  /** Always the same object for a method: its code is read once. */
  #methodAt(i: number): MethodInfo {
    this.#methods ??= [];
    this.#methods[i] ??= new MethodInfo(this, this.#methodOffsets[i]);
    return this.#methods[i];
  }

  /** The declared methods of a name, in file order; creates no others. */
  methodsNamed(name: string): readonly MethodInfo[] {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const text = encodeUtf8(name);
    const found: MethodInfo[] = [];
    for (let i = 0; i < this.#methodOffsets.length; i++) {
      const at = this.#methodOffsets[i] + 2;
      if (this.pool.utf8Is((this.bytes[at] << 8) | this.bytes[at + 1], text)) found.push(this.#methodAt(i));
    }
    this.#named.set(name, found);
    return found;
  }

  /** The declared method of a name and descriptor. */
  method(name: string, descriptor: string): MethodInfo | undefined {
    return this.methodsNamed(name).find((method) => method.descriptor === descriptor);
  }

  /** The first attribute of a name. */
  attribute(name: string): RawAttribute | undefined {
    return this.attributes.find((attribute) => attribute.name === name);
  }

  /** Name of the source file without folders, `HashMap.java`; undefined if the class does not record it. */
  get sourceFile(): string | undefined {
    const attribute = this.attribute('SourceFile');
    if (attribute === undefined || attribute.length !== 2) return undefined;
    const index = (this.bytes[attribute.offset] << 8) | this.bytes[attribute.offset + 1];
    return this.pool.isUtf8(index) ? this.pool.utf8(index) : undefined;
  }
}

/** One pass over everything after the pool. */
class StructureWalk {
  readonly problems: Problem[] = [];
  readonly access: number;
  readonly thisIndex: number;
  readonly superIndex: number;
  readonly interfaces: readonly number[];
  readonly fields: readonly number[];
  readonly methods: readonly number[];
  /** Empty if the file is truncated before it. */
  readonly attributes: AttributeTable | undefined;
  readonly #pool: ConstantPool;
  readonly #bytes: Uint8Array;
  #at: number;
  #cut = false;

  constructor(pool: ConstantPool, major: number) {
    this.#pool = pool;
    this.#bytes = pool.bytes;
    this.#at = pool.end;
    if (major > NEWEST_MAJOR) this.problems.push(newerThanKnown(major));
    if (pool.end + 6 > this.#bytes.length)
      throw pool.damaged(pool.end, 'access flags, this class and superclass', 'the end of the file');
    this.access = this.#u2();
    this.thisIndex = this.#u2();
    if (!pool.isClass(this.thisIndex))
      throw pool.damaged(pool.end + 2, 'the pool index of this class', `${this.thisIndex}`);
    const superIndex = this.#u2();
    const known = superIndex === 0 || pool.isClass(superIndex);
    if (!known) this.#damaged(pool.damaged(this.#at - 2, 'the pool index of the superclass', `${superIndex}`));
    this.superIndex = known ? superIndex : 0;
    this.interfaces = this.#readInterfaces();
    this.fields = this.#readMembers('field');
    this.methods = this.#readMembers('method');
    this.attributes = this.#cut ? undefined : this.#walkAttributes();
  }

  #damaged(error: FormatError): void {
    this.problems.push(damageOf(error));
  }

  #u2(): number {
    const value = (this.#bytes[this.#at] << 8) | this.#bytes[this.#at + 1];
    this.#at += 2;
    return value;
  }

  /** Reads a count of items of at least `size` bytes; if they do not fit in the file, the rest is lost. */
  #count(size: number, what: string): number {
    if (this.#cut) return 0;
    const left = this.#bytes.length - this.#at - 2;
    if (left < 0) return this.#lose(`the number of ${what}`, 'the end of the file');
    const count = this.#u2();
    if (count * size > left) this.#damaged(this.#pool.damaged(this.#at - 2, `${count} ${what}`, `${left} bytes`));
    return Math.min(count, Math.floor(left / size));
  }

  #lose(expected: string, found: string): number {
    this.#cut = true;
    this.#damaged(this.#pool.damaged(this.#at, expected, found));
    return 0;
  }

  #readInterfaces(): readonly number[] {
    const count = this.#count(2, 'interfaces');
    if (count === 0) return NONE;
    const kept = new Array<number>(count);
    let length = 0;
    for (let i = 0; i < count; i++) {
      const index = this.#u2();
      if (this.#pool.isClass(index)) kept[length++] = index;
      else this.#damaged(this.#pool.damaged(this.#at - 2, 'the pool index of an interface', `${index}`));
    }
    kept.length = length;
    return kept;
  }

  #readMembers(what: 'field' | 'method'): readonly number[] {
    const count = this.#count(MEMBER_HEAD, `${what}s`);
    if (count === 0) return NONE;
    const kept = new Array<number>(count);
    let length = 0;
    for (let i = 0; i < count; i++) {
      const at = this.#at;
      const end = memberEnd(this.#bytes, at);
      if (end > this.#bytes.length) {
        this.#lose(`${what} ${i + 1} of ${count}`, 'the end of the file');
        break;
      }
      this.#at = end;
      if (this.#isNamed(at, what)) kept[length++] = at;
    }
    kept.length = length;
    return kept;
  }

  /** Whether a member has a name and a descriptor; one without is skipped, with a problem. */
  #isNamed(at: number, what: string): boolean {
    for (const [place, part] of [
      [at + 2, 'name'],
      [at + 4, 'descriptor'],
    ] as const) {
      const index = (this.#bytes[place] << 8) | this.#bytes[place + 1];
      if (this.#pool.isUtf8(index)) continue;
      this.#damaged(this.#pool.damaged(place, `the pool index of the ${part} of a ${what}`, `${index}`));
      return false;
    }
    return true;
  }

  #walkAttributes(): AttributeTable {
    const table = walkAttributes(this.#pool, this.#at, this.#bytes.length);
    if (table.damage !== undefined) this.#damaged(table.damage);
    const more = this.#bytes.length - table.end;
    if (more > 0) this.#damaged(this.#pool.damaged(table.end, 'the end of the file', `${more} more bytes`));
    return table;
  }
}

/** Where the member that begins at `at` ends; beyond the file if it is truncated. */
function memberEnd(bytes: Uint8Array, at: number): number {
  if (at + MEMBER_HEAD > bytes.length) return Number.POSITIVE_INFINITY;
  let end = at + MEMBER_HEAD;
  for (let left = (bytes[at + 6] << 8) | bytes[at + 7]; left > 0; left--) {
    if (end + ATTRIBUTE_HEAD > bytes.length) return Number.POSITIVE_INFINITY;
    end += ATTRIBUTE_HEAD + lengthAt(bytes, end + 2);
  }
  return end;
}

function newerThanKnown(major: number): Problem {
  return {
    code: 'class-file-newer',
    severity: 'warning',
    message: `class file version ${major} is newer than ${NEWEST_MAJOR} (Java 25), the newest supported version`,
    offset: 6,
  };
}
