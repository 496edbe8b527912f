/**
 * One line of an object tree: its depth, what it says, and where its parts are. Nothing is copied: positions are those in the bytes of
 * the window.
 *
 *   │   ├── [3] java.util.HashMap id=17 toString=null:HashMap@481 fields:
 *   depth 1  index headFrom  headTo  id          textFrom    textTo shape
 *
 * Texts of objects may contain anything. They begin behind the first ` toString=` and reach to the words at the end of the line, one of
 * which each line has but those of `id-ref=`.
 */
import { TreeGlyphs } from '../shared/tree/glyphs.js';

/** `id=` and `id-ref=`, with or without the root that holds them. */
export const OBJECT = 0;
export const REFERENCE = 1;
/** `toString=… (expansion suppressed)`: the head is a field, a type, a root, or empty for an element. */
export const TEXT = 2;
/** `value:`, `value=null` of a field; `value:` of a root. */
export const VALUE = 3;
export const NULL = 4;
/** An element that the builder lost: GraalVM since 22.1 prints `null` without an index. */
export const LOST = 5;

/** What follows the text of an object, by `shape`. */
export const SHAPES = [' fields:', ' (no fields)', ' elements (excluding null):', ' (no elements)'] as const;
export const SUPPRESSED = ' (expansion suppressed)';

const BLANK = 32;
const EQUALS = 61;
const OPEN = 91;
const CLOSE = 93;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
const ROOT_WORD = ascii('root ');
const TO_STRING = ascii(' toString=');
const ID = ascii(' id=');
const ID_REF = ascii(' id-ref=');
const ENDS = SHAPES.map(ascii);
const SUPPRESSED_END = ascii(SUPPRESSED);
const VALUE_END = ascii(' value:');
const NULL_END = ascii(' value=null');
const LOST_TEXT = ascii(' null');
/** Ids and indexes above are damage. */
const LARGEST = 0x7fff_ffff;

export class ObjectLine {
  readonly #glyphs = new TreeGlyphs();
  kind = VALUE;
  isRoot = false;
  /** Index of an element; -1. */
  index = -1;
  id = -1;
  /** Index into `SHAPES`, of objects with `id=`. */
  shape = 0;
  /** The root, field or type. */
  headFrom = 0;
  headTo = 0;
  textFrom = 0;
  textTo = 0;
  /** The line may go on below: its text has no end, or none that is certain. */
  isOpen = false;

  get depth(): number {
    return this.#glyphs.depth;
  }

  get isLast(): boolean {
    return this.#glyphs.isLast;
  }

  /** Where the text behind the glyphs begins, which all lines have but the heading and the rest of a text with line feeds; -1. */
  readGlyphs(bytes: Uint8Array, from: number, to: number): number {
    return this.#glyphs.read(bytes, from, to);
  }

  /** Whether `bytes[from .. to)` is a line of the tree. `isOpen` is set in either case. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    this.isOpen = false;
    const at = this.readGlyphs(bytes, from, to);
    return at >= 0 && this.readBehind(bytes, at, to);
  }

  /** As `read`, of a line whose glyphs were read last; `at`: behind them. */
  readBehind(bytes: Uint8Array, at: number, to: number): boolean {
    this.isOpen = false;
    this.isRoot = this.depth === 0 && startsAt(bytes, at, to, ROOT_WORD);
    this.headFrom = this.isRoot ? at + ROOT_WORD.length : at;
    this.index = -1;
    this.id = -1;
    // The blank behind `root` may begin ` toString=`; that of the glyphs belongs to no name.
    const text = textBegin(bytes, this.isRoot ? this.headFrom - 1 : at, to);
    return text < 0 ? this.#withoutText(bytes, to) : this.#withText(bytes, text, to);
  }

  #withoutText(bytes: Uint8Array, to: number): boolean {
    const from = this.headFrom;
    if (endsWith(bytes, from, to, VALUE_END)) {
      this.kind = VALUE;
      this.headTo = to - VALUE_END.length;
    } else if (endsWith(bytes, from, to, NULL_END)) {
      this.kind = NULL;
      this.headTo = to - NULL_END.length;
      return !this.isRoot && this.headTo > from;
    } else {
      this.kind = LOST;
      this.headTo = from;
      return to - from === LOST_TEXT.length && startsAt(bytes, from, to, LOST_TEXT);
    }
    return this.headTo > from;
  }

  #withText(bytes: Uint8Array, text: number, to: number): boolean {
    this.textFrom = text + TO_STRING.length;
    this.textTo = to;
    this.headTo = text;
    this.kind = TEXT;
    if (!this.isRoot) this.#readIndex(bytes);
    if (this.headTo > this.headFrom) this.#readId(bytes);
    if (this.kind === REFERENCE) {
      this.isOpen = true;
      return this.headTo > this.headFrom;
    }
    if (this.kind === TEXT) {
      this.isOpen = !endsWith(bytes, this.textFrom, to, SUPPRESSED_END);
      this.textTo = to - SUPPRESSED_END.length;
      return !this.isOpen && (this.index >= 0 ? this.headTo === this.headFrom : this.headTo > this.headFrom);
    }
    this.shape = ENDS.findIndex((end) => endsWith(bytes, this.textFrom, to, end));
    this.isOpen = this.shape < 0;
    this.textTo = to - (ENDS[this.shape]?.length ?? 0);
    return !this.isOpen && !this.isRoot && this.headTo > this.headFrom;
  }

  /** `[3] ` before a type, or `[3]` before ` toString=`. */
  #readIndex(bytes: Uint8Array): void {
    if (bytes[this.headFrom] !== OPEN) return;
    let at = this.headFrom + 1;
    let index = 0;
    for (; isDigit(bytes[at]) && index <= LARGEST; at++) index = index * 10 + (bytes[at] - DIGIT_0);
    if (at === this.headFrom + 1 || index > LARGEST || bytes[at] !== CLOSE || bytes[at + 1] !== BLANK) return;
    this.index = index;
    this.headFrom = Math.min(at + 2, this.headTo);
  }

  /** ` id=7` or ` id-ref=7` at the end of the head; a head without one is that of a suppressed value. */
  #readId(bytes: Uint8Array): void {
    let at = this.headTo;
    let id = 0;
    for (let unit = 1; at > this.headFrom && isDigit(bytes[at - 1]); unit *= 10) id += (bytes[--at] - DIGIT_0) * unit;
    if (at === this.headTo || id > LARGEST) return;
    for (const word of [ID, ID_REF]) {
      if (at - word.length < this.headFrom || !startsAt(bytes, at - word.length, this.headTo, word)) continue;
      this.kind = word === ID ? OBJECT : REFERENCE;
      this.id = id;
      this.headTo = at - word.length;
    }
  }
}

/** By byte: how far ` toString=` may move if the byte is below its last one (Horspool's search). */
const MOVES = new Uint8Array(256).fill(TO_STRING.length);
for (const [i, byte] of TO_STRING.entries()) if (i < TO_STRING.length - 1) MOVES[byte] = TO_STRING.length - 1 - i;

/** Where ` toString=` begins; -1. */
function textBegin(bytes: Uint8Array, from: number, to: number): number {
  const last = TO_STRING.length - 1;
  for (let end = from + last; end < to; end += MOVES[bytes[end]])
    if (bytes[end] === EQUALS && startsAt(bytes, end - last, to, TO_STRING)) return end - last;
  return -1;
}

function endsWith(bytes: Uint8Array, from: number, to: number, word: Uint8Array): boolean {
  return to - word.length >= from && startsAt(bytes, to - word.length, to, word);
}

function startsAt(bytes: Uint8Array, at: number, to: number, word: Uint8Array): boolean {
  if (at + word.length > to) return false;
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
