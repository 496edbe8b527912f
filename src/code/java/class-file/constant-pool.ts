/**
 * The constant pool of a class file (JVMS 4.4): the offset of each entry, whose value is decoded on demand. Memory: 4
 * bytes per entry beside the bytes of the file; strings are decoded on demand and cached.
 */
import { FormatError } from '../../../base/errors.js';
import { decodeUtf8 } from '../../../base/text.js';

/** Tags of entries (JVMS table 4.4-A). */
export const TAG = {
  utf8: 1,
  integer: 3,
  float: 4,
  long: 5,
  double: 6,
  class: 7,
  string: 8,
  fieldref: 9,
  methodref: 10,
  interfaceMethodref: 11,
  nameAndType: 12,
  methodHandle: 15,
  methodType: 16,
  dynamic: 17,
  invokeDynamic: 18,
  module: 19,
  package: 20,
} as const;

/** Bytes of an entry by tag, its tag included; 0 if no such tag exists; for Utf8 without its text. */
const SIZES = Uint8Array.of(0, 3, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3);
/** No entry is shorter than an empty Utf8; a long takes two indexes and 9 bytes. */
const LEAST_ENTRY = 3;
/** Magic and version come before the pool's count. */
const COUNT_OFFSET = 8;

export interface NameAndType {
  readonly name: string;
  readonly descriptor: string;
}

/** A field or method that code refers to. */
export interface MemberReference extends NameAndType {
  readonly tag: number;
  /** Internal name of the class that the reference names, `java/util/List` or `[I`. */
  readonly owner: string;
}

export class ConstantPool {
  /** The whole class file. */
  readonly bytes: Uint8Array;
  /** Name of the file in messages. */
  readonly origin: string;
  /** Last index plus one, as in the file. */
  readonly count: number;
  /** Offset after the last entry. */
  readonly end: number;
  /** Offset of the tag of each entry; 0 if there is none (index 0, after a long or double). */
  readonly #offsets: Int32Array;
  #texts: Map<number, string> | undefined;

  /** Walks the pool. Throws FormatError if it is truncated or a tag is unknown, since no later entry can be found. */
  constructor(bytes: Uint8Array, origin: string) {
    this.bytes = bytes;
    this.origin = origin;
    if (bytes.length < COUNT_OFFSET + 2) throw this.damaged(bytes.length, 'a constant pool', 'the end of the file');
    const count = (bytes[COUNT_OFFSET] << 8) | bytes[COUNT_OFFSET + 1];
    let at = COUNT_OFFSET + 2;
    if (count === 0) throw this.damaged(COUNT_OFFSET, 'a constant pool count of at least 1', '0');
    if (at + (count - 1) * LEAST_ENTRY > bytes.length)
      throw this.damaged(COUNT_OFFSET, `room for ${count - 1} pool entries`, `${bytes.length - at} bytes`);
    const offsets = new Int32Array(count);
    for (let index = 1; index < count; index++) {
      const tag = bytes[at];
      let size = SIZES[tag] ?? 0;
      if (tag === TAG.utf8) size += (bytes[at + 1] << 8) | bytes[at + 2];
      if (size === 0 || at + size > bytes.length) throw this.#badEntry(index, at);
      offsets[index] = at;
      at += size;
      // JVMS 4.4.5: "the next usable entry has index n+2".
      if (tag === TAG.long || tag === TAG.double) index++;
    }
    const last = count - 1;
    if (last > 0 && offsets[last] === 0 && !this.#isWide(offsets[last - 1])) throw this.#badEntry(last, at);
    this.#offsets = offsets;
    this.count = count;
    this.end = at;
  }

  #isWide(offset: number): boolean {
    return this.bytes[offset] === TAG.long || this.bytes[offset] === TAG.double;
  }

  #badEntry(index: number, at: number): FormatError {
    const found = at >= this.bytes.length ? 'the end of the file' : `tag ${this.bytes[at]}`;
    const size = SIZES[this.bytes[at]] ?? 0;
    if (size === 0) return this.damaged(at, `a constant pool tag for entry #${index}`, found);
    return this.damaged(at, `constant pool entry #${index}`, 'the end of the file');
  }

  /** The error for invalid data at `offset`. */
  damaged(offset: number, expected: string, found: string): FormatError {
    return new FormatError({
      format: `class file ${this.origin}`,
      offset,
      expected,
      found,
      advice: 'The file is damaged or not a class file: compile the class or extract it again.',
    });
  }

  /** The tag of an entry, 0 if there is none. */
  tag(index: number): number {
    const offset = this.#offsets[index] ?? 0;
    return offset === 0 ? 0 : this.bytes[offset];
  }

  /** Offset of the tag of an entry in the file; 0 if there is no entry. */
  offsetOf(index: number): number {
    return this.#offsets[index] ?? 0;
  }

  /** Offset of the contents of an entry after its tag. Throws FormatError if the entry has another tag. */
  #contents(index: number, tag: number, what: string): number {
    if (this.tag(index) !== tag) throw this.#notA(index, what);
    return this.#offsets[index] + 1;
  }

  /** The index itself if its entry has the tag. Throws FormatError if it has another. */
  checked(index: number, tag: number): number {
    if (this.tag(index) !== tag) throw this.#notA(index, `tag ${tag}`);
    return index;
  }

  #notA(index: number, what: string): FormatError {
    const tag = this.tag(index);
    const found = tag === 0 ? `no entry (of ${this.count})` : `tag ${tag}`;
    return this.damaged(this.offsetOf(index) || COUNT_OFFSET, `${what} as constant pool entry #${index}`, found);
  }

  #u2(offset: number): number {
    return (this.bytes[offset] << 8) | this.bytes[offset + 1];
  }

  /** The text of a Utf8 entry; cached. */
  utf8(index: number): string {
    const known = this.#texts?.get(index);
    if (known !== undefined) return known;
    const text = this.#decode(index);
    this.#texts ??= new Map();
    this.#texts.set(index, text);
    return text;
  }

  #decode(index: number): string {
    const at = this.#contents(index, TAG.utf8, 'text');
    return decodeUtf8(this.bytes, at + 2, at + 2 + this.#u2(at));
  }

  isUtf8(index: number): boolean {
    return this.tag(index) === TAG.utf8;
  }

  /** Whether a Utf8 entry has these bytes; creates no string. */
  utf8Is(index: number, text: Uint8Array): boolean {
    if (this.tag(index) !== TAG.utf8) return false;
    const at = this.#offsets[index] + 1;
    if (this.#u2(at) !== text.length) return false;
    for (let i = 0; i < text.length; i++) if (this.bytes[at + 2 + i] !== text[i]) return false;
    return true;
  }

  /** The index in the one u2 of a Class, String, MethodType, Module or Package entry. */
  #named(index: number, tag: number, what: string): string {
    return this.utf8(this.#u2(this.#contents(index, tag, what)));
  }

  isClass(index: number): boolean {
    return this.tag(index) === TAG.class && this.isUtf8(this.#u2(this.#offsets[index] + 1));
  }

  /** Internal name of a Class entry: `java/util/Map$Entry`, or the descriptor of an array, `[I`. */
  className(index: number): string {
    return this.#named(index, TAG.class, 'a class');
  }

  /** As `className`, but not cached: for the one name that is read of every class. */
  ownName(index: number): string {
    return this.#decode(this.#u2(this.#contents(index, TAG.class, 'a class')));
  }

  string(index: number): string {
    return this.#named(index, TAG.string, 'a string');
  }

  methodType(index: number): string {
    return this.#named(index, TAG.methodType, 'a method type');
  }

  module(index: number): string {
    return this.#named(index, TAG.module, 'a module');
  }

  package(index: number): string {
    return this.#named(index, TAG.package, 'a package');
  }

  integer(index: number): number {
    return this.#view(index, TAG.integer, 'an int').getInt32(0);
  }

  float(index: number): number {
    return this.#view(index, TAG.float, 'a float').getFloat32(0);
  }

  long(index: number): bigint {
    return this.#view(index, TAG.long, 'a long').getBigInt64(0);
  }

  double(index: number): number {
    return this.#view(index, TAG.double, 'a double').getFloat64(0);
  }

  #view(index: number, tag: number, what: string): DataView {
    const at = this.#contents(index, tag, what);
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + at, SIZES[tag] - 1);
  }

  nameAndType(index: number): NameAndType {
    const at = this.#contents(index, TAG.nameAndType, 'a name and type');
    return { name: this.utf8(this.#u2(at)), descriptor: this.utf8(this.#u2(at + 2)) };
  }

  /** A Fieldref, Methodref or InterfaceMethodref. */
  member(index: number): MemberReference {
    const tag = this.tag(index);
    if (tag < TAG.fieldref || tag > TAG.interfaceMethodref) throw this.#notA(index, 'a field or method');
    const at = this.#offsets[index] + 1;
    return { tag, owner: this.className(this.#u2(at)), ...this.nameAndType(this.#u2(at + 2)) };
  }

  /** A MethodHandle: its kind (JVMS table 5.4.3.5-A) and the pool index of the field or method. */
  methodHandle(index: number): { readonly kind: number; readonly reference: number } {
    const at = this.#contents(index, TAG.methodHandle, 'a method handle');
    return { kind: this.bytes[at], reference: this.#u2(at + 1) };
  }

  /** A Dynamic or InvokeDynamic: the row of BootstrapMethods, name and descriptor. */
  dynamic(index: number): NameAndType & { readonly tag: number; readonly bootstrap: number } {
    const tag = this.tag(index);
    if (tag !== TAG.dynamic && tag !== TAG.invokeDynamic) throw this.#notA(index, 'a dynamic constant or call');
    const at = this.#offsets[index] + 1;
    return { tag, bootstrap: this.#u2(at), ...this.nameAndType(this.#u2(at + 2)) };
  }

  /** The two indexes (or one and 0) that an entry refers to, as in the file; for listings of the pool. */
  references(index: number): readonly [number, number] {
    const tag = this.tag(index);
    const at = this.#offsets[index] + 1;
    if (SIZES[tag] === 3 && tag !== TAG.utf8) return [this.#u2(at), 0];
    if (tag >= TAG.fieldref && tag <= TAG.nameAndType) return [this.#u2(at), this.#u2(at + 2)];
    if (tag === TAG.dynamic || tag === TAG.invokeDynamic) return [this.#u2(at), this.#u2(at + 2)];
    if (tag === TAG.methodHandle) return [this.bytes[at], this.#u2(at + 1)];
    return [0, 0];
  }
}
