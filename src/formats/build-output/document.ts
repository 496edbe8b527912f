/**
 * Walks a document of figures: objects within objects, down to numbers and texts, each named by its path. Lists are passed over. Items are taken one by
 * one, so that a window may end anywhere.
 */
import type { ProblemLog } from '../../base/problems.js';
import { utf8Text } from '../../base/text.js';
import { CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE } from '../shared/json-bytes.js';
import { BAD, type Scanner } from '../shared/json-scanner.js';
import { ENDED, nextItem, passJson, passKey } from '../shared/json-walk.js';
import type { WindowedDocument } from '../shared/json-windows.js';

/** Deeper objects are passed over: the builder's have four levels. */
const DEEPEST = 16;
/** The builder's documents have 45 values. */
const MOST_VALUES = 2000;

/** A value of the document at its offset: a number, a text, or another literal as it is written. */
export interface Leaf {
  readonly path: string;
  readonly value: number | string | undefined;
  readonly offset: number;
}

export class FigureDocument implements WindowedDocument {
  base = 0;
  position = 0;
  readonly leaves: Leaf[] = [];
  /** Values beyond the limits, and lists. */
  passed = 0;
  lost = false;
  readonly #scanner: Scanner;
  readonly #problems: ProblemLog;
  readonly #path: string[] = [];
  #hasItem = false;
  #begun = false;
  #ended = false;
  #stopped = false;

  constructor(scanner: Scanner, problems: ProblemLog) {
    this.#scanner = scanner;
    this.#problems = problems;
  }

  step(): void {
    while (!this.#stopped && !this.#ended && this.#item());
  }

  tooLarge(limit: number): void {
    this.#stop('build-output-syntax', this.position, `a value is larger than ${limit} bytes; the rest is not read`);
  }

  finish(): void {
    if (this.#stopped) return;
    if (!this.#ended)
      this.#stop('build-output-cut', this.position, 'the document is not complete: the file is cut here');
    else if (this.#scanner.space(this.position) < this.#scanner.end)
      this.#stop('build-output-syntax', this.position, 'expected nothing behind the object; the rest is not read');
  }

  /** Takes the next item; false if there is none in the window. */
  #item(): boolean {
    const scanner = this.#scanner;
    if (!this.#begun) {
      const start = scanner.space(this.position);
      if (start >= scanner.end) return false;
      if (scanner.window[start] !== OPEN_OBJECT) return this.#failed(scanner.fail(start, 'an object'));
      this.position = start + 1;
      this.#begun = true;
      return true;
    }
    const at = nextItem(scanner, this.position, CLOSE_OBJECT, !this.#hasItem);
    if (at === ENDED) {
      this.position = scanner.space(this.position) + 1;
      this.#ended = this.#path.length === 0;
      this.#path.pop();
      this.#hasItem = true;
      return true;
    }
    return at < 0 ? this.#failed(at) : this.#value(at);
  }

  #value(at: number): boolean {
    const scanner = this.#scanner;
    const afterKey = passKey(scanner, at);
    if (afterKey < 0) return this.#failed(afterKey);
    const key = scanner.stringText() ?? '';
    const start = scanner.space(afterKey);
    if (start >= scanner.end) return false;
    const first = scanner.window[start];
    if (first === OPEN_OBJECT && this.#path.length < DEEPEST) {
      this.#path.push(key);
      this.position = start + 1;
      this.#hasItem = false;
      return true;
    }
    const end = passJson(scanner, start);
    if (end < 0) return this.#failed(end);
    if (first === OPEN_OBJECT || first === OPEN_LIST || this.leaves.length >= MOST_VALUES) this.passed++;
    else this.#leaf(key, start, end);
    this.position = end;
    this.#hasItem = true;
    return true;
  }

  #leaf(key: string, start: number, end: number): void {
    const scanner = this.#scanner;
    const path = [...this.#path, key].join('/');
    const text = utf8Text(scanner.window.subarray(start, end)) ?? '';
    const isText = scanner.window[start] === QUOTE;
    const word = text === 'null' ? undefined : text;
    const isNumber = /^[-\d]/.test(text);
    const value = isText ? scanner.stringText() : isNumber ? Number(text) : word;
    this.leaves.push({ path, value, offset: this.base + start });
  }

  #failed(status: number): boolean {
    const { failedAt, expected } = this.#scanner;
    if (status === BAD) this.#stop('build-output-syntax', failedAt, `expected ${expected}; the rest is not read`);
    return false;
  }

  #stop(code: string, position: number, message: string): void {
    this.#stopped = true;
    this.lost = true;
    this.#problems.add({ code, severity: 'error', offset: this.base + position, message });
  }
}
