/**
 * The fields of one element of an `.iprof` array: `{"id":…,"name":…}`, `{"ctx":…,"records":[…]}` and their older
 * spellings, in any order and with any whitespace. An element that is only partly in the window leaves nothing behind.
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { ByteInterner } from '../../base/columns/hash.js';
import { dictionary } from '../../base/dictionary.js';
import { encodeUtf8 } from '../../base/text.js';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT } from '../shared/json-bytes.js';
import { BAD, MORE, type Scanner } from '../shared/json-scanner.js';
import { passJson, passString, scannerOf } from '../shared/json-walk.js';
import { type ContextReader, MALFORMED } from './contexts.js';
import type { UsualTexts } from './usual.js';
import type { ContextKey, NameKey, ProfileSection } from './vocabulary.js';

export const KEY_ID = 1;
export const KEY_NAME = 2;
export const KEY_SIGNATURE = 4;
export const KEY_CONTEXT = 8;
export const KEY_RECORDS = 16;
const BAD_KEY = 32;

/** The section whose elements are being read. */
export interface OpenSection {
  readonly index: number;
  readonly key: string;
  readonly kind: ProfileSection;
  readonly single: boolean;
  readonly nameKey: NameKey;
  readonly contextKey: ContextKey;
  /** Whether the spelling of its keys is known; until then `nameKey` and `contextKey` are guesses. */
  readonly settled: boolean;
  /** Layout of its elements by all known writers; tried first. */
  readonly usual: UsualTexts | undefined;
  elements: number;
  /** Elements lost to damage. */
  lost: number;
}

/** JSON path of the element that is being read. */
export function pathOf(section: OpenSection): string {
  return section.single ? `/${section.key}` : `/${section.key}/${section.elements + section.lost}`;
}

/** Type id for "no declaring type". */
export const NO_TYPE = -0x80000000;

/** Why an element cannot be a row: the code of the problem, and the text after "the entry". */
export interface Breach {
  readonly code: string;
  readonly words: string;
}

export class FieldReader {
  readonly names = new ByteInterner();

  /** Keys that the element has, as a sum of `KEY_…`. */
  seen = 0;
  id = 0;
  /** StringId of the name. */
  name = -1;
  /** Whether `contexts` holds the element's context. */
  contextOk = false;
  /** The numbers of `records`, and the type ids of `signature`. */
  readonly numbers = new Float64Builder(1 << 10);
  readonly types = new Int32Builder(1 << 10);
  /** The element has data beyond the columns, or another spelling. */
  special = false;
  breach: Breach | undefined;

  readonly #scanner: Scanner;
  readonly #contexts: ContextReader;

  constructor(scanner: Scanner, contexts: ContextReader) {
    this.#scanner = scanner;
    this.#contexts = contexts;
  }

  /** Reads the element at `position`. Returns the position after it, `MORE` or `BAD`. */
  read(section: OpenSection, position: number): number {
    this.special = false;
    this.breach = undefined;
    this.numbers.length = 0;
    this.types.length = 0;
    this.seen = 0;
    if (this.#scanner.window[position] === OPEN_OBJECT) return this.#readFields(section, position + 1);
    this.refuse('iprof-schema', 'is not an object');
    return passJson(this.#scanner, position);
  }

  refuse(code: string, words: string): void {
    this.breach = { code, words };
  }

  /** Whether the element has all of `keys`; otherwise it is rejected. */
  has(keys: number): boolean {
    const missing = keys & ~this.seen;
    if (missing === 0) return true;
    const names = Object.entries(KEY_TITLES).filter(([key]) => (missing & Number(key)) !== 0);
    this.refuse('iprof-schema', `lacks its ${names.map(([, title]) => title).join(' and ')}`);
    return false;
  }

  #readFields(section: OpenSection, position: number): number {
    const scanner = this.#scanner;
    const window = scanner.window;
    if (window[position] <= 0x20) position = scanner.space(position);
    if (window[position] === CLOSE_OBJECT) return position + 1;
    for (;;) {
      if (window[position] <= 0x20) position = scanner.space(position);
      position = scanner.readString(position);
      if (position < 0) return position;
      const key = this.#keyOf(section) & (keysOf(section.kind) | BAD_KEY);
      if (key === BAD_KEY) return scanner.fail(scanner.stringStart, 'a key with valid escapes and UTF-8');
      position = scanner.punctuation(position, COLON);
      if (position < 0) return position;
      if (window[position] <= 0x20) position = scanner.space(position);
      const after = this.#readValue(section, key, position);
      if (after === MORE) return MORE;
      position = after === BAD ? this.#passBreach(position, key) : after;
      if (position < 0) return position;
      if ((this.seen & key) !== 0) this.refuse('iprof-schema', 'has a duplicate key');
      this.seen |= key;
      if (window[position] <= 0x20) position = scanner.space(position);
      const next = window[position++];
      if (next === CLOSE_OBJECT) return position;
      if (next !== COMMA) return scanner.fail(position - 1, "',' or '}'");
    }
  }

  /** A JSON value of the wrong type for its key: kept as a violation of the schema. */
  #passBreach(position: number, key: number): number {
    const expected = this.#scanner.expected;
    const after = passJson(this.#scanner, position);
    if (after >= 0) this.refuse('iprof-schema', `has a wrong value for its ${KEY_TITLES[key]} (expected ${expected})`);
    return after;
  }

  /** Meaning of the last string as a key of an element; `BAD_KEY` if it is not valid JSON. */
  #keyOf(section: OpenSection): number {
    const scanner = this.#scanner;
    if (scanner.stringSpecial) {
      const text = scanner.stringText();
      return text === undefined ? BAD_KEY : keyNamed(text, section);
    }
    const length = scanner.stringEnd - scanner.stringStart;
    // Most elements have only known keys, which differ in length or by section.
    if (length === 2 && scanner.stringIs('id')) return KEY_ID;
    if (length === 7 && scanner.stringIs('records')) return KEY_RECORDS;
    if (length === 9 && scanner.stringIs('signature')) return KEY_SIGNATURE;
    if (length === section.nameKey.length && scanner.stringIs(section.nameKey)) return KEY_NAME;
    return length === section.contextKey.length && scanner.stringIs(section.contextKey) ? KEY_CONTEXT : 0;
  }

  #readValue(section: OpenSection, key: number, position: number): number {
    const scanner = this.#scanner;
    switch (key) {
      case KEY_ID: {
        const after = scanner.readNumber(position);
        if (after < 0) return after;
        this.id = scanner.number;
        if (scanner.number !== (scanner.number | 0) || scanner.number === NO_TYPE)
          this.refuse('iprof-schema', 'has an id below -2147483647 or above 2147483647');
        if (scanner.numberSpecial) this.special = true;
        return after;
      }
      case KEY_NAME:
        return this.#readName(position);
      case KEY_SIGNATURE:
        return this.#readSignature(position);
      case KEY_CONTEXT:
        return this.#readContext(section, position);
      case KEY_RECORDS:
        return this.#readNumbers(position);
      default:
        this.special = true;
        return passJson(this.#scanner, position);
    }
  }

  #readName(position: number): number {
    const scanner = this.#scanner;
    const after = scanner.readString(position);
    if (after < 0) return after;
    if (!scanner.stringSpecial) {
      this.name = this.names.addHashed(scanner.window, scanner.stringStart, scanner.stringEnd, scanner.stringHash);
      return after;
    }
    const text = scanner.stringText();
    if (text === undefined && !scanner.stringIsUtf8()) {
      this.refuse('iprof-encoding', 'has a name that is not UTF-8');
      return after;
    }
    if (text === undefined) return scanner.fail(position, 'a string with valid escapes');
    const bytes = encodeUtf8(text);
    this.name = this.names.add(bytes, 0, bytes.length);
    return after;
  }

  #readContext(section: OpenSection, position: number): number {
    const separator = section.contextKey === 'ctx' ? '<' : ',';
    let after = this.#contexts.read(this.#scanner, position, separator);
    if (after === MALFORMED) {
      after = passString(this.#scanner, position);
      const text = after >= 0 && this.#scanner.stringSpecial ? this.#scanner.stringText() : undefined;
      // A valid context may be spelled with escapes.
      const plain = text === undefined ? undefined : scannerOf(new TextEncoder().encode(JSON.stringify(text)));
      this.contextOk = plain !== undefined && this.#contexts.read(plain, 0, separator) >= 0;
    } else this.contextOk = after >= 0;
    if (!this.contextOk || !this.#contexts.plain || this.#scanner.stringSpecial) this.special = true;
    return after;
  }

  #readSignature(position: number): number {
    const after = this.#readNumbers(position);
    for (let i = 0; i < this.numbers.length; i++) {
      const id = this.numbers.values[i];
      if (id !== (id | 0) || id === NO_TYPE)
        this.refuse('iprof-schema', 'has a type id below -2147483647 or above 2147483647');
      this.types.push(id);
    }
    return after;
  }

  /** A list of numbers, into `numbers`. */
  #readNumbers(position: number): number {
    const scanner = this.#scanner;
    const window = scanner.window;
    if (window[position] !== OPEN_LIST) return scanner.fail(position, 'a list of numbers');
    if (window[++position] <= 0x20) position = scanner.space(position);
    if (window[position] === CLOSE_LIST) return position + 1;
    for (;;) {
      position = scanner.readNumber(position);
      if (position < 0) return position;
      if (scanner.numberSpecial) this.special = true;
      this.numbers.push(scanner.number);
      if (window[position] <= 0x20) position = scanner.space(position);
      const next = window[position++];
      if (next === CLOSE_LIST) return position;
      if (next !== COMMA) return scanner.fail(position - 1, "',' or ']'");
    }
  }
}

const KEYS = dictionary({ id: KEY_ID, records: KEY_RECORDS, signature: KEY_SIGNATURE });

function keyNamed(text: string, section: OpenSection): number {
  if (text === section.nameKey) return KEY_NAME;
  return text === section.contextKey ? KEY_CONTEXT : (KEYS[text] ?? 0);
}

/** The known keys in elements of a section; all others are unknown there. */
function keysOf(kind: ProfileSection): number {
  if (kind === 'types') return KEY_ID | KEY_NAME;
  return kind === 'methods' ? KEY_ID | KEY_NAME | KEY_SIGNATURE : KEY_CONTEXT | KEY_RECORDS;
}

const KEY_TITLES: Readonly<Record<number, string>> = {
  [KEY_ID]: 'id',
  [KEY_NAME]: 'name',
  [KEY_SIGNATURE]: 'signature',
  [KEY_CONTEXT]: 'context',
  [KEY_RECORDS]: 'records',
};
