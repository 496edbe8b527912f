/**
 * The top level of an `.iprof` file: which section is being read, and how to continue after damage.
 *
 * `step` works on the window of the scanner until it needs more bytes. After invalid JSON it continues at the next text
 * that can only be the start of an entry or of a section, so that one damaged byte costs one entry.
 */
import type { ProblemLog } from '../../base/problems.js';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from '../shared/json-bytes.js';
import { LONGEST_BEGINNING } from '../shared/json-resync.js';
import { MORE, type Scanner } from '../shared/json-scanner.js';
import { passJson } from '../shared/json-walk.js';
import { ElementReader } from './elements.js';
import { type OpenSection, pathOf } from './fields.js';
import type { SectionResidue } from './residue.js';
import { nextStart } from './resync.js';
import { type KeySpelling, type UsualReader, usualTexts } from './usual.js';
import { type ContextKey, type ProfileSection, SECTION_WORDS } from './vocabulary.js';

type State =
  | 'start'
  | 'key'
  | 'after-key'
  | 'first-element'
  | 'unsettled'
  | 'element'
  | 'after-element'
  | 'after-value'
  | 'resync'
  | 'end';

const WORDS = new Map(SECTION_WORDS.map((word) => [word.key, word]));
/** Real files have nine sections; each costs half a kilobyte. */
const MOST_SECTIONS = 10_000;
/** A larger first element is not used to find the spelling of its section. */
const LARGEST_TELLING = 1 << 26;

export class DocumentReader {
  readonly elements: ElementReader;
  readonly sections: SectionResidue[] = [];
  version: string | undefined;
  /** False once anything was lost. */
  complete = true;
  /** A section was kept but not read. */
  refused = false;
  /** Position in the window of the next byte to read. */
  position = 0;
  /** File offset of the window's first byte. */
  base = 0;

  readonly #scanner: Scanner;
  readonly #problems: ProblemLog;
  #state: State = 'start';
  #key = '';
  #keyOffset = 0;
  #section: OpenSection | undefined;
  readonly #kinds = new Set<ProfileSection>();

  constructor(scanner: Scanner, problems: ProblemLog, usual: UsualReader, bytes?: number) {
    this.#scanner = scanner;
    this.#problems = problems;
    this.elements = new ElementReader(scanner, problems, usual, bytes);
  }

  /** Reads until the window is used up; the rest from `position` on is needed again with more bytes. */
  step(): void {
    for (;;) {
      const after = this.#state === 'element' ? this.#readElements() : this.#advance();
      if (after === MORE) return;
      if (after < 0) this.#damaged();
      else this.position = after;
    }
  }

  /** Call it for an element that is too large to read; nothing after it is read. */
  tooLarge(limit: number): void {
    this.complete = false;
    this.#problems.add({
      code: 'iprof-too-large',
      severity: 'error',
      message: `an entry or unknown section is larger than ${limit} bytes; it and everything after it is skipped`,
      offset: this.base + this.position,
    });
    this.#closeSection();
    this.#state = 'end';
  }

  /** Call it at the end of the input: closes open sections and reports a truncated file. */
  finish(): void {
    const offset = this.base + this.#scanner.end;
    if (this.#state !== 'end') {
      const whole = this.sections.filter((section) => section.kind !== 'version').at(-1);
      const inside =
        this.#section === undefined
          ? 'between sections'
          : `in ${this.#section.key}, entry ${this.#section.elements + this.#section.lost}`;
      this.complete = false;
      this.#problems.add({
        code: 'iprof-truncated',
        severity: 'error',
        message: `the file ends ${inside}; ${whole === undefined ? 'no section is complete' : `the last complete section is ${whole.key}`}`,
        offset,
        ...(this.#section === undefined ? {} : { path: pathOf(this.#section) }),
      });
    }
    this.#closeSection();
  }

  #advance(): number {
    const scanner = this.#scanner;
    const at = scanner.space(this.position);
    if (at >= scanner.end) {
      this.position = at;
      return MORE;
    }
    switch (this.#state) {
      case 'start':
        return this.#readStart(at);
      case 'key':
        return this.#readKey(at);
      case 'after-key':
        return this.#readSectionStart(at);
      case 'first-element':
        return scanner.window[at] === CLOSE_LIST ? this.#endSection(at + 1) : this.#settle(at);
      case 'unsettled':
        return this.#settle(at);
      case 'after-element':
        return this.#afterElement(at);
      case 'after-value':
        if (scanner.window[at] === CLOSE_OBJECT) return this.#to('end', at + 1);
        return this.#to('key', scanner.punctuation(at, COMMA));
      case 'resync':
        return this.#resync(at);
      case 'end':
        return this.#trailing(at);
      case 'element':
        return this.#readElements();
    }
  }

  #to(state: State, after: number): number {
    if (after >= 0) this.#state = state;
    return after;
  }

  #readStart(at: number): number {
    const window = this.#scanner.window;
    const marked = window[at] === 0xef && window[at + 1] === 0xbb && window[at + 2] === 0xbf;
    return this.#to('key', this.#scanner.punctuation(at + (marked ? 3 : 0), OPEN_OBJECT));
  }

  #readKey(at: number): number {
    const scanner = this.#scanner;
    if (scanner.window[at] === CLOSE_OBJECT && this.sections.length === 0) return this.#to('end', at + 1);
    const after = scanner.readString(at);
    if (after < 0) return after;
    const key = scanner.stringText();
    if (key === undefined) return scanner.fail(at, 'a key with valid escapes and UTF-8');
    this.#key = key;
    this.#keyOffset = this.base + at;
    return this.#to('after-key', scanner.punctuation(after, COLON));
  }

  #readSectionStart(at: number): number {
    const scanner = this.#scanner;
    const word = WORDS.get(this.#key);
    const first = scanner.window[at];
    if (word === undefined) return this.#readRaw(at, this.#key === 'version' ? 'version' : 'unknown');
    if (this.#kinds.has(word.kind)) {
      this.#report('iprof-duplicate-section', `duplicate section ${this.#key}; kept but not counted`);
      return this.#refuseSection(at);
    }
    const single = first === OPEN_OBJECT && word.kind === 'monitor';
    if (first !== OPEN_LIST && !single) {
      this.#report('iprof-schema', `expected an array in ${this.#key}; the section is kept but not counted`);
      return this.#refuseSection(at);
    }
    const contextKey: ContextKey = word.legacy ? 'methodBciList' : 'ctx';
    const index = this.sections.length;
    const opened: OpenSection = {
      key: word.key,
      kind: word.kind,
      index,
      single,
      nameKey: 'name',
      contextKey,
      settled: false,
      usual: undefined,
      elements: 0,
      lost: 0,
    };
    if (single) return this.#readSingle(opened, at);
    this.#section = opened;
    return this.#to('first-element', at + 1);
  }

  #readSingle(section: OpenSection, at: number): number {
    const after = this.elements.read(section, at, this.base + at);
    if (after < 0) return after;
    this.#section = section;
    this.#closeSection();
    return this.#to('after-value', after);
  }

  /** A value that is kept unchanged. */
  #readRaw(at: number, kind: 'version' | 'unknown'): number {
    const scanner = this.#scanner;
    const after = passJson(scanner, at);
    if (after < 0) return after;
    if (this.sections.length >= MOST_SECTIONS) return this.#dropSection(after);
    const raw = scanner.window.slice(at, after);
    if (kind === 'version') {
      if (scanner.window[at] === QUOTE) this.version = scanner.stringText();
      else this.#report('iprof-schema', 'the version is not a string');
    }
    this.sections.push({
      key: this.#key,
      kind,
      offset: this.#keyOffset,
      elements: 0,
      nameKey: 'name',
      contextKey: 'ctx',
      single: false,
      raw,
    });
    return this.#to('after-value', after);
  }

  /**
   * Finds the spelling of the section's keys in the element at `at`. An element without any of them (damaged, or not an
   * object) is read by itself, and the next one is tried.
   */
  #settle(at: number): number {
    const scanner = this.#scanner;
    const section = this.#section;
    if (section === undefined) return scanner.fail(at, 'a section');
    let after = passJson(scanner, at);
    if (after === MORE) return MORE;
    const telling = after >= 0 && after - at <= LARGEST_TELLING;
    const dialect = telling
      ? dialectOf(new TextDecoder().decode(scanner.window.subarray(at, after)), section)
      : undefined;
    if (dialect !== undefined) {
      this.#section = { ...section, ...dialect, settled: true, usual: usualTexts(section.kind, dialect) };
      return this.#to('element', at);
    }
    after = this.elements.read(section, at, this.base + at);
    if (after >= 0) this.position = after;
    return this.#to('after-element', after);
  }

  /** The hot loop: as many elements as the window contains. */
  #readElements(): number {
    const scanner = this.#scanner;
    const section = this.#section;
    if (section === undefined) return scanner.fail(this.position, 'a section');
    const window = scanner.window;
    for (;;) {
      let at = this.elements.readUsual(section, this.position, this.base);
      this.position = at;
      if (window[at] <= 0x20) at = scanner.space(at);
      if (at >= scanner.end) return MORE;
      let after = this.elements.read(section, at, this.base + at);
      if (after < 0) return after;
      this.position = after;
      if (window[after] <= 0x20) after = scanner.space(after);
      if (window[after] !== COMMA) return this.#to('after-element', this.position);
      this.position = after + 1;
    }
  }

  #afterElement(at: number): number {
    if (this.#scanner.window[at] === CLOSE_LIST) return this.#endSection(at + 1);
    return this.#to(this.#nextElement(), this.#scanner.punctuation(at, COMMA));
  }

  #nextElement(): State {
    return this.#section?.settled === true ? 'element' : 'unsettled';
  }

  #endSection(after: number): number {
    this.#closeSection();
    return this.#to('after-value', after);
  }

  /** A section with entries that are not counted. */
  #refuseSection(at: number): number {
    this.refused = true;
    return this.#readRaw(at, 'unknown');
  }

  #dropSection(after: number): number {
    this.complete = false;
    this.#report('iprof-too-many-sections', `more than ${MOST_SECTIONS} sections; this one is dropped`);
    return this.#to('after-value', after);
  }

  #closeSection(): void {
    const section = this.#section;
    if (section === undefined) return;
    this.#kinds.add(section.kind);
    this.sections.push({
      key: section.key,
      kind: section.kind,
      offset: this.#keyOffset,
      elements: section.elements,
      nameKey: section.nameKey,
      contextKey: section.contextKey,
      single: section.single,
    });
    this.#section = undefined;
  }

  #trailing(at: number): number {
    this.complete = false;
    const message = 'text after the end of the JSON object is dropped';
    this.#problems.add({ code: 'iprof-trailing', severity: 'error', message, offset: this.base + at });
    this.position = this.#scanner.end;
    return MORE;
  }

  #damaged(): void {
    const scanner = this.#scanner;
    this.complete = false;
    this.#problems.add({
      code: 'iprof-syntax',
      severity: 'error',
      message: `not JSON: expected ${scanner.expected}, found ${describe(scanner.window, scanner.failedAt, scanner.end)}; reading continues at the next valid entry`,
      offset: this.base + scanner.failedAt,
      ...(this.#section === undefined ? {} : { path: pathOf(this.#section) }),
    });
    if (this.#section !== undefined) this.#section.lost++;
    this.position = Math.max(this.position, scanner.failedAt);
    this.#state = 'resync';
  }

  #resync(at: number): number {
    const start = nextStart(this.#scanner, at, this.#section !== undefined);
    if (start === undefined) {
      this.position = Math.max(at, this.#scanner.end - LONGEST_BEGINNING);
      return MORE;
    }
    if (start.of === 'element') return this.#to(this.#nextElement(), start.position);
    this.#closeSection();
    return this.#to('key', start.position);
  }

  #report(code: string, message: string, offset = this.#keyOffset): void {
    this.#problems.add({ code, severity: 'error', message, offset, path: `/${this.#key}` });
  }
}

/** The spelling of a section's fields, as one of its elements has them; undefined if it has none of them. */
function dialectOf(element: string, section: OpenSection): KeySpelling | undefined {
  const keys = keysOf(element);
  const { contextKey, kind } = section;
  if (kind === 'types' || kind === 'methods') {
    const legacyName = kind === 'types' ? 'typeName' : 'methodName';
    if (keys.includes('name')) return { nameKey: 'name', contextKey };
    return keys.includes(legacyName) ? { nameKey: legacyName, contextKey } : undefined;
  }
  if (keys.includes('ctx')) return { nameKey: 'name', contextKey: 'ctx' };
  return keys.includes('methodBciList') ? { nameKey: 'name', contextKey: 'methodBciList' } : undefined;
}

/** The keys of a JSON object; empty if the text is something else. */
function keysOf(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

function describe(window: Uint8Array, position: number, end: number): string {
  if (position >= end) return 'the end of the file';
  const byte = window[position];
  return byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `byte 0x${byte.toString(16).padStart(2, '0')}`;
}
