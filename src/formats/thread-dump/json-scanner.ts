/**
 * Finds the threads in a JSON dump, piece by piece: an automaton over the bytes that follows keys and brackets down to
 * the elements of `threads` and hands each of them out as text, so that a file of any size needs memory for one thread.
 * Damage is told where it is; reading goes on at the next thing that can only be the beginning of a thread or container.
 */
import { ByteBuilder } from '../../base/columns.js';

/** What the scanner finds. Offsets are those of the input. */
export interface JsonEvents {
  /** A string, number or word at a path such as `threadDump/time`, as JSON text. */
  readonly value: (path: string, text: Uint8Array, offset: number) => void;
  /** An object or array begins at a path; `threadDump/threadContainers[]` is that of a container. */
  readonly enter: (path: string, array: boolean, offset: number) => void;
  /** An object at the path of a thread, as JSON text. */
  readonly thread: (text: Uint8Array, offset: number) => void;
  readonly damage: (offset: number, message: string) => void;
}

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'separator';

interface Level {
  readonly array: boolean;
  readonly path: string;
  key: string;
}

const CONTAINER = 'threadDump/threadContainers[]';
const THREADS = `${CONTAINER}/threads`;
/** A thread or value longer than this is no part of a dump. */
const LONGEST = 1 << 26;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

export class JsonScanner {
  readonly #events: JsonEvents;
  #levels: Level[] = [];
  #expected: Expected = 'value';
  /** The token or thread that is being read. */
  #token = new ByteBuilder(256);
  #mode: 'between' | 'string' | 'word' | 'thread' | 'lost' = 'between';
  #start = 0;
  #escaped = false;
  /** Within a thread: brackets that are open, and whether a string is. */
  #open: number[] = [];
  #inString = false;

  constructor(events: JsonEvents) {
    this.#events = events;
  }

  feed(bytes: Uint8Array, base: number): void {
    for (let at = 0; at < bytes.length; ) {
      const before = at;
      switch (this.#mode) {
        case 'between':
          at = this.#between(bytes, at, base);
          break;
        case 'string':
          at = this.#string(bytes, at, base);
          break;
        case 'word':
          at = this.#word(bytes, at, base);
          break;
        case 'thread':
          at = this.#thread(bytes, at, base);
          break;
        case 'lost':
          at = this.#search(bytes, at, base);
      }
      if (this.#token.length > LONGEST) this.#fail(base + before, 'something larger than 64 MiB');
    }
  }

  /** After the last byte. */
  end(offset: number): void {
    if (this.#mode === 'lost') return;
    if (this.#levels.length > 0 || this.#mode !== 'between') this.#events.damage(offset, 'the input ends early');
  }

  #between(bytes: Uint8Array, from: number, base: number): number {
    let at = from;
    while (at < bytes.length && isSpace(bytes[at])) at++;
    if (at === bytes.length) return at;
    const byte = bytes[at];
    const expected = this.#expected;
    const level = this.#levels.at(-1);
    const value = expected === 'value' || expected === 'value-or-end';
    if (value && byte === OPEN_BRACE && this.#path() === `${THREADS}[]`) return this.#beginThread(at, base);
    if (value && (byte === OPEN_BRACE || (byte === OPEN_BRACKET && level !== undefined)))
      this.#enter(byte === OPEN_BRACKET, base + at);
    else if ((value && level !== undefined) || ((expected === 'key' || expected === 'key-or-end') && byte === QUOTE)) {
      if (byte === CLOSE_BRACKET && expected === 'value-or-end' && level?.array === true) this.#leave();
      else return this.#beginToken(byte, at, base);
    } else if (expected === 'colon' && byte === 0x3a) this.#expected = 'value';
    else if (expected === 'separator' && byte === 0x2c) this.#expected = level?.array === true ? 'value' : 'key';
    else if (level !== undefined && byte === (level.array ? CLOSE_BRACKET : CLOSE_BRACE) && mayEnd(expected))
      this.#leave();
    else this.#fail(base + at, `not JSON: expected ${level === undefined ? 'an object' : `a ${expected}`}`);
    return at + 1;
  }

  #beginToken(byte: number, at: number, base: number): number {
    this.#token = new ByteBuilder(256);
    this.#start = base + at;
    this.#escaped = false;
    this.#mode = byte === QUOTE ? 'string' : 'word';
    if (byte !== QUOTE) return at;
    this.#token.append(Uint8Array.of(QUOTE), 0, 1);
    return at + 1;
  }

  #string(bytes: Uint8Array, from: number, base: number): number {
    let at = from;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === LINE_FEED) {
        this.#fail(base + at, 'not JSON: a string that its line does not end');
        return at;
      }
      if (byte === QUOTE && !this.#escaped) break;
      this.#escaped = !this.#escaped && byte === BACKSLASH;
    }
    this.#token.append(bytes, from, Math.min(at + 1, bytes.length));
    if (at === bytes.length) return at;
    this.#endToken();
    return at + 1;
  }

  #word(bytes: Uint8Array, from: number, base: number): number {
    let at = from;
    while (at < bytes.length && isWord(bytes[at])) at++;
    this.#token.append(bytes, from, at);
    if (at === bytes.length) return at;
    if (/^(?:-?\d{1,20}(?:\.\d{1,20})?|true|false|null)$/.test(latin1(this.#token.finish()))) this.#endToken();
    else this.#fail(base + at, 'not JSON: expected a value');
    return at;
  }

  #endToken(): void {
    const text = this.#token.finish();
    const level = this.#levels.at(-1);
    this.#mode = 'between';
    if (level !== undefined && (this.#expected === 'key' || this.#expected === 'key-or-end')) {
      level.key = latin1(text.subarray(1, -1));
      this.#expected = 'colon';
      return;
    }
    this.#events.value(this.#path(), text, this.#start);
    this.#expected = 'separator';
  }

  #path(): string {
    const level = this.#levels.at(-1);
    if (level === undefined) return '';
    if (level.array) return `${level.path}[]`;
    return level.path === '' ? level.key : `${level.path}/${level.key}`;
  }

  #enter(array: boolean, offset: number): void {
    const path = this.#path();
    this.#events.enter(path, array, offset);
    this.#levels.push({ array, path, key: '' });
    this.#expected = array ? 'value-or-end' : 'key-or-end';
  }

  #leave(): void {
    this.#levels.pop();
    this.#expected = this.#levels.length === 0 ? 'value' : 'separator';
  }

  #beginThread(at: number, base: number): number {
    this.#mode = 'thread';
    this.#token = new ByteBuilder(1 << 12);
    this.#open = [];
    this.#inString = false;
    this.#escaped = false;
    this.#start = base + at;
    return at;
  }

  #thread(bytes: Uint8Array, from: number, base: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (this.#inString) {
        if (byte === LINE_FEED) return this.#failThread(bytes, at, base, 'a string that its line does not end');
        if (byte === QUOTE && !this.#escaped) this.#inString = false;
        this.#escaped = !this.#escaped && byte === BACKSLASH;
      } else if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#open.push(byte + 2);
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (this.#open.pop() !== byte) return this.#failThread(bytes, at, base, 'a bracket that does not match');
        if (this.#open.length > 0) continue;
        this.#token.append(bytes, from, at + 1);
        this.#mode = 'between';
        this.#expected = 'separator';
        this.#events.thread(this.#token.finish(), this.#start);
        return at + 1;
      }
    }
    this.#token.append(bytes, from, bytes.length);
    return bytes.length;
  }

  #failThread(bytes: Uint8Array, at: number, base: number, message: string): number {
    this.#fail(base + at, `not JSON: ${message}, within a thread`);
    return Math.min(at + 1, bytes.length);
  }

  #fail(offset: number, message: string): void {
    this.#events.damage(offset, message);
    this.#mode = 'lost';
    this.#token = new ByteBuilder(64);
  }

  /** Looks for a string that only a thread or a container begins with. */
  #search(bytes: Uint8Array, from: number, base: number): number {
    for (let at = from; at < bytes.length; at++) {
      if (bytes[at] !== QUOTE) {
        if (this.#token.length > 0) this.#token.append(bytes, at, at + 1);
        if (this.#token.length > 12) this.#token = new ByteBuilder(64);
        continue;
      }
      const text = latin1(this.#token.finish());
      this.#token = new ByteBuilder(64);
      this.#token.append(bytes, at, at + 1);
      if (text === '"tid') return this.#resumeThread(at, base);
      if (text === '"container') return this.#resumeContainer(at);
    }
    return bytes.length;
  }

  #resumeThread(at: number, base: number): number {
    this.#levels = within(`${THREADS}`, true);
    const next = this.#beginThread(at, base) + 1;
    this.#token.append(TID, 0, TID.length);
    this.#open.push(CLOSE_BRACE);
    return next;
  }

  #resumeContainer(at: number): number {
    this.#levels = within(CONTAINER, false);
    const level = this.#levels.at(-1);
    if (level !== undefined) level.key = 'container';
    this.#expected = 'colon';
    this.#mode = 'between';
    return at + 1;
  }
}

const TID = new TextEncoder().encode('{"tid"');

/** The levels that are open within a container or its array of threads. */
function within(path: string, array: boolean): Level[] {
  const levels: Level[] = [
    { array: false, path: '', key: 'threadDump' },
    { array: false, path: 'threadDump', key: 'threadContainers' },
    { array: true, path: 'threadDump/threadContainers', key: '' },
    { array: false, path: CONTAINER, key: 'threads' },
  ];
  return array ? [...levels, { array, path, key: '' }] : levels;
}

function mayEnd(expected: Expected): boolean {
  return expected === 'separator' || expected === 'key-or-end' || expected === 'value-or-end';
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

/** Bytes of numbers and words. */
function isWord(byte: number): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7a) || byte === 0x2d || byte === 0x2e;
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 400), (byte) => String.fromCharCode(byte)).join('');
}
