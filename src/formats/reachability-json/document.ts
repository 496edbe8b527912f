/**
 * Walks the document: each object has one meaning, which follows from its place. Items are taken one by one, so that a window may end
 * anywhere; values that the format does not define are skipped.
 *
 *   [ { "module": NAME, "packages": { NAME: { "types": { NAME: { "methods": { SIGNATURE: { "size": N } }, "fields": { NAME: {} } } } } } } ]
 */
import type { ProblemLog } from '../../base/problems.js';
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT } from '../shared/json-bytes.js';
import { BAD, MORE, type Scanner } from '../shared/json-scanner.js';
import { ENDED, nextItem, passJson, passKey, passString } from '../shared/json-walk.js';
import type { WindowedDocument } from '../shared/json-windows.js';

type Level = 'modules' | 'module' | 'packages' | 'package' | 'types' | 'type' | 'methods' | 'method' | 'fields';

/** The object at a key of another one: by name, or for all keys. */
const BELOW: Readonly<Partial<Record<Level, Readonly<Record<string, Level>> | Level>>> = {
  module: { packages: 'packages' },
  packages: 'package',
  package: { types: 'types' },
  types: 'type',
  type: { methods: 'methods', fields: 'fields' },
  methods: 'method',
};

/** What the document contains, as it is met. Names are without their packages. */
export interface Contents {
  module(name: string): void;
  /** After all of a module. */
  leaveModule(): void;
  package(name: string): void;
  type(name: string): void;
  /** False if it is no `name(types)`. */
  method(signature: string): boolean;
  size(bytes: number): void;
  field(name: string): void;
}

export class ReachabilityDocument implements WindowedDocument {
  base = 0;
  position = 0;
  readonly #scanner: Scanner;
  readonly #problems: ProblemLog;
  readonly #contents: Contents;
  readonly #levels: Level[] = [];
  /** Whether the innermost object has an item already. */
  #hasItem = false;
  #stopped = false;
  /** Whether the list of modules was opened. */
  #begun = false;
  lost = false;

  constructor(scanner: Scanner, problems: ProblemLog, contents: Contents) {
    this.#scanner = scanner;
    this.#problems = problems;
    this.#contents = contents;
  }

  step(): void {
    while (!this.#stopped && this.#item());
  }

  tooLarge(limit: number): void {
    this.#stop(
      'reachability-syntax',
      this.base + this.position,
      `a value is larger than ${limit} bytes; the rest is not read`,
    );
  }

  finish(): void {
    if (this.#stopped) return;
    const at = this.base + this.position;
    if (!this.#begun || this.#levels.length > 0)
      this.#stop('reachability-cut', at, 'the document is not complete: the file is cut here');
    else if (this.#scanner.space(this.position) < this.#scanner.end)
      this.#stop('reachability-syntax', at, 'expected nothing behind the list of modules; the rest is not read');
  }

  /** Takes the next item; false if there is none in the window. */
  #item(): boolean {
    const scanner = this.#scanner;
    const level = this.#levels.at(-1);
    if (level === undefined) return !this.#begun && this.#open(scanner.space(this.position), OPEN_LIST, 'modules');
    const at = nextItem(scanner, this.position, level === 'modules' ? CLOSE_LIST : CLOSE_OBJECT, !this.#hasItem);
    if (at === ENDED) {
      this.position = scanner.space(this.position) + 1;
      this.#levels.pop();
      this.#hasItem = true;
      if (level === 'module') this.#contents.leaveModule();
      return true;
    }
    if (at < 0) return this.#failed(at);
    return level === 'modules' ? this.#open(at, OPEN_OBJECT, 'module') : this.#value(level, at);
  }

  #open(at: number, bracket: number, level: Level): boolean {
    const { window, end } = this.#scanner;
    if (at >= end) return false;
    if (window[at] !== bracket) return this.#failed(this.#scanner.fail(at, `'${String.fromCharCode(bracket)}'`));
    this.position = at + 1;
    this.#levels.push(level);
    this.#hasItem = false;
    this.#begun = true;
    return true;
  }

  /** A key and its value, which may be an object that has a meaning. */
  #value(level: Level, at: number): boolean {
    const scanner = this.#scanner;
    let after = passKey(scanner, at);
    if (after < 0) return this.#failed(after);
    const key = scanner.stringText() ?? '';
    after = scanner.space(after);
    if (after >= scanner.end) return false;
    const below = BELOW[level];
    const child = typeof below === 'string' ? below : below?.[key];
    const isNumber = level === 'method' && key === 'size';
    const isName = level === 'module' && key === 'module';
    if (child !== undefined) {
      if (!this.#open(after, OPEN_OBJECT, child)) return false;
      this.#enter(child, key, at);
      return true;
    }
    const end = isNumber ? scanner.readNumber(after) : isName ? passString(scanner, after) : passJson(scanner, after);
    if (end < 0) return this.#failed(end);
    if (isNumber) this.#size(scanner.number, at);
    if (isName) this.#contents.module(scanner.stringText() ?? '');
    if (level === 'fields') this.#contents.field(key);
    this.position = end;
    this.#hasItem = true;
    return true;
  }

  #enter(level: Level, key: string, at: number): void {
    if (level === 'package') this.#contents.package(key);
    if (level === 'type') this.#contents.type(key);
    if (level === 'method' && !this.#contents.method(key))
      this.#report(
        'reachability-method',
        this.base + at,
        `expected name(types), found ${key.slice(0, 80)}; method skipped`,
      );
  }

  #size(bytes: number, at: number): void {
    if (Number.isSafeInteger(bytes) && bytes >= 0) this.#contents.size(bytes);
    else this.#report('reachability-size', this.base + at, `${bytes} is no size; it is left out`);
  }

  #failed(status: number): boolean {
    if (status === MORE) return false;
    if (status === BAD)
      this.#stop(
        'reachability-syntax',
        this.base + this.#scanner.failedAt,
        `expected ${this.#scanner.expected}; the rest is not read`,
      );
    return false;
  }

  #stop(code: string, offset: number, message: string): void {
    this.#stopped = true;
    this.#report(code, offset, message);
  }

  #report(code: string, offset: number, message: string): void {
    this.lost = true;
    this.#problems.add({ code, severity: 'error', offset, message });
  }
}
