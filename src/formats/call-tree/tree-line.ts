/**
 * One line of a call tree in text: its depth, what it says, and where its parts are. Nothing is copied: positions are
 * those in the bytes of the window.
 *
 *   │   ├── directly calls null:java.lang.String.length():int id-ref=1712 @bci=3->4
 *   depth 1  kind          textFrom                        textTo  id     bciFrom  bciTo
 *
 * A line is read from both ends, since names of methods may contain anything that separates its parts.
 */
import { TreeGlyphs } from '../shared/tree/glyphs.js';

export const ENTRY = 0;
export const DIRECT = 1;
/** `virtually calls`, and `interfacially calls` of the documentation. */
export const VIRTUAL = 2;
/** `is overridden by`, and `is implemented by` of the documentation. */
export const TARGET = 3;
export type LineKind = typeof ENTRY | typeof DIRECT | typeof VIRTUAL | typeof TARGET;

const BLANK = 32;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
const MINUS = 45;
const GREATER = 62;

const WORDS: readonly { readonly kind: LineKind; readonly isInterface: boolean; readonly bytes: Uint8Array }[] = [
  { kind: DIRECT, isInterface: false, bytes: ascii('directly calls ') },
  { kind: TARGET, isInterface: false, bytes: ascii('is overridden by ') },
  { kind: VIRTUAL, isInterface: false, bytes: ascii('virtually calls ') },
  { kind: ENTRY, isInterface: false, bytes: ascii('entry ') },
  { kind: VIRTUAL, isInterface: true, bytes: ascii('interfacially calls ') },
  { kind: TARGET, isInterface: true, bytes: ascii('is implemented by ') },
];
const AT_BCI = ascii(' @bci=');
const ID = ascii(' id=');
const ID_REF = ascii(' id-ref=');
const REASON = ', parsing reason:';
/** Ids above are no numbers of methods. */
const LARGEST_ID = 0x7fff_ffff;

export class TreeLine {
  readonly #glyphs = new TreeGlyphs();
  kind: LineKind = ENTRY;
  /** A word of the documentation that no known builder prints. */
  isInterface = false;
  textFrom = 0;
  textTo = 0;
  /** -1 for virtual calls. */
  id = -1;
  isReference = false;
  /** The BCIs of a call, `3->4`. */
  bciFrom = 0;
  bciTo = 0;
  /** Of an entry: the reason as printed, or undefined. */
  reason: string | undefined;

  get depth(): number {
    return this.#glyphs.depth;
  }

  get isLast(): boolean {
    return this.#glyphs.isLast;
  }

  /** Whether `bytes[from .. to)` is a line of the tree. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    const at = this.#glyphs.read(bytes, from, to);
    if (at < 0) return false;
    const word = this.#word(bytes, at, to);
    if (word < 0) return false;
    this.textFrom = word;
    if (this.kind === ENTRY) return this.#entry(bytes, to);
    let end = to;
    while (end > word && bytes[end - 1] === BLANK) end--;
    if (this.kind !== TARGET) {
      end = this.#bcis(bytes, end);
      if (end < 0) return false;
    }
    if (this.kind === VIRTUAL) {
      this.id = -1;
      this.isReference = false;
      this.textTo = end;
      return end > word;
    }
    return this.#idBefore(bytes, end);
  }

  /** Sets the kind; returns where the text after the words begins, or -1. */
  #word(bytes: Uint8Array, at: number, to: number): number {
    for (const { kind, isInterface, bytes: word } of WORDS) {
      if (bytes[at] !== word[0] || !startsAt(bytes, at, word) || at + word.length >= to) continue;
      this.kind = kind;
      this.isInterface = isInterface;
      return at + word.length;
    }
    return -1;
  }

  #bcis(bytes: Uint8Array, end: number): number {
    let at = end;
    while (at > this.textFrom && isBci(bytes[at - 1])) at--;
    const begins = at - AT_BCI.length;
    if (at === end || begins < this.textFrom || !startsAt(bytes, begins, AT_BCI)) return -1;
    this.bciFrom = at;
    this.bciTo = end;
    return begins;
  }

  #idBefore(bytes: Uint8Array, end: number): boolean {
    let at = end;
    let id = 0;
    for (let unit = 1; at > this.textFrom && isDigit(bytes[at - 1]); unit *= 10) id += (bytes[--at] - DIGIT_0) * unit;
    if (at === end || id > LARGEST_ID) return false;
    this.id = id;
    this.isReference = at - ID_REF.length > this.textFrom && startsAt(bytes, at - ID_REF.length, ID_REF);
    const begins = at - (this.isReference ? ID_REF : ID).length;
    this.textTo = begins;
    return begins > this.textFrom && (this.isReference || startsAt(bytes, begins, ID));
  }

  /** ` id=7 `, or ` id=7, parsing reason:  root method `. Entries are few, and their reasons may contain anything. */
  #entry(bytes: Uint8Array, to: number): boolean {
    const text = latin1(bytes, this.textFrom, to);
    const mark = lastIdBefore(text, REASON);
    this.reason = mark < 0 ? undefined : utf8(bytes, this.textFrom + mark + REASON.length, to).trim();
    let end = mark < 0 ? to : this.textFrom + mark;
    while (end > this.textFrom && bytes[end - 1] === BLANK) end--;
    return this.#idBefore(bytes, end);
  }
}

/** Where the last `mark` begins that an id precedes; -1 if there is none. */
function lastIdBefore(text: string, mark: string): number {
  for (let at = text.lastIndexOf(mark); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(mark, at - 1))
    if (/ id=\d{1,10}$/.test(text.slice(Math.max(0, at - 20), at))) return at;
  return -1;
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]);
  return text;
}

const DECODER = new TextDecoder();
function utf8(bytes: Uint8Array, from: number, to: number): string {
  return DECODER.decode(bytes.subarray(from, to));
}

function startsAt(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

function isBci(byte: number): boolean {
  return isDigit(byte) || byte === MINUS || byte === GREATER;
}
