/**
 * Whether bytes are JSON (RFC 8259, strict UTF-8), without making its value: what is kept as it stands can be larger
 * than a string may be. Cost: about 5 ns a byte; a byte a level of nesting.
 */
import { ByteBuilder } from '../../base/columns.js';
import { BAD, PADDING, Scanner } from './scanner.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

const LITERALS = ['true', 'false', 'null'].map((word) => new TextEncoder().encode(word));

/** Whether the bytes of the scanner's window between two positions are one JSON value, with or without white space. */
export function isJson(scanner: Scanner, from: number, to: number): boolean {
  const window = scanner.window;
  /** The brackets that close what is open. */
  const open = new ByteBuilder(16);
  let at = from;
  for (;;) {
    at = scanner.space(at);
    const first = window[at];
    if (first === OPEN || first === OPEN_LIST) {
      open.push(first === OPEN ? CLOSE : CLOSE_LIST);
      at = scanner.space(at + 1);
      if (window[at] !== open.bytes[open.length - 1]) {
        if (first === OPEN) at = passKey(scanner, at);
        if (at < 0) return false;
        continue;
      }
    } else {
      at = passScalar(scanner, at);
      if (at < 0) return false;
    }
    for (;;) {
      if (open.length === 0) return at <= to && scanner.space(at) >= to;
      at = scanner.space(at);
      const close = open.bytes[open.length - 1];
      if (window[at] === COMMA) {
        at = close === CLOSE ? passKey(scanner, scanner.space(at + 1)) : at + 1;
        if (at < 0) return false;
        break;
      }
      if (window[at] !== close) return false;
      open.length--;
      at++;
    }
  }
}

/** Whether bytes outside a window are one JSON value. Copies them. */
export function isJsonText(bytes: Uint8Array): boolean {
  const scanner = new Scanner();
  scanner.window = new Uint8Array(bytes.length + PADDING);
  scanner.window.set(bytes);
  scanner.end = bytes.length;
  return isJson(scanner, 0, bytes.length);
}

function passString(scanner: Scanner, at: number): number {
  const after = scanner.readString(at);
  return after >= 0 && scanner.stringSpecial && scanner.stringText() === undefined ? BAD : after;
}

function passKey(scanner: Scanner, at: number): number {
  const after = passString(scanner, at);
  return after < 0 ? after : scanner.punctuation(after, COLON);
}

function passScalar(scanner: Scanner, at: number): number {
  const window = scanner.window;
  if (window[at] === QUOTE) return passString(scanner, at);
  for (const word of LITERALS) {
    if (word.every((byte, index) => window[at + index] === byte)) return at + word.length;
  }
  return passNumber(window, at);
}

/** `Scanner.readNumber` wants a byte behind the number, which a text of one number has not. */
function passNumber(window: Uint8Array, at: number): number {
  const digits = (from: number): number => {
    let end = from;
    while (window[end] >= 0x30 && window[end] <= 0x39) end++;
    return end;
  };
  const start = window[at] === 0x2d ? at + 1 : at;
  let end = window[start] === 0x30 ? start + 1 : digits(start);
  if (end === start) return BAD;
  if (window[end] === 0x2e) {
    const fraction = end + 1;
    end = digits(fraction);
    if (end === fraction) return BAD;
  }
  if (window[end] !== 0x65 && window[end] !== 0x45) return end;
  const sign = window[end + 1];
  const exponent = sign === 0x2b || sign === 0x2d ? end + 2 : end + 1;
  end = digits(exponent);
  return end === exponent ? BAD : end;
}
