/**
 * UTF8 records: names by id. A heap dump has hundreds of thousands of them, and few are used: only those become names of the
 * program. 28 to 36 bytes a name beside its text.
 */
import { ByteBuilder, Int32Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import { decodeUtf8, type StringId } from '../../../base/text.js';
import { toBinaryName } from '../../../models/program/binary-name.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';

/** Text in all, so that its offsets are 32-bit integers. */
const MOST_TEXT = 2 ** 30;

/** A name by its dense number, which stands for its id whether or not the name was read yet; -1: none (id 0). */
export type NameReference = number;

/**
 * The lower half of an id as a key of a hash table. Ids are mostly pointers: without their lowest bits, which are 0, neighbours
 * come into neighbouring slots.
 */
export function rotated(low: number): number {
  return (low >>> 3) | (low << 29);
}

/** The lower half of an id from its key. */
export function unrotated(key: number): number {
  return ((key << 3) | (key >>> 29)) >>> 0;
}

export class NameTable {
  readonly #program: ProgramBuilder;
  readonly #ids = new IntTable(1 << 10);
  readonly #text = new ByteBuilder(1 << 16);
  /** By reference: its text, from and to before; -1 while it is only referred to. */
  readonly #from = new Int32Builder(1 << 10);
  readonly #to = new Int32Builder(1 << 10);
  #scratch = new Uint8Array(256);

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  /** The reference to a name by the two halves of its id. */
  refer(high: number, low: number): NameReference {
    if (high === 0 && low === 0) return NONE;
    const known = this.#ids.length;
    const reference = this.#ids.add(rotated(low), high);
    if (reference === known) {
      this.#from.push(NONE);
      this.#to.push(NONE);
    }
    return reference;
  }

  /** The reference to a name by its id as a double; -1 if nothing has this id. */
  find(id: number): NameReference {
    return this.#ids.find(rotated(id | 0), Math.floor(id / 2 ** 32) | 0);
  }

  /** Adds a name. 'twice' if there is another one with this id: that stays. 'full' beyond 1 GiB of text. */
  define(high: number, low: number, bytes: Uint8Array, from: number, to: number): 'new' | 'twice' | 'full' {
    // An id of 0 stands for none wherever ids are used.
    const reference = this.refer(high, low);
    if (reference < 0) return 'new';
    if (this.isDefined(reference)) return this.#isSame(reference, bytes, from, to) ? 'new' : 'twice';
    if (this.#text.length + to - from > MOST_TEXT) return 'full';
    this.#from.values[reference] = this.#text.length;
    this.#text.append(bytes, from, to);
    this.#to.values[reference] = this.#text.length;
    return 'new';
  }

  isDefined(reference: NameReference): boolean {
    return reference >= 0 && this.#from.values[reference] >= 0;
  }

  #isSame(reference: NameReference, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#from.values[reference];
    if (this.#to.values[reference] - start !== to - from) return false;
    for (let i = 0; i < to - from; i++) if (this.#text.bytes[start + i] !== bytes[from + i]) return false;
    return true;
  }

  /** Number of references without a name. */
  get missing(): number {
    let count = 0;
    for (let i = 0; i < this.#from.length; i++) if (this.#from.values[i] < 0) count++;
    return count;
  }

  /** The name in the program, as recorded (modified UTF-8 included); -1 if it is missing. */
  name(reference: NameReference): StringId {
    if (!this.isDefined(reference)) return NONE;
    return this.#program.names.add(this.#text.bytes, this.#from.values[reference], this.#to.values[reference]);
  }

  /** Whether it is defined with these bytes. */
  isText(reference: NameReference, text: Uint8Array): boolean {
    if (!this.isDefined(reference)) return false;
    const from = this.#from.values[reference];
    if (this.#to.values[reference] - from !== text.length) return false;
    return text.every((byte, i) => this.#text.bytes[from + i] === byte);
  }

  /** The decoded text; undefined if it is missing. */
  text(reference: NameReference): string | undefined {
    if (!this.isDefined(reference)) return undefined;
    return decodeUtf8(this.#text.bytes, this.#from.values[reference], this.#to.values[reference]);
  }

  /** The name of a class in the program, in the spelling of `Class.getName()`; -1 if it is missing. */
  className(reference: NameReference): StringId {
    if (!this.isDefined(reference)) return NONE;
    const length = this.#to.values[reference] - this.#from.values[reference];
    if (length > this.#scratch.length) this.#scratch = new Uint8Array(length * 2);
    const scratch = this.#scratch;
    const from = this.#from.values[reference];
    for (let i = 0; i < length; i++) scratch[i] = this.#text.bytes[from + i];
    toBinaryName(scratch, length);
    return this.#program.names.add(scratch, 0, length);
  }
}
