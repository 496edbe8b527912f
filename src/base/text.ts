/**
 * Names as bytes. Recordings store names as UTF-8, as Java's modified UTF-8 (surrogates as two three-byte sequences,
 * NUL as C0 80) or as JSON text with escapes; all are kept as bytes and decoded on demand.
 */
import type { Flavor } from './flavor.js';

/** Row id in a `StringTable`. */
export type StringId = Flavor<number, 'string'>;

/** Interned names: string `i` is `bytes[offsets[i] .. offsets[i + 1])`. */
export interface StringTable {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
}

/** A byte order mark inside a name is a part of it. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const decoded = new WeakMap<StringTable, Map<number, string>>();
/** Decoded names kept a table; beyond this many, all are dropped, since the oldest are rarely needed again. */
const DECODED_KEPT = 1 << 20;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of bytes that are UTF-8 throughout; undefined if they are not. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of a name; the same id is decoded once. */
export function stringAt(table: StringTable, id: StringId): string {
  let cache = decoded.get(table);
  if (cache === undefined) {
    cache = new Map();
    decoded.set(table, cache);
  }
  const cachedText = cache.get(id);
  if (cachedText !== undefined) return cachedText;
  if (cache.size >= DECODED_KEPT) cache.clear();
  const text = decodeUtf8(table.bytes, table.offsets[id], table.offsets[id + 1]);
  cache.set(id, text);
  return text;
}

/**
 * Decodes UTF-8 and its Java variants: surrogates encoded one by one are joined (or kept when alone), C0 80 is NUL.
 * Other bytes become U+FFFD.
 */
export function decodeUtf8(bytes: Uint8Array, from: number, to: number): string {
  for (let i = from; i < to; i++) {
    const byte = bytes[i];
    if (byte === 0xed || byte === 0xc0) return decodeModifiedUtf8(bytes, from, to);
  }
  return utf8.decode(bytes.subarray(from, to));
}

/** Whether the bytes are UTF-8 or Java's modified UTF-8. ASCII, which nearly all names are, is not decoded. */
export function isLegible(bytes: Uint8Array, from: number, to: number): boolean {
  let high = 0;
  for (let i = from; i < to; i++) high |= bytes[i];
  if (high < 0x80) return true;
  return !decodeUtf8(bytes, from, to).includes('\ufffd') || utf8Text(bytes.subarray(from, to)) !== undefined;
}

function decodeModifiedUtf8(bytes: Uint8Array, from: number, to: number): string {
  const units: string[] = [];
  let plain = from;
  const flush = (end: number): void => {
    if (end > plain) units.push(utf8.decode(bytes.subarray(plain, end)));
  };
  for (let i = from; i < to; ) {
    const second = bytes[i + 1];
    const third = bytes[i + 2];
    const surrogate = bytes[i] === 0xed && second >= 0xa0 && second < 0xc0 && i + 2 < to && (third & 0xc0) === 0x80;
    const nul = bytes[i] === 0xc0 && second === 0x80 && i + 1 < to;
    if (!surrogate && !nul) {
      i++;
      continue;
    }
    flush(i);
    units.push(String.fromCharCode(nul ? 0 : 0xd000 | ((second & 0x3f) << 6) | (third & 0x3f)));
    i += nul ? 2 : 3;
    plain = i;
  }
  flush(to);
  return units.join('');
}

/** Text from a file as it may be shown: control characters, line separators and marks of writing direction become visible escapes. */
export function printable(text: string): string {
  return text.replace(CONTROLS, escaped);
}

const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** What most output has nothing of: seven times as fast to search as the others. */
const UNUSUAL = /[^\t\n -~]/;
/** As `CONTROLS`, but for line feeds and tabs. */
const UNSAFE = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
// Longer matches are kept: line ends, and bold, dim or coloured text.
const UNSAFE_OR_LINE_END = new RegExp(`\\r\\n|${UNSAFE.source}`, 'gu');
const UNSAFE_OR_STYLE = new RegExp(`\\r\\n|\\u001b\\[\\d{1,2}m|${UNSAFE.source}`, 'gu');

/**
 * Whole output as a terminal may get it: `printable`, but line feeds and tabs stay. In JSON, the escapes are those of the language.
 * `styled`: the text has styles of our own, which stay; texts of files in it are `printable` already.
 */
export function terminalText(text: string, styled = false): string {
  if (!UNUSUAL.test(text) || !UNSAFE.test(text)) return text;
  return text.replace(styled ? UNSAFE_OR_STYLE : UNSAFE_OR_LINE_END, (match) =>
    match.length > 1 ? match : escaped(match),
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const utf8Encoder = new TextEncoder();

/** Characters up to which a loop is faster than a call of the encoder. */
const SHORT = 64;

/** The bytes of ASCII text; undefined for others. */
function asciiBytes(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return undefined;
    bytes[i] = code;
  }
  return bytes;
}

/** Encodes text so that `decodeUtf8` gives it back, lone surrogates included (as three bytes each). */
export function encodeUtf8(text: string): Uint8Array {
  if (text.length <= SHORT) {
    const ascii = asciiBytes(text);
    if (ascii !== undefined) return ascii;
  }
  if (text.isWellFormed()) return utf8Encoder.encode(text);
  const parts: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xd800 && code <= 0xdfff)
      parts.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    else parts.push(...utf8Encoder.encode(character));
  }
  return Uint8Array.from(parts);
}
