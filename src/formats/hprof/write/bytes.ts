/** Big-endian bytes of a dump that is written, and where they go. */
import {
  TYPE_BOOLEAN,
  TYPE_BYTE,
  TYPE_CHAR,
  TYPE_DOUBLE,
  TYPE_FLOAT,
  TYPE_INT,
  TYPE_LONG,
  TYPE_OBJECT,
  TYPE_SHORT,
} from '../tags.js';

/** Takes the bytes of a dump in order. A chunk is valid during the call only. */
export interface Sink {
  write(chunk: Uint8Array): void;
  /** Replaces bytes that were written before: lengths of records are known only at their ends. */
  patch(offset: number, bytes: Uint8Array): void;
}

/** Keeps everything in memory. */
export class MemorySink implements Sink {
  #bytes = new Uint8Array(1 << 12);
  length = 0;

  write(chunk: Uint8Array): void {
    if (this.length + chunk.length > this.#bytes.length) {
      const more = new Uint8Array(2 * (this.length + chunk.length));
      more.set(this.#bytes.subarray(0, this.length));
      this.#bytes = more;
    }
    this.#bytes.set(chunk, this.length);
    this.length += chunk.length;
  }

  patch(offset: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, offset);
  }

  /** A copy of the bytes; of the first `end` for a file that is cut. */
  bytes(end: number = this.length): Uint8Array {
    return this.#bytes.slice(0, Math.min(end, this.length));
  }
}

/** A buffer for values. The numbers of each method may be signed or unsigned. */
export class DumpBytes {
  readonly #idSize: number;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;
  length = 0;

  constructor(idSize: number, room: number) {
    this.#idSize = idSize;
    this.#bytes = new Uint8Array(room);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Makes room for `more` bytes. */
  reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more));
    bytes.set(this.#bytes.subarray(0, this.length));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }

  u1(value: number): void {
    this.reserve(1);
    this.#bytes[this.length++] = value;
  }

  u2(value: number): void {
    this.reserve(2);
    this.#view.setUint16(this.length, value);
    this.length += 2;
  }

  u4(value: number): void {
    this.reserve(4);
    this.#view.setUint32(this.length, value);
    this.length += 4;
  }

  /** A whole number, exact to 2^53. */
  u8(value: number): void {
    this.u4(Math.floor(value / 2 ** 32));
    this.u4(value);
  }

  id(value: number): void {
    if (this.#idSize === 8) this.u8(value);
    else this.u4(value);
  }

  f4(value: number): void {
    this.reserve(4);
    this.#view.setFloat32(this.length, value);
    this.length += 4;
  }

  f8(value: number): void {
    this.reserve(8);
    this.#view.setFloat64(this.length, value);
    this.length += 8;
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  zeros(count: number): void {
    this.reserve(count);
    this.#bytes.fill(0, this.length, this.length + count);
    this.length += count;
  }

  /** Text in modified UTF-8 (JVMS 4.4.7): NUL has two bytes, each surrogate three. */
  text(text: string): void {
    this.reserve(3 * text.length);
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0 && unit < 0x80) this.#bytes[this.length++] = unit;
      else if (unit < 0x800) this.u2(0xc080 | ((unit >> 6) << 8) | (unit & 0x3f));
      else {
        this.u1(0xe0 | (unit >> 12));
        this.u2(0x8080 | (((unit >> 6) & 0x3f) << 8) | (unit & 0x3f));
      }
    }
  }

  /** Replaces the number at `at`. */
  setU4(at: number, value: number): void {
    this.#view.setUint32(at, value);
  }

  /** Moves the bytes from `at` on and returns `at`: `count` bytes there are free. */
  open(at: number, count: number): number {
    this.reserve(count);
    this.#bytes.copyWithin(at + count, at, this.length);
    this.length += count;
    return at;
  }

  /** The bytes; valid until the next change. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

const PUT = new Map<number, (out: DumpBytes, value: number) => void>([
  [TYPE_OBJECT, (out, value) => out.id(value)],
  [TYPE_BOOLEAN, (out, value) => out.u1(value)],
  [TYPE_CHAR, (out, value) => out.u2(value)],
  [TYPE_FLOAT, (out, value) => out.f4(value)],
  [TYPE_DOUBLE, (out, value) => out.f8(value)],
  [TYPE_BYTE, (out, value) => out.u1(value)],
  [TYPE_SHORT, (out, value) => out.u2(value)],
  [TYPE_INT, (out, value) => out.u4(value)],
  [TYPE_LONG, (out, value) => out.u8(value)],
]);

/** Puts a value of a type; whole numbers of `long` are exact to 2^53. */
export function putValue(out: DumpBytes, type: number, value: number): void {
  const put = PUT.get(type);
  if (put === undefined) throw new Error(`no type ${type}`);
  put(out, value);
}
