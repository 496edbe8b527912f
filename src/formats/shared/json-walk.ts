/**
 * Past any JSON value (RFC 8259, strict UTF-8) without making it: what is kept as it stands can be larger than a string
 * may be. It stops at the very byte that is no JSON, so that damage never costs more than what it damages.
 * Cost: about 5 ns a byte; a byte a level of nesting.
 */
import { ByteBuilder } from '../../base/columns.js';
import { BAD, PADDING, Scanner } from './json-scanner.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** The literals by their first byte. */
const LITERALS: ReadonlyMap<number, string> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]),
);

/** The position behind the value at `position` (white space before it is passed over), or `MORE` or `BAD`. */
export function passJson(scanner: Scanner, position: number): number {
  const window = scanner.window;
  /** The brackets that close what is open. */
  const open = new ByteBuilder(16);
  let at = position;
  for (;;) {
    at = scanner.space(at);
    const first = window[at];
    if (first === OPEN || first === OPEN_LIST) {
      open.push(first === OPEN ? CLOSE : CLOSE_LIST);
      at = scanner.space(at + 1);
      if (window[at] !== open.bytes[open.length - 1]) {
        if (first === OPEN) at = passKey(scanner, at);
        if (at < 0) return at;
        continue;
      }
    } else {
      at = passScalar(scanner, at);
      if (at < 0) return at;
    }
    at = closeBrackets(scanner, open, at);
    if (at < 0 || open.length === 0) return at;
  }
}

/** Behind a value: past the brackets that close here, and past the comma (and key) before the next value. */
function closeBrackets(scanner: Scanner, open: ByteBuilder, at: number): number {
  const window = scanner.window;
  for (;;) {
    if (open.length === 0) return at;
    at = scanner.space(at);
    const close = open.bytes[open.length - 1];
    if (window[at] === COMMA) return close === CLOSE ? passKey(scanner, scanner.space(at + 1)) : at + 1;
    if (window[at] !== close) return scanner.fail(at, `',' or '${String.fromCharCode(close)}'`);
    open.length--;
    at++;
  }
}

/** Whether bytes outside a window are one JSON value. Copies them. */
export function isJsonText(bytes: Uint8Array): boolean {
  const scanner = scannerOf(bytes);
  const after = passJson(scanner, 0);
  return after >= 0 && scanner.space(after) >= scanner.end - 1;
}

/** A scanner over a copy of `bytes`, with a blank behind them, so that a number at their end is seen to end. */
export function scannerOf(bytes: Uint8Array): Scanner {
  const window = new Uint8Array(bytes.length + 1 + PADDING);
  window.set(bytes);
  window[bytes.length] = 0x20;
  const scanner = new Scanner();
  scanner.setWindow(window, bytes.length + 1);
  return scanner;
}

/** Past a string whose escapes and UTF-8 are right. */
export function passString(scanner: Scanner, at: number): number {
  const after = scanner.readString(at);
  if (after < 0 || !scanner.stringSpecial || scanner.stringText() !== undefined) return after;
  scanner.failedAt = at + 1;
  scanner.expected = 'a string of valid escapes and UTF-8';
  return BAD;
}

function passKey(scanner: Scanner, at: number): number {
  const after = passString(scanner, at);
  return after < 0 ? after : scanner.punctuation(after, COLON);
}

function passScalar(scanner: Scanner, at: number): number {
  const window = scanner.window;
  if (window[at] === QUOTE) return passString(scanner, at);
  const word = LITERALS.get(window[at]);
  if (word === undefined) {
    const after = scanner.readNumber(at);
    if (after === BAD) scanner.expected = 'a value';
    return after;
  }
  for (let i = 1; i < word.length; i++) if (window[at + i] !== word.charCodeAt(i)) return scanner.fail(at + i, word);
  return at + word.length;
}
