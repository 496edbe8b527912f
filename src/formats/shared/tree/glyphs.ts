/**
 * The drawing of trees in text, as the reports of GraalVM Native Image have it: four columns a level. Builds without UTF-8 wrote `?`
 * for each glyph.
 *
 *   ├── child        ??? child
 *   │   └── last     ?   ??? last
 */
import { encodeUtf8 } from '../../../base/text.js';

export const CHILD = encodeUtf8('├── ');
export const LAST = encodeUtf8('└── ');
export const BAR = encodeUtf8('│   ');
export const BLANKS = encodeUtf8('    ');

const BLANK = 32;
const QUESTION_MARK = 63;
/** First byte of a glyph in UTF-8, `e2 94 xx`, and the last one of `│`. */
const GLYPH = 0xe2;
const BAR_END = 0x82;

/** The glyphs before a line, read in place. */
export class TreeGlyphs {
  depth = 0;
  /** Whether the glyph is that of a last child; true where glyphs were written as `?`. */
  isLast = false;

  /** Where the text after the glyphs begins; -1 if this is no line of a tree. */
  read(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (let depth = 0; at + 4 <= to; depth++) {
      const first = bytes[at];
      if (first === BLANK) {
        if (bytes[at + 1] !== BLANK || bytes[at + 2] !== BLANK || bytes[at + 3] !== BLANK) return -1;
        at += 4;
      } else if (first === GLYPH) {
        if (bytes[at + 2] !== BAR_END) return this.#corner(bytes, at, to, depth);
        if (!startsAt(bytes, at, to, BAR)) return -1;
        at += 6;
      } else if (first === QUESTION_MARK) {
        if (bytes[at + 1] === QUESTION_MARK) {
          this.depth = depth;
          this.isLast = true;
          return bytes[at + 2] === QUESTION_MARK && bytes[at + 3] === BLANK ? at + 4 : -1;
        }
        if (bytes[at + 1] !== BLANK || bytes[at + 2] !== BLANK || bytes[at + 3] !== BLANK) return -1;
        at += 4;
      } else return -1;
    }
    return -1;
  }

  #corner(bytes: Uint8Array, at: number, to: number, depth: number): number {
    this.depth = depth;
    this.isLast = startsAt(bytes, at, to, LAST);
    return this.isLast || startsAt(bytes, at, to, CHILD) ? at + CHILD.length : -1;
  }
}

function startsAt(bytes: Uint8Array, at: number, to: number, word: Uint8Array): boolean {
  if (at + word.length > to) return false;
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}
