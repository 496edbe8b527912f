/**
 * Walks a JSON document of any size through a window: the format says which containers are entered and read item by item, and gets everything
 * else as whole values. Items are taken completely or not at all, so a window may end anywhere. Cost: 5 ns a byte of what is skipped, the
 * engine's JSON parser for whole values, 20 ns a number of a list of numbers; memory: the open containers and a window, which grows only for
 * a larger value.
 */
import type { ProblemLog } from '../../../base/problems.js';
import { utf8Text } from '../../../base/text.js';
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT } from '../json-bytes.js';
import { LONGEST_BEGINNING, nextBeginning } from '../json-resync.js';
import { BAD, MORE, type Scanner } from '../json-scanner.js';
import { ENDED, nextItem, passJson, passKey } from '../json-walk.js';
import type { WindowedDocument } from '../json-windows.js';

/** An entered container. Offsets are those of the file. */
export interface ItemLevel {
  /** What to do with a container in this one; `key` is empty in lists. Without it all containers are whole values. */
  readonly enter?: (key: string, isList: boolean, offset: number) => ItemLevel | 'value' | 'skip';
  /** A scalar, or a container that is a whole value. */
  readonly take?: (key: string, value: unknown, offset: number) => void;
  /** Instead of `take`, for numbers of a list. */
  readonly number?: (value: number) => void;
  /** After its last item. */
  readonly leave?: () => void;
  /** In a list: reading goes on after damage at the next text that matches this global pattern, which begins an item. */
  readonly resumesAt?: RegExp;
}

/** Codes of what is wrong with the text of a file. */
export interface ItemCodes {
  /** The end is missing. */
  readonly cut: string;
  /** Not JSON. */
  readonly syntax: string;
  readonly tooLarge: string;
}

interface OpenLevel {
  readonly level: ItemLevel;
  readonly isList: boolean;
}

export class JsonItems implements WindowedDocument {
  base = 0;
  position = 0;
  /** Whether something in the text was lost. */
  lost = false;
  readonly #scanner: Scanner;
  readonly #problems: ProblemLog;
  readonly #codes: ItemCodes;
  readonly #root: (isList: boolean) => ItemLevel | undefined;
  readonly #open: OpenLevel[] = [];
  /** Whether the innermost container has an item already. */
  #hasItem = false;
  #state: 'start' | 'inside' | 'seeking' | 'ended' | 'given up' = 'start';

  /** `root`: what the outermost container means; undefined if the format has none of this kind. */
  constructor(
    scanner: Scanner,
    problems: ProblemLog,
    codes: ItemCodes,
    root: (isList: boolean) => ItemLevel | undefined,
  ) {
    this.#scanner = scanner;
    this.#problems = problems;
    this.#codes = codes;
    this.#root = root;
  }

  /** Whether the outermost container was closed. */
  get ended(): boolean {
    return this.#state === 'ended';
  }

  /** Whether the text ended in an item of a level for which this holds. */
  isOpen(level: ItemLevel): boolean {
    return this.#open.some((each) => each.level === level);
  }

  step(): void {
    for (;;) {
      if (this.#state === 'seeking') {
        if (!this.#seek()) return;
      } else if (this.#state === 'given up') {
        this.position = this.#scanner.end;
        return;
      } else if (this.#state === 'ended') {
        this.#trailing();
        return;
      } else {
        const after = this.#state === 'start' ? this.#begin() : this.#next();
        if (after === MORE) return;
        if (after === BAD) this.#damaged();
        else this.position = after;
      }
    }
  }

  tooLarge(limit: number): void {
    this.#report(this.#codes.tooLarge, this.position, `a value is larger than ${limit} bytes; the rest is not read`);
    this.#state = 'given up';
  }

  finish(): void {
    if (this.#state === 'ended' || this.#state === 'given up') return;
    if (this.#state === 'seeking') return;
    this.#report(this.#codes.cut, this.#scanner.end, 'the file is cut here; what is before is read');
    this.#state = 'given up';
  }

  #begin(): number {
    const { window } = this.#scanner;
    const hasMark = this.base === 0 && window[0] === 0xef && window[1] === 0xbb && window[2] === 0xbf;
    const at = this.#scanner.space(hasMark && this.position === 0 ? 3 : this.position);
    if (at >= this.#scanner.end) return MORE;
    const isList = window[at] === OPEN_LIST;
    const level = isList || window[at] === OPEN_OBJECT ? this.#root(isList) : undefined;
    if (level === undefined) return this.#scanner.fail(at, 'the outermost object or list of the format');
    this.#enter(level, isList);
    this.#state = 'inside';
    return at + 1;
  }

  #enter(level: ItemLevel, isList: boolean): void {
    this.#open.push({ level, isList });
    this.#hasItem = false;
  }

  /** Takes the next item; its end, or where an entered container goes on. */
  #next(): number {
    const scanner = this.#scanner;
    const open = this.#open[this.#open.length - 1];
    const close = open.isList ? CLOSE_LIST : CLOSE_OBJECT;
    const at = nextItem(scanner, this.position, close, !this.#hasItem);
    if (at === ENDED) return this.#leave(open);
    if (at < 0) return at;
    if (!open.isList) return this.#member(open.level, at);
    return this.#value(open.level, '', at);
  }

  #leave({ level }: OpenLevel): number {
    level.leave?.();
    this.#open.pop();
    this.#hasItem = true;
    if (this.#open.length === 0) this.#state = 'ended';
    return this.#scanner.space(this.position) + 1;
  }

  #member(level: ItemLevel, at: number): number {
    const scanner = this.#scanner;
    const behind = passKey(scanner, at);
    if (behind < 0) return behind;
    const key = scanner.stringText() ?? '';
    const value = scanner.space(behind);
    return value >= scanner.end ? MORE : this.#value(level, key, value);
  }

  #value(level: ItemLevel, key: string, at: number): number {
    const scanner = this.#scanner;
    const first = scanner.window[at];
    if (level.number !== undefined && (first === 0x2d || (first >= 0x30 && first <= 0x39))) {
      const after = scanner.readNumber(at);
      if (after < 0) return after;
      this.#hasItem = true;
      level.number(scanner.number);
      return after;
    }
    if (first !== OPEN_LIST && first !== OPEN_OBJECT) return this.#whole(level, key, at);
    const inner = level.enter?.(key, first === OPEN_LIST, this.base + at) ?? 'value';
    if (inner === 'value') return this.#whole(level, key, at);
    if (inner === 'skip') return this.#took(passJson(scanner, at));
    this.#enter(inner, first === OPEN_LIST);
    return at + 1;
  }

  #whole(level: ItemLevel, key: string, at: number): number {
    const after = passJson(this.#scanner, at);
    if (after < 0) return after;
    this.#hasItem = true;
    level.take?.(key, JSON.parse(utf8Text(this.#scanner.window.subarray(at, after)) ?? 'null'), this.base + at);
    return after;
  }

  #took(after: number): number {
    if (after >= 0) this.#hasItem = true;
    return after;
  }

  #damaged(): void {
    const { failedAt, expected } = this.#scanner;
    const isBegun = this.#open.length > 0;
    const isResumed = this.#open.some(({ level }) => level.resumesAt !== undefined);
    this.#report(
      this.#codes.syntax,
      failedAt,
      `not JSON: expected ${expected}; ${isResumed ? 'what is damaged is left out' : 'the rest is not read'}`,
    );
    this.#state = isBegun && isResumed ? 'seeking' : 'given up';
    while (this.#state === 'seeking' && this.#open.at(-1)?.level.resumesAt === undefined) this.#open.pop();
    this.position = Math.max(this.position, failedAt);
  }

  /** Looks for the next item of the innermost list that can be resumed; false if the window has none. */
  #seek(): boolean {
    const pattern = this.#open.at(-1)?.level.resumesAt;
    const next = pattern && nextBeginning(this.#scanner, this.position, [pattern]);
    if (next === undefined) {
      this.position = Math.max(this.position, this.#scanner.end - LONGEST_BEGINNING);
      return false;
    }
    this.position = next.position;
    this.#hasItem = false;
    this.#state = 'inside';
    return true;
  }

  #trailing(): void {
    const at = this.#scanner.space(this.position);
    if (at < this.#scanner.end) {
      this.#report(this.#codes.syntax, at, 'text behind the end of the document');
      this.#state = 'given up';
    }
    this.position = this.#scanner.end;
  }

  #report(code: string, position: number, message: string): void {
    this.lost = true;
    this.#problems.add({ code, severity: 'error', offset: this.base + position, message });
  }
}
