/**
 * JSON straight to bytes: no string and no object per entry. The caller takes a chunk whenever one is full.
 *
 * Cost: memory of one chunk (about 1 MiB, more only for a larger element); 2 to 4 ns per byte.
 */
import { decodeUtf8, utf8Text } from '../../base/text.js';
import { BACKSLASH, COMMA, QUOTE } from './json-bytes.js';

/** A chunk is full from this size on. */
export const CHUNK = 1 << 20;
/** Room after a full chunk, so that it rarely has to grow. */
const SLACK = 1 << 16;

const MINUS = 0x2d;
const ZERO = 0x30;
/** Bytes of the longest 32-bit integer. */
const LONGEST_INTEGER = 11;

const encoder = new TextEncoder();

/** ASCII text as bytes, for `JsonWriter.text`. */
export function fragment(text: string): Uint8Array {
  return encoder.encode(text);
}

export class JsonWriter {
  #bytes = new Uint8Array(CHUNK + SLACK);
  #length = 0;
  #first = true;
  /** Bytes of the chunks that were taken. */
  written = 0;

  get full(): boolean {
    return this.#length >= CHUNK;
  }

  /** The bytes written since the last call. The caller owns the memory. */
  take(): Uint8Array {
    const chunk = this.#bytes.subarray(0, this.#length);
    this.written += chunk.length;
    this.#bytes = new Uint8Array(CHUNK + SLACK);
    this.#length = 0;
    return chunk;
  }

  byte(byte: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Begins an array or object: the next `separate` writes nothing. */
  open(byte: number): void {
    this.byte(byte);
    this.#first = true;
  }

  /** Ends an array or object; the next value needs a comma. */
  close(byte: number): void {
    this.byte(byte);
    this.#first = false;
  }

  /** The next value needs no comma, for example after a key. */
  unseparated(): void {
    this.#first = true;
  }

  /** A comma, unless the next value is the first. */
  separate(): void {
    if (this.#first) this.#first = false;
    else this.byte(COMMA);
  }

  text(text: Uint8Array): void {
    const length = text.length;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < length; i++) bytes[at++] = text[i];
    this.#length = at;
  }

  /** Unchanged bytes; for long runs. */
  raw(source: Uint8Array): void {
    if (this.#length + source.length > this.#bytes.length) this.#grow(source.length);
    this.#bytes.set(source, this.#length);
    this.#length += source.length;
  }

  /** A 32-bit integer. */
  integer(value: number): void {
    if (this.#length + LONGEST_INTEGER > this.#bytes.length) this.#grow(LONGEST_INTEGER);
    const bytes = this.#bytes;
    let at = this.#length;
    if (value < 0) {
      bytes[at++] = MINUS;
      value = -value;
    }
    at += digitsOf(value);
    this.#length = at;
    // Unsigned, so -2^31 needs no care.
    while (value >= 10) {
      const tens = (value / 10) >>> 0;
      bytes[--at] = ZERO + value - tens * 10;
      value = tens;
    }
    bytes[--at] = ZERO + value;
  }

  /** A number that was read from JSON; infinity stands for one beyond the range of doubles. */
  number(value: number): void {
    if (value === (value | 0) && !Object.is(value, -0)) this.integer(value);
    else if (Number.isFinite(value)) this.text(fragment(value === 0 ? '-0' : String(value)));
    else this.text(fragment(value > 0 ? '1e999' : '-1e999'));
  }

  /** A string with its quotes, from a name as in `base/text`: UTF-8 with lone surrogates as three bytes. */
  string(source: Uint8Array, from: number, to: number): void {
    // At most six bytes per byte: the escape of a control character.
    if (this.#length + (to - from) * 6 + 2 > this.#bytes.length) this.#grow((to - from) * 6 + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let i = from; i < to; i++) {
      const byte = source[i];
      if (byte < 0x20 || byte >= 0x80 || byte === QUOTE || byte === BACKSLASH) {
        this.raw(escaped(source.subarray(from, to)));
        return;
      }
      bytes[at++] = byte;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  #grow(more: number): void {
    const grown = new Uint8Array(Math.max(this.#length + more, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

function digitsOf(value: number): number {
  if (value < 10) return 1;
  if (value < 100) return 2;
  if (value < 1e3) return 3;
  if (value < 1e4) return 4;
  if (value < 1e5) return 5;
  if (value < 1e6) return 6;
  let digits = 7;
  for (let bound = 1e7; value >= bound; bound *= 10) digits++;
  return digits;
}

/** The JSON string of a name that needs escapes or is not ASCII; lone surrogates become escapes. */
function escaped(name: Uint8Array): Uint8Array {
  return encoder.encode(JSON.stringify(utf8Text(name) ?? decodeUtf8(name, 0, name.length)));
}
