/**
 * Elements of the arrays of an `.iprof` file → columns.
 *
 * `ElementReader.read` reads one whole element or, at the end of a window, nothing: only a complete element is added.
 * Costs: 12 bytes a type, 16 a method and 4 a type of its signature, 12 a call count, 28 a branch, 24 a receiver.
 */
import { ByteBuilder, Float64Builder, Int32Builder, OffsetBuilder } from '../../base/columns.js';
import { ByteInterner } from '../../base/hash.js';
import type { ProblemLog } from '../../base/problems.js';
import { encodeUtf8 } from '../../base/text.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { ContextReader, MALFORMED } from './contexts.js';
import type { VerbatimTable } from './residue.js';
import { BAD, MORE, type Scanner } from './scanner.js';
import { ARITY, type ContextKey, isSingle, type NameKey, type SectionKind } from './vocabulary.js';

/** The section whose elements are being read. */
export interface OpenSection {
  readonly index: number;
  readonly key: string;
  readonly kind: SectionKind;
  readonly single: boolean;
  readonly nameKey: NameKey;
  readonly contextKey: ContextKey;
  /** The keys of an element in the order and spelling that all known writers use: tried before anything else. */
  readonly usualKeys: readonly { readonly text: Uint8Array; readonly key: number }[];
  elements: number;
}

/** The `usualKeys` of a section. */
export function usualKeys(kind: SectionKind, nameKey: NameKey, contextKey: ContextKey): OpenSection['usualKeys'] {
  const word = (text: string, key: number) => ({ text: new TextEncoder().encode(`"${text}":`), key });
  if (kind === 'types') return [word('id', KEY_ID), word(nameKey, KEY_NAME)];
  if (kind === 'methods') return [word('id', KEY_ID), word(nameKey, KEY_NAME), word('signature', KEY_SIGNATURE)];
  return [word(contextKey, KEY_CONTEXT), word('records', KEY_RECORDS)];
}

/** Stands for "no declaring type" where a type id of the file is expected. */
export const NO_TYPE = -0x80000000;

/** Rows of one kind of entry: `site` counts the entries, `first` and `second` are its numbers before the count. */
export class EntryColumns {
  readonly stack = new Int32Builder();
  readonly site = new Int32Builder();
  readonly first = new Int32Builder();
  readonly second = new Int32Builder();
  readonly count = new Float64Builder();
  sites = 0;
}

export class VerbatimBuilder {
  readonly #section = new Int32Builder(16);
  readonly #before = new Int32Builder(16);
  readonly #replaces = new Int32Builder(16);
  readonly #start = new Float64Builder(16);
  readonly #bytes = new ByteBuilder();

  add(section: number, before: number, replaces: boolean, bytes: Uint8Array): void {
    this.#section.push(section);
    this.#before.push(before);
    this.#replaces.push(replaces ? 1 : 0);
    this.#start.push(this.#bytes.length);
    this.#bytes.append(bytes, 0, bytes.length);
  }

  finish(): VerbatimTable {
    const length = this.#section.length;
    this.#start.push(this.#bytes.length);
    return {
      length,
      section: this.#section.finish(),
      before: this.#before.finish(),
      replaces: this.#replaces.finish(),
      start: this.#start.finish(),
      bytes: this.#bytes.finish(),
    };
  }
}

export type EntryKind = Exclude<SectionKind, 'types' | 'methods'>;

const KEY_ID = 1;
const KEY_NAME = 2;
const KEY_SIGNATURE = 4;
const KEY_CONTEXT = 8;
const KEY_RECORDS = 16;

const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Real files have a frame of the trie for every 36 to 200 bytes. A hostile size must not make us ask for gigabytes. */
const BYTES_A_STACK = 256;
const LARGEST_GUESS = 1 << 30;

const WHOLE = rootOf('whole');
const PARTIAL = rootOf('partial');

export class ElementReader {
  readonly names = new ByteInterner();
  readonly stacks: StackBuilder;
  readonly contexts: ContextReader;

  readonly typeId = new Int32Builder();
  readonly typeName = new Int32Builder();
  readonly methodId = new Int32Builder();
  readonly methodName = new Int32Builder();
  readonly methodType = new Int32Builder();
  readonly signatureStart = new Int32Builder();
  readonly signature = new Int32Builder();
  readonly entries: Readonly<Record<EntryKind, EntryColumns>> = {
    call: new EntryColumns(),
    branch: new EntryColumns(),
    receiver: new EntryColumns(),
    instanceof: new EntryColumns(),
    monitor: new EntryColumns(),
    sample: new EntryColumns(),
  };
  readonly offsets: Readonly<Record<SectionKind, OffsetBuilder>> = {
    types: new OffsetBuilder(),
    methods: new OffsetBuilder(),
    call: new OffsetBuilder(),
    branch: new OffsetBuilder(),
    receiver: new OffsetBuilder(),
    instanceof: new OffsetBuilder(),
    monitor: new OffsetBuilder(),
    sample: new OffsetBuilder(),
  };
  readonly verbatim = new VerbatimBuilder();

  readonly #scanner: Scanner;
  readonly #problems: ProblemLog;

  // The element being read.
  #seen = 0;
  #id = 0;
  #name = -1;
  #contextOk = false;
  readonly #numbers = new Float64Builder(1 << 10);
  readonly #types = new Int32Builder(1 << 10);
  /** The element has more than the columns hold, or holds it in other words. */
  #special = false;
  /** Why the element cannot be a row. */
  #breach = '';

  /** `bytes`: the size of the input where it is known; tables that would only grow to it begin larger. */
  constructor(scanner: Scanner, problems: ProblemLog, bytes = 0) {
    this.#scanner = scanner;
    this.#problems = problems;
    this.stacks = new StackBuilder(Math.min(bytes, LARGEST_GUESS) / BYTES_A_STACK);
    this.contexts = new ContextReader(this.stacks, Math.min(bytes, LARGEST_GUESS) / BYTES_A_STACK / 2);
  }

  /** Reads the element at `position`, whose file offset is `offset`. Returns the position behind it, `MORE` or `BAD`. */
  read(section: OpenSection, position: number, offset: number): number {
    this.#seen = 0;
    this.#special = false;
    this.#breach = '';
    this.#numbers.length = 0;
    this.#types.length = 0;
    const scanner = this.#scanner;
    let after: number;
    if (scanner.window[position] === OPEN) after = this.#readFields(section, position + 1);
    else {
      after = scanner.skipValue(position);
      this.#breach = 'is not an object';
    }
    if (after < 0) return after;
    this.#add(section, position, after, offset);
    section.elements++;
    return after;
  }

  #readFields(section: OpenSection, position: number): number {
    const scanner = this.#scanner;
    const window = scanner.window;
    if (window[position] <= 0x20) position = scanner.space(position);
    if (window[position] === CLOSE) return position + 1;
    for (let nth = 0; ; nth++) {
      if (window[position] <= 0x20) position = scanner.space(position);
      const usual = section.usualKeys[nth];
      let key: number;
      if (usual !== undefined && startsWith(window, position, usual.text)) {
        key = usual.key;
        position += usual.text.length;
      } else {
        position = scanner.readString(position);
        if (position < 0) return position;
        key = this.#keyOf(section);
        position = scanner.punctuation(position, COLON);
        if (position < 0) return position;
      }
      if (window[position] <= 0x20) position = scanner.space(position);
      const after = this.#readValue(section, key, position);
      if (after === MORE) return MORE;
      position = after === BAD ? this.#skipBreach(position, key) : after;
      if (position < 0) return position;
      if ((this.#seen & key) !== 0) this.#breach = 'has a key twice';
      this.#seen |= key;
      if (window[position] <= 0x20) position = scanner.space(position);
      const next = window[position++];
      if (next === CLOSE) return position;
      if (next !== COMMA) return scanner.fail(position - 1, "',' or '}'");
    }
  }

  /** A value that is JSON but not of the type its key asks for: remembered as a breach of the schema. */
  #skipBreach(position: number, key: number): number {
    const expected = this.#scanner.expected;
    const after = this.#scanner.skipValue(position);
    if (after >= 0 && this.#isJson(position, after))
      this.#breach = `has a wrong value for its ${KEY_TITLES[key]} (expected ${expected})`;
    else if (after !== MORE) return BAD;
    return after;
  }

  #isJson(from: number, to: number): boolean {
    try {
      JSON.parse(new TextDecoder().decode(this.#scanner.window.subarray(from, to)));
      return true;
    } catch {
      this.#scanner.failedAt = from;
      return false;
    }
  }

  #keyOf(section: OpenSection): number {
    const scanner = this.#scanner;
    const length = scanner.stringEnd - scanner.stringStart;
    // Told apart by length first: all keys but two differ in it.
    if (length === 2 && scanner.stringIs('id')) return KEY_ID;
    if (length === 3 && section.contextKey === 'ctx' && scanner.stringIs('ctx')) return KEY_CONTEXT;
    if (length === 7 && scanner.stringIs('records')) return KEY_RECORDS;
    if (length === 9 && scanner.stringIs('signature')) return KEY_SIGNATURE;
    if (length === section.nameKey.length && scanner.stringIs(section.nameKey)) return KEY_NAME;
    if (length === 13 && section.contextKey === 'methodBciList' && scanner.stringIs('methodBciList'))
      return KEY_CONTEXT;
    return 0;
  }

  #readValue(section: OpenSection, key: number, position: number): number {
    const scanner = this.#scanner;
    switch (key) {
      case KEY_ID: {
        const after = scanner.readNumber(position);
        if (after < 0) return after;
        this.#id = scanner.number;
        if (scanner.number !== (scanner.number | 0) || scanner.number === NO_TYPE)
          this.#breach = 'has an id beyond 32 bits';
        if (scanner.numberSpecial) this.#special = true;
        return after;
      }
      case KEY_NAME:
        return this.#readName(position);
      case KEY_SIGNATURE:
        return this.#readSignature(position);
      case KEY_CONTEXT:
        return this.#readContext(section, position);
      case KEY_RECORDS:
        return this.#readRecords(position);
      default:
        this.#special = true;
        return this.#readUnknown(position);
    }
  }

  #readUnknown(position: number): number {
    const after = this.#scanner.skipValue(position);
    if (after >= 0 && !this.#isJson(position, after)) return BAD;
    return after;
  }

  #readName(position: number): number {
    const scanner = this.#scanner;
    const after = scanner.readString(position);
    if (after < 0) return after;
    if (!scanner.stringSpecial) {
      this.#name = this.names.addHashed(scanner.window, scanner.stringStart, scanner.stringEnd, scanner.stringHash);
      return after;
    }
    const text = scanner.stringText();
    if (text === undefined) return scanner.fail(position, 'a string of valid escapes and UTF-8');
    const bytes = encodeUtf8(text);
    this.#name = this.names.add(bytes, 0, bytes.length);
    return after;
  }

  #readContext(section: OpenSection, position: number): number {
    const after = this.contexts.read(this.#scanner, position, section.contextKey === 'ctx' ? '<' : ',');
    this.#contextOk = after >= 0;
    if (after !== MALFORMED) return after;
    return this.#scanner.readString(position);
  }

  #readSignature(position: number): number {
    const scanner = this.#scanner;
    const window = scanner.window;
    if (window[position] !== OPEN_LIST) return scanner.fail(position, 'a list of type ids');
    if (window[++position] <= 0x20) position = scanner.space(position);
    if (window[position] === CLOSE_LIST) return position + 1;
    for (;;) {
      // Nearly half of a file is these numbers: plain ones of up to nine digits are read here, all others by `readNumber`.
      const start = position;
      let id = 0;
      let digit = window[position] - 0x30;
      while (digit >= 0 && digit <= 9) {
        id = id * 10 + digit;
        digit = window[++position] - 0x30;
      }
      let next = window[position++];
      if (
        (next === COMMA || next === CLOSE_LIST) &&
        position - start < 11 &&
        (window[start] > 0x30 || position === start + 2)
      ) {
        this.#types.push(id);
        if (next === CLOSE_LIST) return position;
        continue;
      }
      position = scanner.readNumber(start);
      if (position < 0) return position;
      id = scanner.number;
      if (id !== (id | 0) || id === NO_TYPE) this.#breach = 'has a type id beyond 32 bits';
      if (scanner.numberSpecial) this.#special = true;
      this.#types.push(id);
      if (window[position] <= 0x20) position = scanner.space(position);
      next = window[position++];
      if (next === CLOSE_LIST) return position;
      if (next !== COMMA) return scanner.fail(position - 1, "',' or ']'");
    }
  }

  #readRecords(position: number): number {
    const scanner = this.#scanner;
    const window = scanner.window;
    if (window[position] !== OPEN_LIST) return scanner.fail(position, 'a list of numbers');
    if (window[++position] <= 0x20) position = scanner.space(position);
    if (window[position] === CLOSE_LIST) return position + 1;
    for (;;) {
      position = scanner.readNumber(position);
      if (position < 0) return position;
      if (scanner.numberSpecial) this.#special = true;
      this.#numbers.push(scanner.number);
      if (window[position] <= 0x20) position = scanner.space(position);
      const next = window[position++];
      if (next === CLOSE_LIST) return position;
      if (next !== COMMA) return scanner.fail(position - 1, "',' or ']'");
    }
  }

  #add(section: OpenSection, from: number, to: number, offset: number): void {
    const before = this.#rows(section.kind);
    const added = this.#breach === '' && this.#addRow(section, offset);
    if (added) this.offsets[section.kind].push(offset);
    if (added && !this.#special) return;
    if (!added) this.#reportBreach(section, offset);
    this.verbatim.add(section.index, before, added, this.#scanner.window.subarray(from, to));
  }

  #rows(kind: SectionKind): number {
    if (kind === 'types') return this.typeId.length;
    return kind === 'methods' ? this.methodId.length : this.entries[kind].sites;
  }

  #addRow(section: OpenSection, offset: number): boolean {
    switch (section.kind) {
      case 'types':
        if (!this.#has(KEY_ID | KEY_NAME)) return false;
        this.typeId.push(this.#id);
        this.typeName.push(this.#name);
        return true;
      case 'methods':
        return this.#has(KEY_ID | KEY_NAME | KEY_SIGNATURE) && this.#addMethod();
      default:
        return this.#addEntry(section, section.kind, offset);
    }
  }

  #has(keys: number): boolean {
    const missing = keys & ~this.#seen;
    if (missing === 0) return true;
    const names = Object.entries(KEY_TITLES).filter(([key]) => (missing & Number(key)) !== 0);
    this.#breach = `has no ${names.map(([, title]) => title).join(', no ')}`;
    return false;
  }

  #addMethod(): boolean {
    const types = this.#types;
    this.methodId.push(this.#id);
    this.methodName.push(this.#name);
    this.methodType.push(types.length > 0 ? types.values[0] : NO_TYPE);
    this.signatureStart.push(this.signature.length);
    this.signature.reserve(types.length);
    for (let i = 1; i < types.length; i++) this.signature.values[this.signature.length++] = types.values[i];
    return true;
  }

  #addEntry(section: OpenSection, kind: EntryKind, offset: number): boolean {
    const monitor = kind === 'monitor';
    if (!this.#has(section.single ? KEY_RECORDS : KEY_RECORDS | KEY_CONTEXT)) return false;
    if (!monitor && !this.#contextOk) {
      this.#breach = 'has a context that is not one (frames are METHOD:BCI, joined leaf first)';
      return false;
    }
    if (monitor && !section.single && !(this.#contextOk && this.contexts.isDummy())) this.#special = true;
    const { values, length } = this.#numbers;
    const arity = ARITY[kind];
    if (length === 0 || length % arity !== 0 || (isSingle(kind) && length !== 1)) {
      this.#breach = `has ${length} numbers where ${isSingle(kind) ? 'one belongs' : `a multiple of ${arity} belongs`}`;
      return false;
    }
    if (!fitsColumns(values, length, arity)) {
      this.#breach = 'has a type id, target or index that is not a 32-bit integer';
      return false;
    }
    if (this.#special) this.#reportInexact(section, offset);
    const stack = monitor ? -1 : this.contexts.stack(kind === 'sample' ? WHOLE : PARTIAL);
    const columns = this.entries[kind];
    for (let i = 0; i < length; i += arity) {
      columns.stack.push(stack);
      columns.site.push(columns.sites);
      if (arity > 1) columns.first.push(values[i]);
      if (arity > 2) columns.second.push(values[i + 1]);
      columns.count.push(values[i + arity - 1]);
    }
    columns.sites++;
    return true;
  }

  #reportBreach(section: OpenSection, offset: number): void {
    const context = this.#breach.startsWith('has a context');
    const arity = this.#breach.includes(' numbers where ');
    this.#problems.add({
      code: context ? 'iprof-context' : arity ? 'iprof-arity' : 'iprof-schema',
      severity: 'error',
      message: `the entry ${this.#breach}; it is kept but counts nowhere`,
      offset,
      path: pathOf(section),
    });
  }

  #reportInexact(section: OpenSection, offset: number): void {
    const { values, length } = this.#numbers;
    for (let i = 0; i < length; i++) {
      if (Number.isSafeInteger(values[i])) continue;
      this.#problems.add({
        code: Number.isInteger(values[i]) ? 'iprof-inexact' : 'iprof-fraction',
        severity: Number.isInteger(values[i]) ? 'warning' : 'error',
        message: Number.isInteger(values[i])
          ? `a count beyond 2^53 is read as the nearest number that fits, ${values[i]}`
          : `a count is not a whole number: ${values[i]}`,
        offset,
        path: pathOf(section),
      });
      return;
    }
  }
}

const KEY_TITLES: Readonly<Record<number, string>> = {
  [KEY_ID]: 'id',
  [KEY_NAME]: 'name',
  [KEY_SIGNATURE]: 'signature',
  [KEY_CONTEXT]: 'context',
  [KEY_RECORDS]: 'records',
};

function startsWith(window: Uint8Array, position: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (window[position + i] !== text[i]) return false;
  return true;
}

function pathOf(section: OpenSection): string {
  return section.single ? `/${section.key}` : `/${section.key}/${section.elements}`;
}

/** All numbers but the count of each record are 32-bit integers. */
function fitsColumns(values: Float64Array, length: number, arity: number): boolean {
  for (let i = 0; i < length; i++) if (i % arity !== arity - 1 && values[i] !== (values[i] | 0)) return false;
  return true;
}
