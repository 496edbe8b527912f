/**
 * Bytes of JVMPI's dumps (§4.1): u1, u2, u4 and u8 are big-endian; ids and pointers have the size and the order of bytes of the VM,
 * which HotSpot wrote as they were in its memory.
 */
import { FormatError } from '../../../base/errors.js';

export interface DumpForm {
  readonly idSize: 4 | 8;
  /** Order of bytes in ids. */
  readonly byteOrder: 'big' | 'little';
}

/** Codes of types in dumps: the bytes of a value; 0 and 2 are references. */
const VALUE_BYTES = new Map([
  [4, 1],
  [5, 2],
  [6, 4],
  [7, 8],
  [8, 1],
  [9, 2],
  [10, 4],
  [11, 8],
]);

export function isReference(type: number): boolean {
  return type === 0 || type === 2;
}

/** Bytes of a value of a type; undefined if no type has this code. */
export function valueBytes(type: number, { idSize }: DumpForm): number | undefined {
  return isReference(type) ? idSize : VALUE_BYTES.get(type);
}

/** Bytes that grow. */
export class DumpWriter {
  readonly form: DumpForm;
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  constructor(form: DumpForm) {
    this.form = form;
  }

  #take(length: number): number {
    const at = this.#length;
    this.#length += length;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(this.#length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  u1(value: number): void {
    const at = this.#take(1);
    this.#view.setUint8(at, value);
  }

  u2(value: number): void {
    const at = this.#take(2);
    this.#view.setUint16(at, value);
  }

  u4(value: number): void {
    const at = this.#take(4);
    this.#view.setUint32(at, value);
  }

  id(value: number): void {
    const little = this.form.byteOrder === 'little';
    const at = this.#take(this.form.idSize);
    if (this.form.idSize === 4) this.#view.setUint32(at, value, little);
    else {
      const high = Math.floor(value / 2 ** 32);
      this.#view.setUint32(little ? at : at + 4, value - high * 2 ** 32, little);
      this.#view.setUint32(little ? at + 4 : at, high, little);
    }
  }

  /** Turns the bytes of an id at a place from big-endian to those of the form. */
  turnId(at: number): void {
    const { idSize, byteOrder } = this.form;
    if (byteOrder === 'big') return;
    const upper = this.#view.getUint32(at);
    if (idSize === 4) this.#view.setUint32(at, upper, true);
    else {
      const lower = this.#view.getUint32(at + 4);
      this.#view.setUint32(at, lower, true);
      this.#view.setUint32(at + 4, upper, true);
    }
  }

  /** Bytes of a longer array as they are. */
  range(bytes: Uint8Array, from: number, to: number): void {
    const at = this.#take(to - from);
    // A copy by hand is faster where it is short.
    if (to - from > 64) this.#bytes.set(bytes.subarray(from, to), at);
    else for (let i = from; i < to; i++) this.#bytes[at + i - from] = bytes[i] ?? 0;
  }

  /** Big-endian ids. */
  references(bytes: Uint8Array, from: number, to: number): void {
    const start = this.#length;
    this.range(bytes, from, to);
    for (let at = start; at < this.#length; at += this.form.idSize) this.turnId(at);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** A copy of the bytes, which begin anew. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  part(bytes: Uint8Array): void {
    const at = this.#take(bytes.length);
    this.#bytes.set(bytes, at);
  }
}

/** Reads a dump. Throws FormatError with the offset where its bytes are not as described. */
export class DumpReader {
  readonly form: DumpForm;
  readonly bytes: Uint8Array;
  at = 0;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, form: DumpForm) {
    this.form = form;
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  fail(offset: number, expected: string, found: string): never {
    throw new FormatError({ format: 'JVMPI dump', offset, expected, found });
  }

  #take(length: number): number {
    if (length > this.left) this.fail(this.at, `${length} bytes`, `${this.left}`);
    const from = this.at;
    this.at += length;
    return from;
  }

  u1(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u2(): number {
    return this.#view.getUint16(this.#take(2));
  }

  u4(): number {
    return this.#view.getUint32(this.#take(4));
  }

  /** An id below 2^53: no address of a VM is larger. */
  id(): number {
    const little = this.form.byteOrder === 'little';
    if (this.form.idSize === 4) return this.#view.getUint32(this.#take(4), little);
    const at = this.#take(8);
    const value = this.#view.getBigUint64(at, little);
    return value < 1n << 53n ? Number(value) : this.fail(at, 'an id below 2^53', `0x${value.toString(16)}`);
  }

  /** A count of parts with so many bytes each, which must be there. */
  count(bytes: number): number {
    const at = this.at;
    const count = this.u4();
    if (count * bytes > this.left) this.fail(at, `at most ${Math.floor(this.left / bytes)} parts`, `${count}`);
    return count;
  }

  part(length: number): Uint8Array {
    const from = this.#take(length);
    return this.bytes.slice(from, this.at);
  }
}
