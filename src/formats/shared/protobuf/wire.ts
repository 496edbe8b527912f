/**
 * The wire format of protobuf (protobuf.dev, "Encoding"): a message is a run of fields, each a tag and a varint, four or eight bytes, or a
 * length and so many bytes. One reader goes over a message without making anything of it; nested messages get a reader of their own.
 */

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH = 2;
export const FIXED32 = 5;

const TWO_32 = 2 ** 32;
/** Beyond all indexes. */
export const NO_INDEX = 0x7fffffff;

/** `cut`: the bytes end within a field. `bad`: a varint of more than 64 bits, field 0, or a wire type that has no length. */
export type WireFault = 'none' | 'cut' | 'bad';

/** Walks the fields of one message: after each `next`, the properties are those of the field. */
export class WireReader {
  bytes: Uint8Array = new Uint8Array();
  at = 0;
  end = 0;
  fault: WireFault = 'none';
  field = 0;
  wire = 0;
  /** Halves of the last varint or fixed number. */
  low = 0;
  high = 0;
  /** The bytes of a field with a length. */
  start = 0;
  stop = 0;

  /** Begins a message at `start`, which ends at `end`. */
  set(bytes: Uint8Array, start: number, end: number): this {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
    this.fault = 'none';
    return this;
  }

  /** The last number as it stands, unsigned; exact to 2^53. */
  get unsigned(): number {
    return (this.high >>> 0) * TWO_32 + (this.low >>> 0);
  }

  /** The last number in two's complement; exact to 2^53. */
  get signed(): number {
    return (this.high | 0) * TWO_32 + (this.low >>> 0);
  }

  /** The last number as an index of something in the file: `NO_INDEX` if no file can have so many. */
  get index(): number {
    return this.high === 0 && this.low >= 0 ? this.low : NO_INDEX;
  }

  /** Reads the next field; false at the end of the message, or at a fault. */
  next(): boolean {
    if (this.at >= this.end || !this.varint()) return false;
    this.wire = this.low & 7;
    this.field = (this.low >>> 3) + (this.high & 7) * 2 ** 29;
    if (this.high > 7 || this.high < 0 || this.field === 0) return this.#fail('bad');
    switch (this.wire) {
      case VARINT:
        return this.varint();
      case LENGTH:
        return this.#span();
      case FIXED64:
        return this.#fixed(8);
      case FIXED32:
        return this.#fixed(4);
      default:
        return this.#fail('bad');
    }
  }

  /** Reads a varint at the position into `low` and `high`; false if it is not whole. */
  varint(): boolean {
    const { bytes, end } = this;
    let { at } = this;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (at >= end) return this.#fail('cut');
      const byte = bytes[at++];
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.at = at;
        this.low = low;
        this.high = high;
        return true;
      }
    }
    return this.#fail('bad');
  }

  /** Whether the field can hold varints: a single one, or many in a row. */
  get isPackable(): boolean {
    return this.wire === VARINT || this.wire === LENGTH;
  }

  #span(): boolean {
    if (!this.varint()) return false;
    this.start = this.at;
    this.stop = this.at + this.unsigned;
    if (this.stop > this.end) return this.#fail('cut');
    this.at = this.stop;
    return true;
  }

  #fixed(size: 4 | 8): boolean {
    const { bytes, at } = this;
    if (at + size > this.end) return this.#fail('cut');
    this.low = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    this.high = size === 4 ? 0 : bytes[at + 4] | (bytes[at + 5] << 8) | (bytes[at + 6] << 16) | (bytes[at + 7] << 24);
    this.at = at + size;
    return true;
  }

  #fail(fault: WireFault): false {
    this.fault = fault;
    return false;
  }
}

/** Calls `visit` for each number of a repeated field of varints, packed or not; false if they are not whole. */
export function eachVarint(field: WireReader, inner: WireReader, visit: (numbers: WireReader) => void): boolean {
  if (field.wire === VARINT) {
    visit(field);
    return true;
  }
  if (field.wire !== LENGTH) return false;
  inner.set(field.bytes, field.start, field.stop);
  while (inner.at < inner.end) {
    if (!inner.varint()) return false;
    visit(inner);
  }
  return true;
}
