/**
 * Skips any JSON value (RFC 8259, strict UTF-8) without creating it, since a value kept as bytes can be larger than a
 * string. It stops at the first byte that is not JSON, so that damage costs nothing else. Cost: about 5 ns per byte;
 * one byte per level of nesting.
 */
import { ByteBuilder } from '../../base/columns/columns.js';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-bytes.js';
import { BAD, MORE, PADDING, Scanner } from './json-scanner.js';

/** The literals by their first byte. */
const LITERALS: ReadonlyMap<number, string> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]),
);

/** The position after the value at `position` (leading whitespace is skipped), or `MORE` or `BAD`. */
export function passJson(scanner: Scanner, position: number): number {
  const window = scanner.window;
  /** The closing brackets of the open containers. */
  const open = new ByteBuilder(16);
  let at = position;
  for (;;) {
    at = scanner.space(at);
    const first = window[at];
    if (first === OPEN_OBJECT || first === OPEN_LIST) {
      open.push(first === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST);
      at = scanner.space(at + 1);
      if (window[at] !== open.bytes[open.length - 1]) {
        if (first === OPEN_OBJECT) at = passKey(scanner, at);
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

/** In place of a position: the container closes here. */
export const ENDED = -3;

/**
 * Position of the next item of a container: after a comma, unless it is the `first`. `ENDED` at `close`, `MORE` if the
 * window does not contain the item's first byte.
 */
export function nextItem(scanner: Scanner, position: number, close: number, first: boolean): number {
  const { window } = scanner;
  let at = scanner.space(position);
  if (window[at] === close) return ENDED;
  if (!first) {
    if (window[at] !== COMMA) return scanner.fail(at, `',' or '${String.fromCharCode(close)}'`);
    at = scanner.space(at + 1);
  }
  return at >= scanner.end ? MORE : at;
}

/** After a value: skips closing brackets, and the comma (and key) before the next value. */
function closeBrackets(scanner: Scanner, open: ByteBuilder, at: number): number {
  const window = scanner.window;
  for (;;) {
    if (open.length === 0) return at;
    at = scanner.space(at);
    const close = open.bytes[open.length - 1];
    if (window[at] === COMMA) return close === CLOSE_OBJECT ? passKey(scanner, scanner.space(at + 1)) : at + 1;
    if (window[at] !== close) return scanner.fail(at, `',' or '${String.fromCharCode(close)}'`);
    open.length--;
    at++;
  }
}

/**
 * Skips an object or array by its brackets and strings alone; the rest need not be JSON. `open`: the closing brackets
 * of containers opened before `position`.
 */
export function passBrackets(scanner: Scanner, position: number, ...open: number[]): number {
  const { window, end } = scanner;
  let at = position;
  for (;;) {
    const byte = window[at];
    if (byte === QUOTE) {
      at = scanner.readString(at);
      if (at < 0) return at;
      continue;
    }
    if (byte === OPEN_OBJECT) open.push(CLOSE_OBJECT);
    else if (byte === OPEN_LIST) open.push(CLOSE_LIST);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      const expected = open.pop() ?? byte;
      if (byte !== expected) return scanner.fail(at, `'${String.fromCharCode(expected)}'`);
      if (open.length === 0) return at + 1;
    } else if (at >= end) return MORE;
    at++;
  }
}

/** Whether bytes outside a window are one JSON value. Copies them. */
export function isJsonText(bytes: Uint8Array): boolean {
  const scanner = scannerOf(bytes);
  const after = passJson(scanner, 0);
  return after >= 0 && scanner.space(after) >= scanner.end - 1;
}

/** A scanner over a copy of `bytes`, with a space after them, so that a number at their end is complete. */
export function scannerOf(bytes: Uint8Array): Scanner {
  const window = new Uint8Array(bytes.length + 1 + PADDING);
  window.set(bytes);
  window[bytes.length] = 0x20;
  const scanner = new Scanner();
  scanner.setWindow(window, bytes.length + 1);
  return scanner;
}

/** Skips a string with valid escapes and UTF-8. */
export function passString(scanner: Scanner, at: number): number {
  const after = scanner.readString(at);
  if (after < 0 || !scanner.stringSpecial || scanner.stringText() !== undefined) return after;
  scanner.failedAt = at + 1;
  scanner.expected = 'a string with valid escapes and UTF-8';
  return BAD;
}

/** Skips a key and its colon; the key is the scanner's last string. */
export function passKey(scanner: Scanner, at: number): number {
  const after = passString(scanner, at);
  return after < 0 ? after : scanner.punctuation(after, COLON);
}

/** Skips a string, number, `true`, `false` or `null`. */
export function passScalar(scanner: Scanner, at: number): number {
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
