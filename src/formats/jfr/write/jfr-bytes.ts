/** Bytes of a chunk: numbers as its header says, compressed or big-endian; texts; events with their size before them. */
import { ByteBuilder } from '../../../base/columns/columns.js';
import { encodeUtf8 } from '../../../base/text.js';
import { UTF8 } from '../chunk/strings.js';

/** Most bytes of a compressed number. */
const LONGEST = 9;

export class JfrBytes extends ByteBuilder {
  readonly compressed: boolean;

  constructor(compressed: boolean, capacity?: number) {
    super(capacity);
    this.compressed = compressed;
  }

  /** A number of 32 bits; negative ones become their two's complement. */
  int(value: number): void {
    if (this.compressed) this.#varint(value >>> 0, 0);
    else this.#four(value);
  }

  /** A whole number up to 2^53, of either sign. */
  long(value: number): void {
    this.halves(value | 0, Math.floor(value / 2 ** 32));
  }

  /** A number of 64 bits by its halves. */
  halves(low: number, high: number): void {
    if (this.compressed) {
      this.#varint(low >>> 0, high >>> 0);
      return;
    }
    this.#four(high);
    this.#four(low);
  }

  /** A text of this encoding: byte, length, bytes. */
  text(text: string): void {
    const bytes = encodeUtf8(text);
    this.push(UTF8);
    this.int(bytes.length);
    this.append(bytes, 0, bytes.length);
  }

  /** Appends an event: its size, then `type`, as a number written before, and its payload. */
  event(type: Uint8Array, payload: ByteBuilder): void {
    this.int(sizeOfEvent(type.length + payload.length, this.compressed));
    this.append(type, 0, type.length);
    this.append(payload.bytes, 0, payload.length);
  }

  #varint(low: number, high: number): void {
    this.reserve(LONGEST);
    const { bytes } = this;
    let at = this.length;
    let rest = low;
    let above = high;
    for (let i = 1; i < LONGEST && (above > 0 || rest >= 0x80); i++) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest = ((rest >>> 7) | (above << 25)) >>> 0;
      above >>>= 7;
    }
    // The ninth byte is whole.
    bytes[at++] = rest;
    this.length = at;
  }

  #four(value: number): void {
    this.reserve(4);
    for (let shift = 24; shift >= 0; shift -= 8) this.bytes[this.length++] = value >>> shift;
  }
}

/** The size of an event with `rest` bytes after its size: it includes its own bytes. */
export function sizeOfEvent(rest: number, compressed: boolean): number {
  if (!compressed) return rest + 4;
  let own = 1;
  while (rest + own >= 2 ** (7 * own)) own++;
  return rest + own;
}

/** A number of 64 bits by itself, such as the id of a type. */
export function numberBytes(value: number, compressed: boolean): Uint8Array {
  const bytes = new JfrBytes(compressed, LONGEST);
  bytes.long(value);
  return bytes.finish();
}
