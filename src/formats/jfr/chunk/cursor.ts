/**
 * Reads numbers of a chunk one after the other, for what is not hot: heads of events, metadata, heads of pools. Integers are
 * compressed (seven bits a byte, lowest first, the ninth byte whole) or big-endian, as the header of the chunk says.
 */
import { Int32Builder } from '../../../base/columns/columns.js';

export class Cursor {
  readonly compressed: boolean;
  bytes: Uint8Array = new Uint8Array();
  at = 0;
  end = 0;
  /** Halves of the last number that was read. */
  low = 0;
  high = 0;

  constructor(compressed: boolean) {
    this.compressed = compressed;
  }

  set(bytes: Uint8Array, at: number, end: number): void {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** Whether more was read than there is. */
  get isBehind(): boolean {
    return this.at > this.end;
  }

  byte(): number {
    return this.at < this.end ? this.bytes[this.at++] : this.#behind();
  }

  /** A signed number of 32 bits. */
  int(): number {
    if (this.compressed) this.#varint();
    else this.#raw(4);
    return this.low;
  }

  /** All signed numbers of 32 bits up to the end; without the last one if it is not whole. */
  ints(): Int32Array {
    const { bytes, end, compressed } = this;
    const found = new Int32Builder(Math.min(end - this.at, 1 << 16));
    while (this.at < end) {
      const byte = bytes[this.at];
      // Nearly all of metadata.
      const isShort = compressed && byte < 0x80;
      const value = isShort ? byte : this.int();
      if (isShort) this.at++;
      if (!this.isBehind) found.push(value);
    }
    return found.finish();
  }

  /** A signed number of 64 bits as a double; its halves are in `low` and `high`. */
  long(): number {
    if (this.compressed) this.#varint();
    else this.#raw(8);
    return this.high * 2 ** 32 + (this.low >>> 0);
  }

  /** A UTF-16 unit. */
  char(): number {
    if (this.compressed) this.#varint();
    else this.#raw(2);
    return this.low & 0xffff;
  }

  /** A floating-point number of 4 or 8 bytes. */
  real(size: 4 | 8): number {
    if (this.at + size > this.end) {
      this.#behind();
      return 0;
    }
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, size);
    this.at += size;
    return size === 4 ? view.getFloat32(0) : view.getFloat64(0);
  }

  #varint(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 63; shift += 7) {
      const byte = this.byte();
      const bits = shift === 56 ? byte : byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) break;
    }
    this.low = low;
    this.high = high;
  }

  #raw(size: 2 | 4 | 8): void {
    this.high = size === 8 ? this.#four() : 0;
    this.low = size === 2 ? (this.byte() << 8) | this.byte() : this.#four();
  }

  #four(): number {
    return (this.byte() << 24) | (this.byte() << 16) | (this.byte() << 8) | this.byte();
  }

  #behind(): number {
    this.at = this.end + 1;
    return 0;
  }
}
