/** A line of text as bytes, and a position in it, shared by the parsers of lines. Nothing here makes strings or objects. */

import { contentStart } from '../shared/line-start.js';

/** Bytes of ASCII text, made once for each word searched. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const latin1 = new TextDecoder('latin1');

const BLANK = 32;
const ZERO = 48;
const MINUS = 45;
const POINT = 46;
/** The decimal sign of many locales. */
const COMMA = 44;
/** Digits of the largest number that a double holds exactly. */
const MOST_DIGITS = 15;

export class Cursor {
  bytes: Uint8Array = new Uint8Array(0);
  /** First byte of the line, the position in it, and the byte after its last. */
  from = 0;
  at = 0;
  end = 0;
  /** Where the line begins in the file. */
  offset = 0;

  set(bytes: Uint8Array, from: number, end: number, offset: number): void {
    this.bytes = bytes;
    this.from = from;
    this.at = from;
    this.end = end;
    this.offset = offset;
  }

  get atEnd(): boolean {
    return this.at >= this.end;
  }

  /** Whether these bytes are next in the line. */
  sees(word: Uint8Array): boolean {
    if (this.at + word.length > this.end) return false;
    for (let i = 0; i < word.length; i++) if (this.bytes[this.at + i] !== word[i]) return false;
    return true;
  }

  /** Skips these bytes, if they are next. */
  skip(word: Uint8Array): boolean {
    if (!this.sees(word)) return false;
    this.at += word.length;
    return true;
  }

  /** Whether the line ends with these bytes, at or after the position. */
  endsWith(word: Uint8Array): boolean {
    const start = this.end - word.length;
    if (start < this.at) return false;
    for (let i = 0; i < word.length; i++) if (this.bytes[start + i] !== word[i]) return false;
    return true;
  }

  /** Position of the last occurrence of these bytes at or after the current one, -1 if none. */
  lastOf(word: Uint8Array): number {
    for (let start = this.end - word.length; start >= this.at; start--) {
      let i = 0;
      while (i < word.length && this.bytes[start + i] === word[i]) i++;
      if (i === word.length) return start;
    }
    return -1;
  }

  blanks(): void {
    this.at = contentStart(this.bytes, this.at, this.end);
  }

  /** A whole number without a sign; NaN if there is none. */
  count(): number {
    return this.bytes[this.at] === MINUS ? NaN : this.decimal();
  }

  /** A whole number, possibly negative; NaN (and the position stays) if there is none or it has too many digits. */
  decimal(): number {
    const start = this.at;
    const negative = this.bytes[start] === MINUS && start < this.end;
    let at = negative ? start + 1 : start;
    let value = 0;
    const first = at;
    for (; at < this.end; at++) {
      const digit = this.bytes[at] - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === first || at - first > MOST_DIGITS || (negative && value === 0)) return NaN;
    this.at = at;
    return negative ? -value : value;
  }

  /**
   * A percentage with two decimal places, as hundredths of a percent: `41.55%` is 4155, and so is `41,55%`, as JVMs print it
   * in locales with a decimal comma. NaN if there is none.
   */
  percent(): number {
    const whole = this.count();
    const sign = this.bytes[this.at];
    if (Number.isNaN(whole) || (sign !== POINT && sign !== COMMA) || this.at + 4 > this.end) return NaN;
    const tenth = this.bytes[this.at + 1] - ZERO;
    const hundredth = this.bytes[this.at + 2] - ZERO;
    if (tenth < 0 || tenth > 9 || hundredth < 0 || hundredth > 9 || this.bytes[this.at + 3] !== 37) return NaN;
    this.at += 4;
    return whole * 100 + tenth * 10 + hundredth;
  }

  /** Whether the bytes `from` up to `to` have no control character: names of classes and members have none. */
  isName(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (this.bytes[at] < BLANK) return false;
    return to > from;
  }

  /** Upper and lower 32 bits of the last number that `hex` read. */
  high = 0;
  low = 0;

  /**
   * Reads a hexadecimal number of at most 16 digits, possibly after `0x`; false (and the position stays) if there is
   * none.
   */
  hex(): boolean {
    let at = this.at;
    if (this.bytes[at] === ZERO && this.bytes[at + 1] === 120 && at + 2 < this.end) at += 2;
    const first = at;
    let high = 0;
    let low = 0;
    for (; at < this.end; at++) {
      const digit = hexDigit(this.bytes[at]);
      if (digit < 0) break;
      high = (high << 4) | (low >>> 28);
      low = (low << 4) | digit;
    }
    if (at === first || at - first > 16) return false;
    this.at = at;
    this.high = high;
    this.low = low;
    return true;
  }

  /** The rest of the line, one character a byte. */
  text(): string {
    return latin1.decode(this.bytes.subarray(this.at, this.end));
  }

  /** The text of some bytes of the line, for messages: at most 60 characters. */
  excerpt(from = this.from, to = this.end): string {
    const text = new TextDecoder().decode(this.bytes.subarray(from, Math.min(to, from + 60)));
    return to - from > 60 ? `${text}…` : text;
  }
}

function hexDigit(byte: number): number {
  if (byte >= ZERO && byte <= 57) return byte - ZERO;
  if (byte >= 97 && byte <= 102) return byte - 87;
  return byte >= 65 && byte <= 70 ? byte - 55 : -1;
}
