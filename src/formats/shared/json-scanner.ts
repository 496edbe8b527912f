/**
 * JSON tokens straight from a window of bytes.
 *
 * Every method takes the position to read at and returns the position after the token, or `MORE` if the window ends
 * inside it, or `BAD` if it is unexpected (`failedAt` and `expected` then say where and what). There is no state
 * between tokens, so a caller that gets `MORE` discards its partial result and starts again on a larger window. After
 * its last byte a window has zeros, which no token accepts: the inner loops need no check for the end.
 */
import { HASH_PRIME, HASH_SEED } from '../../base/columns/hash.js';
import { utf8Text } from '../../base/text.js';
import { BACKSLASH, QUOTE } from './json-bytes.js';

export const MORE = -1;
export const BAD = -2;

/** Zero bytes required after the last byte of a window. */
export const PADDING = 16;

const MINUS = 0x2d;
const ZERO = 0x30;

const latin1 = new TextDecoder('latin1');

export class Scanner {
  window: Uint8Array = new Uint8Array(PADDING);
  /** The same bytes, to load several at once. */
  view = new DataView(this.window.buffer);
  end = 0;

  /** Value of the last number; the span and hash of the last string's bytes between its quotes. */
  number = 0;
  stringStart = 0;
  stringEnd = 0;
  stringHash = 0;
  /** Whether the last string has escapes or bytes beyond ASCII. */
  stringSpecial = false;
  /** Whether the last number is not written as a plain integer, is -0 or is beyond 2^53. */
  numberSpecial = false;

  failedAt = 0;
  expected = '';

  /** Sets the window: `end` bytes to read, followed by `PADDING` zeros. */
  setWindow(window: Uint8Array, end: number): void {
    window.fill(0, end, end + PADDING);
    if (window.buffer !== this.window.buffer)
      this.view = new DataView(window.buffer, window.byteOffset, window.byteLength);
    this.window = window;
    this.end = end;
  }

  fail(position: number, expected: string): number {
    if (position >= this.end) return MORE;
    this.failedAt = position;
    this.expected = expected;
    return BAD;
  }

  space(position: number): number {
    const window = this.window;
    let byte = window[position];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = window[++position];
    return position;
  }

  /** Past whitespace and `byte`. */
  punctuation(position: number, byte: number): number {
    if (this.window[position] <= 0x20) position = this.space(position);
    return this.window[position] === byte ? position + 1 : this.fail(position, `'${String.fromCharCode(byte)}'`);
  }

  /** A number; leading whitespace is skipped. */
  readNumber(position: number): number {
    const window = this.window;
    if (window[position] <= 0x20) position = this.space(position);
    const start = position;
    const negative = window[position] === MINUS;
    if (negative) position++;
    const digits = position;
    let value = 0;
    let digit = window[position] - ZERO;
    while (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digit = window[++position] - ZERO;
    }
    const next = window[position];
    if (position === digits || position >= this.end) return this.fail(position, 'a number');
    const length = position - digits;
    if (next === 0x2e || next === 0x65 || next === 0x45 || length > 15 || (length > 1 && window[digits] === ZERO)) {
      return this.#specialNumber(start);
    }
    this.number = negative ? -value : value;
    this.numberSpecial = negative && value === 0;
    return position;
  }

  #specialNumber(start: number): number {
    let position = start;
    while (isNumberByte(this.window[position])) position++;
    if (position >= this.end) return MORE;
    const text = latin1.decode(this.window.subarray(start, position));
    if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text)) return this.fail(start, 'a number');
    this.number = Number(text);
    this.numberSpecial = !Number.isSafeInteger(this.number) || String(this.number) !== text;
    return position;
  }

  /** A string; `position` is at its opening quote. Hashes its bytes on the way. */
  readString(position: number): number {
    const window = this.window;
    if (window[position] !== QUOTE) return this.fail(position, 'a string');
    const start = ++position;
    let hash = HASH_SEED;
    let byte = window[position];
    while (byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH) {
      hash = Math.imul(hash ^ byte, HASH_PRIME);
      byte = window[++position];
    }
    if (byte !== QUOTE) return this.#specialString(start, position);
    this.stringStart = start;
    this.stringEnd = position;
    this.stringHash = hash;
    this.stringSpecial = false;
    return position + 1;
  }

  #specialString(start: number, position: number): number {
    const window = this.window;
    for (;;) {
      const byte = window[position];
      if (byte === QUOTE) break;
      if (byte < 0x20) return this.fail(position, 'a string without control characters');
      position += byte === BACKSLASH ? 2 : 1;
    }
    if (position >= this.end) return MORE;
    this.stringStart = start;
    this.stringEnd = position;
    this.stringSpecial = true;
    return position + 1;
  }

  /** The last string, unescaped; undefined if its escapes or UTF-8 are invalid. */
  stringText(): string | undefined {
    const written = utf8Text(this.window.subarray(this.stringStart, this.stringEnd));
    if (written === undefined) return undefined;
    try {
      const text: unknown = JSON.parse(`"${written}"`);
      return typeof text === 'string' ? text : undefined;
    } catch {
      return undefined;
    }
  }

  stringIsUtf8(): boolean {
    return utf8Text(this.window.subarray(this.stringStart, this.stringEnd)) !== undefined;
  }

  /** Whether the last string is the ASCII text `word`. */
  stringIs(word: string): boolean {
    const length = this.stringEnd - this.stringStart;
    if (length !== word.length) return false;
    for (let i = 0; i < length; i++) if (this.window[this.stringStart + i] !== word.charCodeAt(i)) return false;
    return true;
  }
}

function isNumberByte(byte: number): boolean {
  return (
    (byte >= ZERO && byte <= 0x39) || byte === MINUS || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45
  );
}
