/**
 * Which names may contain a text, by their bytes: most names of a large program need not be decoded to know that they do not match.
 *
 * Cost: one pass over the bytes of the names, which skips most of them (Horspool), and a byte a name.
 */
import { encodeUtf8, type StringTable } from '../../base/text.js';

/** A letter or digit of any length: what stays as it is where names of classes are spelled with dots, brackets or slashes. */
const WORD = /[A-Za-z0-9_]+/g;
const ARRAY = 91;

/** By name: 1 if it may contain `text`, which may have parts that are spelled differently. Undefined if all may. */
export function mayContain(names: StringTable, text: string): Uint8Array | undefined {
  const words = [...text.matchAll(WORD)].map(([word]) => word).sort((a, b) => b.length - a.length);
  const [word = ''] = words;
  return word.length < 2 ? undefined : marksOf(names, encodeUtf8(word));
}

function marksOf({ bytes, offsets }: StringTable, word: Uint8Array): Uint8Array {
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
  // Types of arrays and primitives are spelled in another way.
  for (let id = 0; id < count; id++) {
    const length = offsets[id + 1] - offsets[id];
    if (length <= 1 || bytes[offsets[id]] === ARRAY) marks[id] = 1;
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
