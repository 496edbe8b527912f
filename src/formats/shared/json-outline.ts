/**
 * Structure near the top of a JSON document, read by an automaton that accepts pieces of any size: probes test keys and
 * shapes, so whitespace, order and a truncated end do not matter. Deep values and later elements of an array are
 * skipped by counting brackets. Costs one pass over the bytes and memory for at most 30,000 marks.
 *
 * It does not use the scanner of the readers: that one needs a whole token in its window, and rejects damaged text that
 * a probe must accept, such as line feeds in strings.
 */
import type { Head, JsonKind, JsonMark, JsonOutline } from '../capabilities/probe.js';
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-bytes.js';

/** Containers nested deeper than this are skipped. */
const DEPTH_KEPT = 5;
/** Elements of an array that are examined. */
const ELEMENTS_KEPT = 8;
/** Marks kept below one key of the outermost object, and in total: a huge section leaves room for the next. */
const MARKS_KEPT_PER_KEY = 500;
const MARKS_KEPT = 20_000;
const TOP_KEYS_KEPT = 10_000;
const TEXT_KEPT = 200;

interface Container {
  readonly path: string;
  readonly array: boolean;
  elements: number;
}

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'separator' | 'nothing';

const outlines = new WeakMap<Head, JsonOutline>();

/** The outline of a head, made once for all probes. */
export function outlineOf(head: Head): JsonOutline {
  if (head.outline !== undefined) return head.outline;
  const known = outlines.get(head);
  if (known !== undefined) return known;
  const outliner = new JsonOutliner();
  outliner.feed(head.bytes);
  outlines.set(head, outliner.outline);
  return outliner.outline;
}

/** Reads a document piece by piece; `outline` grows with every piece. */
export class JsonOutliner {
  readonly #marks = new Map<string, JsonMark>();
  readonly #keys: string[] = [];
  readonly #open: Container[] = [];
  #root: 'object' | 'array' | undefined;
  #trailing = false;
  /** Marks made since the last key of the outermost object. */
  #marked = 0;
  #faulty = false;
  #expected: Expected = 'value';
  #key = '';
  /** The current token, and its characters so far. */
  #token: 'none' | 'key' | 'string' | 'scalar' = 'none';
  #text = '';
  #escaped = false;
  /** Open brackets of a value being skipped; 0 if none. */
  #skipped = 0;
  #inSkippedString = false;
  #first = true;

  get outline(): JsonOutline {
    const ended = this.#root !== undefined && this.#skipped === 0 && this.#expected === 'nothing';
    return {
      root: this.#root,
      marks: this.#marks,
      keys: this.#keys,
      faulty: this.#faulty,
      ended,
      trailing: this.#trailing,
    };
  }

  feed(bytes: Uint8Array): void {
    let at = 0;
    if (this.#first && bytes.length > 0) {
      this.#first = false;
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) at = 3;
    }
    while (at < bytes.length && !this.#faulty && (this.#skipped > 0 || this.#expected !== 'nothing')) {
      if (this.#skipped > 0) at = this.#skip(bytes, at);
      else if (this.#token === 'scalar') at = this.#scalar(bytes, at);
      else if (this.#token !== 'none') at = this.#string(bytes, at);
      else this.#begin(bytes[at++]);
    }
    if (this.#faulty || this.#trailing) return;
    while (at < bytes.length && isSpace(bytes[at])) at++;
    this.#trailing = at < bytes.length;
  }

  /** Skips a value: counts brackets, steps over strings, ignores the rest. */
  #skip(bytes: Uint8Array, at: number): number {
    let depth = this.#skipped;
    let inString = this.#inSkippedString;
    let escaped = this.#escaped;
    while (at < bytes.length && depth > 0) {
      const byte = bytes[at++];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
    }
    this.#skipped = depth;
    this.#inSkippedString = inString;
    this.#escaped = escaped;
    return at;
  }

  #string(bytes: Uint8Array, at: number): number {
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (!this.#escaped && byte === QUOTE) {
        this.#endString();
        return at + 1;
      }
      this.#escaped = !this.#escaped && byte === BACKSLASH;
      if (this.#text.length < TEXT_KEPT) this.#text += String.fromCharCode(byte);
    }
    return at;
  }

  #endString(): void {
    const isKey = this.#token === 'key';
    this.#token = 'none';
    if (isKey) {
      this.#key = this.#text;
      this.#expected = 'colon';
      if (this.#open.length === 1 && this.#keys.length < TOP_KEYS_KEPT) this.#keys.push(this.#key);
    } else this.#value('string', this.#text);
  }

  #scalar(bytes: Uint8Array, at: number): number {
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (!isScalar(byte)) {
        this.#token = 'none';
        if (/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(this.#text)) this.#value('number', this.#text);
        else if (/^(?:true|false|null)$/.test(this.#text)) this.#value('word', this.#text);
        else this.#faulty = true;
        return at;
      }
      if (this.#text.length < TEXT_KEPT) this.#text += String.fromCharCode(byte);
    }
    return at;
  }

  /** The first byte of a token. */
  #begin(byte: number): void {
    if (isSpace(byte)) return;
    const expected = this.#expected;
    const value = expected === 'value' || expected === 'value-or-end';
    if (value && (byte === OPEN_OBJECT || byte === OPEN_LIST)) this.#enter(byte === OPEN_LIST);
    else if (value && byte === QUOTE && this.#open.length > 0) this.#start('string', '');
    else if (value && isScalar(byte) && this.#open.length > 0) this.#start('scalar', String.fromCharCode(byte));
    else if ((expected === 'key' || expected === 'key-or-end') && byte === QUOTE) this.#start('key', '');
    else if (expected === 'colon' && byte === COLON) this.#expected = 'value';
    else if (expected === 'separator' && byte === COMMA) this.#next();
    else if (byte === CLOSE_LIST && (expected === 'value-or-end' || expected === 'separator')) this.#leave(true);
    else if (byte === CLOSE_OBJECT && (expected === 'key-or-end' || expected === 'separator')) this.#leave(false);
    else this.#faulty = true;
  }

  #start(token: 'key' | 'string' | 'scalar', text: string): void {
    this.#token = token;
    this.#text = text;
    this.#escaped = false;
  }

  /** Path of the next value. */
  #path(): string {
    const container = this.#open.at(-1);
    if (container === undefined) return '';
    if (container.array) return `${container.path}[]`;
    return container.path === '' ? this.#key : `${container.path}/${this.#key}`;
  }

  #mark(kind: JsonKind, text: string): string {
    const path = this.#path();
    const top = this.#open.length === 1 && this.#root === 'object';
    if (top) this.#marked = 0;
    const room = top ? this.#marks.size < MARKS_KEPT + TOP_KEYS_KEPT : this.#roomFor();
    if (path !== '' && room && !this.#marks.has(path)) {
      this.#marks.set(path, { kind, text });
      this.#marked++;
    }
    return path;
  }

  #roomFor(): boolean {
    return this.#marks.size < MARKS_KEPT && this.#marked < MARKS_KEPT_PER_KEY;
  }

  #value(kind: JsonKind, text: string): void {
    this.#mark(kind, text);
    this.#expected = 'separator';
  }

  #enter(array: boolean): void {
    const path = this.#mark(array ? 'array' : 'object', '');
    if (this.#open.length === 0) this.#root = array ? 'array' : 'object';
    if (this.#open.length >= DEPTH_KEPT || (this.#open.length > 0 && !this.#roomFor())) {
      this.#skipRest();
      return;
    }
    this.#open.push({ path, array, elements: 0 });
    this.#expected = array ? 'value-or-end' : 'key-or-end';
  }

  /** After a comma. */
  #next(): void {
    const container = this.#open.at(-1);
    if (container === undefined) return;
    container.elements++;
    this.#expected = container.array ? 'value' : 'key';
    if (!container.array || container.elements < ELEMENTS_KEPT) return;
    this.#open.pop();
    this.#skipRest();
  }

  /** Skips the rest of the innermost container; then its parent continues. */
  #skipRest(): void {
    this.#skipped = 1;
    this.#inSkippedString = false;
    this.#escaped = false;
    this.#expected = this.#open.length === 0 ? 'nothing' : 'separator';
  }

  #leave(array: boolean): void {
    const container = this.#open.pop();
    if (container?.array !== array) this.#faulty = true;
    this.#expected = this.#open.length === 0 ? 'nothing' : 'separator';
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Bytes of numbers and of `true`, `false` and `null`. */
function isScalar(byte: number): boolean {
  const letter = byte | 0x20;
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (letter >= 0x61 && letter <= 0x7a) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e
  );
}
