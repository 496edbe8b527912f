/**
 * Which names may contain a text, by their bytes: most names of a large program need not be decoded to know that they do not match.
 *
 * Cost: one pass over the bytes of the names, which skips most of them (Horspool), and a byte a name.
 */
import { sameBytes } from '../../base/columns/columns.js';
import { encodeUtf8, type StringTable } from '../../base/text.js';

/** Of a name that certainly contains a word where it is shown. Types of arrays are shown in another spelling, so they are never certain. */
export const CERTAIN = 2;
/** A letter or digit of any length: what stays as it is where names of classes are spelled with dots, brackets or slashes. */
const WORD = /[A-Za-z0-9_]+/g;
const ARRAY = 91;
const DOT = 46;

const PRIMITIVE_NAMES = ['boolean', 'byte', 'char', 'double', 'float', 'int', 'long', 'short', 'void'];

/**
 * By name: 0 if it cannot contain `text`, which may have parts that are spelled differently; `CERTAIN` if it contains its longest word.
 * Undefined if all may.
 */
export function mayContain(names: StringTable, text: string): Uint8Array | undefined {
  const words = [...text.matchAll(WORD)].map(([word]) => word).sort((a, b) => b.length - a.length);
  const [word = ''] = words;
  if (word.length < 2) return undefined;
  const { bytes, offsets } = names;
  const marks = containing(names, word);
  const ofPrimitives = PRIMITIVE_NAMES.some((name) => name.includes(word));
  for (let id = 0; id < marks.length; id++) {
    const isArray = bytes[offsets[id]] === ARRAY && offsets[id + 1] > offsets[id];
    if (marks[id] === 1) marks[id] = isArray ? 1 : CERTAIN;
    else if (ofPrimitives && (isArray || offsets[id + 1] - offsets[id] <= 1)) marks[id] = 1;
  }
  return marks;
}

/** By name: 1 if its bytes contain those of `text`, which has some. */
export function containing({ bytes, offsets }: StringTable, text: string): Uint8Array {
  const word = encodeUtf8(text);
  const count = offsets.length - 1;
  const marks = new Uint8Array(count);
  const last = word.length - 1;
  const skip = new Int32Array(256).fill(word.length);
  for (let i = 0; i < last; i++) skip[word[i]] = last - i;
  const end = offsets[count];
  let name = 0;
  for (let at = last; at < end; at += skip[bytes[at]]) {
    let matched = 0;
    while (matched <= last && bytes[at - matched] === word[last - matched]) matched++;
    if (matched <= last) continue;
    while (offsets[name + 1] <= at - last) name++;
    // Not across the end of a name.
    if (at < offsets[name + 1]) marks[name] = 1;
  }
  return marks;
}

/** By name: 1 if it is `text`, or ends with it behind a dot. */
export function endingWith({ bytes, offsets }: StringTable, text: string): Uint8Array {
  const word = encodeUtf8(text);
  const marks = new Uint8Array(offsets.length - 1);
  for (let id = 0; id < marks.length; id++) {
    const start = offsets[id + 1] - word.length;
    if (start < offsets[id] || (start > offsets[id] && bytes[start - 1] !== DOT)) continue;
    marks[id] = sameBytes(bytes, start, offsets[id + 1], word, 0, word.length) ? 1 : 0;
  }
  return marks;
}

/** By name: 1 if all of it is a part of `text`. */
export function containedIn({ bytes, offsets }: StringTable, text: string): Uint8Array {
  const whole = encodeUtf8(text);
  const starts: number[][] = Array.from({ length: 256 }, () => []);
  whole.forEach((byte, at) => {
    starts[byte]?.push(at);
  });
  const marks = new Uint8Array(offsets.length - 1);
  for (let id = 0; id < marks.length; id++) {
    const [from, length] = [offsets[id], offsets[id + 1] - offsets[id]];
    if (length > whole.length) continue;
    if (length === 0) marks[id] = 1;
    for (const start of starts[bytes[from]] ?? []) {
      let at = 0;
      while (at < length && whole[start + at] === bytes[from + at]) at++;
      if (at === length) marks[id] = 1;
    }
  }
  return marks;
}
