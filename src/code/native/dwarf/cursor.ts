/**
 * Reads the primitive values of DWARF ("DWARF Debugging Information Format", version 5, section 7). Every read checks the end of its section: beyond
 * it, `DwarfError` names section and offset.
 */
import { UnreadableError } from '../../../base/errors.js';
import { decodeUtf8 } from '../../../base/text.js';

/** Debug information that contradicts its format. */
export class DwarfError extends UnreadableError {}

/** A section with its name, for messages. */
export interface DwarfSection {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly littleEndian: boolean;
}

export class Cursor {
  readonly section: DwarfSection;
  at: number;
  readonly end: number;
  readonly #view: DataView;

  constructor(section: DwarfSection, at: number, end: number = section.bytes.length) {
    const { bytes } = section;
    this.section = section;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
    this.end = Math.min(end, bytes.length);
    if (!(at >= 0 && at <= this.end)) throw this.error('no data at this offset');
  }

  error(what: string, at: number = this.at): DwarfError {
    return new DwarfError(`${this.section.name} at offset ${at}: ${what}`);
  }

  skip(count: number): void {
    this.#take(count);
  }

  /** Moves over `count` bytes and returns where they begin. */
  #take(count: number): number {
    const { at } = this;
    if (!(count >= 0 && count <= this.end - at)) throw this.error(`${count} bytes expected, ${this.end - at} found`);
    this.at += count;
    return at;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  i8(): number {
    return this.#view.getInt8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), this.section.littleEndian);
  }

  u24(): number {
    const at = this.#take(3);
    const [a, b, c] = [this.#view.getUint8(at), this.#view.getUint8(at + 1), this.#view.getUint8(at + 2)];
    return this.section.littleEndian ? a | (b << 8) | (c << 16) : c | (b << 8) | (a << 16);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), this.section.littleEndian);
  }

  /** Loses digits beyond 2^53, where no address of a program is. */
  u64(): number {
    const at = this.#take(8);
    const little = this.section.littleEndian;
    const high = this.#view.getUint32(little ? at + 4 : at, little);
    return high * 2 ** 32 + this.#view.getUint32(little ? at : at + 4, little);
  }

  /** A number of 1, 2, 3, 4 or 8 bytes. */
  sized(size: number): number {
    if (size === 8) return this.u64();
    if (size === 4) return this.u32();
    if (size === 2) return this.u16();
    if (size === 1) return this.u8();
    if (size === 3) return this.u24();
    throw this.error(`numbers of ${size} bytes are unknown`);
  }

  unsigned(): number {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = this.u8();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }

  signed(): number {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = this.u8();
      value += (byte & 127) * factor;
      factor *= 128;
      if (byte < 128) return byte >= 64 ? value - factor : value;
    }
  }

  /** The text up to the next NUL. */
  text(): string {
    const { bytes } = this.section;
    const end = bytes.indexOf(0, this.at);
    if (end < 0 || end >= this.end) throw this.error('a text without an end');
    const text = decodeUtf8(bytes, this.at, end);
    this.at = end + 1;
    return text;
  }

  /** The length of a unit: where it ends, and the width of offsets in it. */
  unitEnd(): { readonly end: number; readonly offsetSize: 4 | 8 } {
    const { at } = this;
    const short = this.u32();
    if (short >= 0xfffffff0 && short !== 0xffffffff) throw this.error('a reserved length', at);
    const isLong = short === 0xffffffff;
    const length = isLong ? this.u64() : short;
    if (length > this.end - this.at)
      throw this.error(`a unit of ${length} bytes, but only ${this.end - this.at} are left`, at);
    return { end: this.at + length, offsetSize: isLong ? 8 : 4 };
  }
}
