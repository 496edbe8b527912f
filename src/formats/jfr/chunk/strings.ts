/** Strings of a chunk: a byte for the encoding, then the text. */
import { ByteInterner } from '../../../base/columns/hash.js';
import { decodeUtf8, encodeUtf8 } from '../../../base/text.js';
import type { Cursor } from './cursor.js';

/** Encodings. */
const NULL = 0;
export const EMPTY = 1;
export const POOLED = 2;
export const UTF8 = 3;
/** Units of 16 bits. */
export const CHARS = 4;
export const LATIN1 = 5;

/** Values of a column of strings: ids of `ChunkStrings`; this for none; below it, keys of the pool of strings. */
export const NO_STRING = -1;

/** The texts of a chunk, as UTF-8, each once. */
export class ChunkStrings {
  readonly texts = new ByteInterner();
  readonly #cursor: Cursor;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  /**
   * Reads the string at the cursor: its id, `NO_STRING`, or `-2 -` the key of a pooled one that `keyOf` makes of the number just
   * read. Unknown encodings move the cursor behind the end.
   */
  read(keyOf: (low: number, high: number) => number): number {
    const cursor = this.#cursor;
    switch (cursor.byte()) {
      case NULL:
        return NO_STRING;
      case EMPTY:
        return this.texts.add(cursor.bytes, 0, 0);
      case POOLED:
        cursor.long();
        return -2 - keyOf(cursor.low, cursor.high);
      case UTF8:
        return this.#utf8();
      case CHARS:
        return this.#chars();
      case LATIN1:
        return this.#latin1();
      default:
        cursor.at = cursor.end + 1;
        return NO_STRING;
    }
  }

  text(id: number): string {
    const { bytes, offsets } = this.texts;
    return id < 0 ? '' : decodeUtf8(bytes.bytes, offsets.values[id], offsets.values[id + 1]);
  }

  /** The bytes of a string: -1 if they are not there. */
  #length(): number {
    const cursor = this.#cursor;
    const length = cursor.int();
    if (length >= 0 && length <= cursor.end - cursor.at) return length;
    cursor.at = cursor.end + 1;
    return -1;
  }

  #utf8(): number {
    const length = this.#length();
    if (length < 0) return NO_STRING;
    const cursor = this.#cursor;
    const from = cursor.at;
    cursor.at += length;
    return this.texts.add(cursor.bytes, from, cursor.at);
  }

  #chars(): number {
    const length = this.#length();
    if (length < 0) return NO_STRING;
    // Metadata are thousands of such strings, and nearly all of them ASCII: compressed, each unit is its byte.
    const { compressed, bytes, at } = this.#cursor;
    if (compressed && isAscii(bytes, at, at + length)) {
      this.#cursor.at += length;
      return this.texts.add(bytes, at, at + length);
    }
    const units = new Uint16Array(length);
    for (let i = 0; i < length; i++) units[i] = this.#cursor.char();
    let text = '';
    for (let i = 0; i < length; i += 4096) text += String.fromCharCode(...units.subarray(i, i + 4096));
    return this.#add(encodeUtf8(text));
  }

  #latin1(): number {
    const length = this.#length();
    if (length < 0) return NO_STRING;
    const cursor = this.#cursor;
    const from = cursor.at;
    cursor.at += length;
    if (isAscii(cursor.bytes, from, cursor.at)) return this.texts.add(cursor.bytes, from, cursor.at);
    const encoded = new Uint8Array(2 * length);
    let to = 0;
    for (let i = from; i < cursor.at; i++) {
      const byte = cursor.bytes[i];
      if (byte >= 0x80) encoded[to++] = 0xc0 | (byte >> 6);
      encoded[to++] = byte < 0x80 ? byte : 0x80 | (byte & 0x3f);
    }
    return this.texts.add(encoded, 0, to);
  }

  #add(bytes: Uint8Array): number {
    return this.texts.add(bytes, 0, bytes.length);
  }
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  let all = 0;
  for (let i = from; i < to; i++) all |= bytes[i];
  return all < 0x80;
}
