/**
 * Walks a JSON dump value by value, of `Thread.dump_to_file` or of tools that write `ThreadInfo` objects. Values above the threads are reported with their paths, each thread as its text, so
 * that a file of any size needs memory for one thread. Damage is reported with its offset; reading continues at the
 * next text that can only begin a thread or container.
 */
import { decodeUtf8 } from '../../../base/text.js';
import type { FileOffsets } from '../../shared/encoding.js';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, OPEN_LIST, OPEN_OBJECT, QUOTE } from '../../shared/json-bytes.js';
import { LONGEST_BEGINNING, nextBeginning } from '../../shared/json-resync.js';
import { BAD, MORE, type Scanner } from '../../shared/json-scanner.js';
import { ENDED, nextItem, passBrackets, passScalar } from '../../shared/json-walk.js';
import type { WindowedDocument } from '../../shared/json-windows.js';

/** Receives the parts of a dump. Offsets are those of the input. */
export interface DumpEvents {
  /** A string, number or word at a path such as `threadDump/time`, as JSON text. */
  value(path: string, text: Uint8Array, offset: number): void;
  /** An object or array begins at a path; `threadDump/threadContainers[]` is that of a container. */
  enter(path: string, array: boolean, offset: number): void;
  /** An object at the path of a thread, as text with matching brackets, which may not be JSON. */
  thread(text: Uint8Array, offset: number): void;
  damaged(offset: number, message: string): void;
}

/** The largest thread or value of a dump. */
export const LARGEST_VALUE = 1 << 26;

/** An open object or array. */
export interface Level {
  readonly array: boolean;
  readonly path: string;
  /** No element was read yet. */
  first: boolean;
}

/** Where the threads are in a document, and what can only begin a thread or what contains threads. */
export interface DumpShape {
  /** Path of a thread. */
  readonly thread: string;
  /** `headless`: the text begins within a thread, behind its opening brace; else it begins an object above the threads. */
  readonly beginnings: readonly { readonly pattern: RegExp; readonly headless: boolean }[];
  /** The open levels among the threads, or at the beginning of the object above them. */
  readonly levels: (headless: boolean) => Level[];
}

const CONTAINERS = 'threadDump/threadContainers';
const CONTAINER = `${CONTAINERS}[]`;
const THREADS = `${CONTAINER}/threads`;

/** `jdk.internal.vm.ThreadDumper`. */
export const TO_FILE: DumpShape = {
  thread: `${THREADS}[]`,
  beginnings: [
    { pattern: /"tid"/g, headless: true },
    { pattern: /"container"/g, headless: false },
  ],
  levels: (threads) => {
    const levels: Level[] = [
      { array: false, path: '', first: false },
      { array: false, path: 'threadDump', first: false },
      { array: true, path: CONTAINERS, first: false },
      { array: false, path: CONTAINER, first: !threads },
    ];
    return threads ? [...levels, { array: true, path: THREADS, first: false }] : levels;
  },
};

const THREAD_NAME = [{ pattern: /"threadName"/g, headless: true }];

/** Spring Boot, `/actuator/threaddump`: an object with the list of threads. */
export const THREAD_INFOS: DumpShape = {
  thread: 'threads[]',
  beginnings: THREAD_NAME,
  levels: () => [
    { array: false, path: '', first: false },
    { array: true, path: 'threads', first: false },
  ],
};

/** Spring Boot 1, `/dump`: the list alone. */
export const THREAD_INFO_LIST: DumpShape = {
  thread: '[]',
  beginnings: THREAD_NAME,
  levels: () => [{ array: true, path: '', first: false }],
};

export class DumpDocument implements WindowedDocument {
  base = 0;
  position = 0;
  readonly #offsets: FileOffsets;
  readonly #scanner: Scanner;
  readonly #events: DumpEvents;
  readonly #shape: DumpShape;
  #levels: Level[] = [];
  /** `headless`: in a thread without its opening brace. `lost`: after damage. */
  #state: 'reading' | 'headless' | 'lost' | 'given up' = 'reading';

  /** `offsets`: of the text in the file. */
  constructor(scanner: Scanner, events: DumpEvents, offsets: FileOffsets, shape: DumpShape) {
    this.#shape = shape;
    this.#offsets = offsets;
    this.#scanner = scanner;
    this.#events = events;
  }

  #offset(position: number): number {
    return this.#offsets.of(this.#scanner.window, position);
  }

  moved(count: number): void {
    this.#offsets.moved(this.#scanner.window, count);
  }

  step(): void {
    while (this.#state !== 'given up') {
      const after = this.#state === 'lost' ? this.#find() : this.#advance();
      if (after === MORE) return;
      if (after === BAD) this.#damaged();
      else this.position = after;
    }
    this.position = this.#scanner.end;
  }

  tooLarge(limit: number): void {
    const message = `a value larger than ${limit >> 20} MiB; nothing after it is read`;
    this.#events.damaged(this.#offset(this.position), message);
    this.#state = 'given up';
  }

  finish(): void {
    if (this.#state === 'lost' || this.#state === 'given up') return;
    const { end } = this.#scanner;
    if (this.#levels.length > 0 || this.position < end) this.#events.damaged(this.#offset(end), 'the input ends early');
  }

  #advance(): number {
    if (this.#state === 'headless') return this.#thread(this.position);
    const level = this.#levels.at(-1);
    if (level === undefined) return this.#root();
    const at = nextItem(this.#scanner, this.position, level.array ? CLOSE_LIST : CLOSE_OBJECT, level.first);
    if (at === ENDED) {
      this.#levels.pop();
      return this.#scanner.space(this.position) + 1;
    }
    if (at < 0) return at;
    const after = level.array ? this.#value(`${level.path}[]`, at) : this.#keyed(level.path, at);
    if (after >= 0) level.first = false;
    return after;
  }

  /** One dump may follow another. */
  #root(): number {
    const at = this.#scanner.space(this.position);
    this.position = at;
    const list = this.#shape === THREAD_INFO_LIST;
    if (this.#scanner.window[at] !== (list ? OPEN_LIST : OPEN_OBJECT)) return this.#scanner.fail(at, 'an object');
    return this.#enter('', list, at);
  }

  #keyed(path: string, at: number): number {
    const scanner = this.#scanner;
    const behind = scanner.readString(at);
    if (behind < 0) return behind;
    const key = decodeUtf8(scanner.window, scanner.stringStart, scanner.stringEnd);
    const colon = scanner.punctuation(behind, COLON);
    if (colon < 0) return colon;
    const value = scanner.space(colon);
    return value >= scanner.end ? MORE : this.#value(path === '' ? key : `${path}/${key}`, value);
  }

  #value(path: string, at: number): number {
    const scanner = this.#scanner;
    const first = scanner.window[at];
    if (first === OPEN_OBJECT && path === this.#shape.thread) return this.#thread(at);
    if (first === OPEN_OBJECT || first === OPEN_LIST) return this.#enter(path, first === OPEN_LIST, at);
    const after = first === QUOTE ? scanner.readString(at) : passScalar(scanner, at);
    if (after >= 0) this.#events.value(path, scanner.window.slice(at, after), this.#offset(at));
    return after;
  }

  #enter(path: string, array: boolean, at: number): number {
    this.#events.enter(path, array, this.#offset(at));
    this.#levels.push({ array, path, first: true });
    return at + 1;
  }

  #thread(at: number): number {
    const scanner = this.#scanner;
    const headless = this.#state === 'headless';
    const after = headless ? passBrackets(scanner, at, CLOSE_OBJECT) : passBrackets(scanner, at);
    if (after < 0) return after;
    const text = new Uint8Array(after - at + (headless ? 1 : 0));
    text[0] = OPEN_OBJECT;
    text.set(scanner.window.subarray(at, after), text.length - (after - at));
    this.#events.thread(text, this.#offset(at));
    this.#state = 'reading';
    return after;
  }

  #damaged(): void {
    const { failedAt, expected } = this.#scanner;
    this.#events.damaged(this.#offset(failedAt), `not JSON: expected ${expected}`);
    this.position = Math.max(this.position, failedAt);
    this.#state = 'lost';
  }

  #find(): number {
    const { beginnings, levels } = this.#shape;
    const patterns = beginnings.map(({ pattern }) => pattern);
    const next = nextBeginning(this.#scanner, this.position, patterns);
    if (next === undefined) {
      this.position = Math.max(this.position, this.#scanner.end - LONGEST_BEGINNING);
      return MORE;
    }
    const { headless = false } = beginnings.find(({ pattern }) => pattern === next.pattern) ?? {};
    this.#state = headless ? 'headless' : 'reading';
    this.#levels = levels(headless);
    return next.position;
  }
}
