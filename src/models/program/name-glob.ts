/**
 * Globs on names as bytes, where these are spelled as they are shown: `*` is any characters, `?` one. Names of other spellings (arrays, slashes
 * before packages, blanks, characters beyond ASCII) are left to the caller.
 */
import { encodeUtf8, type StringTable } from '../../base/text.js';

const DOLLAR = 36;
const STAR = 42;
const DOT = 46;
const QUESTION = 63;
const SPECIAL = new Uint8Array(256).map((_, byte) =>
  byte >= 128 || ' /['.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/** Whether a name is spelled as it is shown, byte by byte. */
export function isPlain({ bytes, offsets }: StringTable, id: number): boolean {
  for (let at = offsets[id]; at < offsets[id + 1]; at++) if (SPECIAL[bytes[at]] === 1) return false;
  return true;
}

export class NameGlob {
  readonly #pattern: Uint8Array;
  /** Bytes behind the last sign: most names end otherwise, and need no search. */
  readonly #tail: number;

  constructor(pattern: string) {
    this.#pattern = encodeUtf8(pattern);
    this.#tail = encodeUtf8(pattern.replace(/^.*[*?]/s, '')).length;
  }

  /** Whether the whole name matches, or with `nested` what follows one of its dots or `$`. */
  matchesName({ bytes, offsets }: StringTable, id: number, nested: boolean): boolean {
    const [from, to] = [offsets[id], offsets[id + 1]];
    if (this.matches(bytes, from, to)) return true;
    if (nested)
      for (let at = from; at < to; at++)
        if ((bytes[at] === DOT || bytes[at] === DOLLAR) && this.matches(bytes, at + 1, to)) return true;
    return false;
  }

  /** Whether all of `bytes[from .. to)` matches. O(length × length of the pattern). */
  matches(bytes: Uint8Array, from: number, to: number): boolean {
    const pattern = this.#pattern;
    const tail = pattern.length - this.#tail;
    if (to - from < this.#tail) return false;
    for (let end = to, last = pattern.length; last > tail; ) if (bytes[--end] !== pattern[--last]) return false;
    let [at, place] = [from, 0];
    // Where the last star stands, and where what follows it is tried.
    let [star, retry] = [-1, from];
    while (at < to) {
      const wanted = pattern[place];
      if (wanted === STAR) {
        star = place++;
        retry = at;
        if (place === pattern.length) return true;
      } else if (wanted === bytes[at] || wanted === QUESTION) {
        at++;
        place++;
      } else if (star >= 0) {
        place = star + 1;
        at = ++retry;
      } else return false;
    }
    while (pattern[place] === STAR) place++;
    return place === pattern.length;
  }
}
