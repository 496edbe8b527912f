/** The items of a speedscope document straight from the window: samples, weights, events, frames, keys of a profile. */
import { doubled } from '../../base/columns/columns.js';
import { decodeUtf8 } from '../../base/text.js';
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from '../shared/json-bytes.js';
import { BAD, MORE, type Scanner } from '../shared/json-scanner.js';
import { passJson, passKey, passString } from '../shared/json-walk.js';
import type { FrameKeys, FrameTable } from './frames.js';
import type { ProfileKeys, ProfileRows } from './profiles.js';

/** Whether a frame number can be a row. */
const LARGEST_FRAME = 2 ** 31 - 2;
const UNITS: ReadonlySet<string> = new Set(['none', 'nanoseconds', 'microseconds', 'milliseconds', 'seconds', 'bytes']);

type ComplainAt = (position: number, code: string, severity: 'error' | 'warning', message: string) => void;

export class ItemReader {
  readonly #scanner: Scanner;
  readonly #rows: ProfileRows;
  readonly #frames: FrameTable;
  readonly #complain: ComplainAt;
  #stack = new Int32Array(256);
  /** The last value: a string, a number, or neither. */
  #text: string | undefined;
  #number: number | undefined;

  constructor(scanner: Scanner, rows: ProfileRows, frames: FrameTable, complain: ComplainAt) {
    this.#scanner = scanner;
    this.#rows = rows;
    this.#frames = frames;
    this.#complain = complain;
  }

  /** An array of frame numbers, root first. */
  sample(at: number): number {
    const scanner = this.#scanner;
    const { window } = scanner;
    if (window[at] !== OPEN_LIST) return this.#unusableSample(at);
    let position = scanner.space(at + 1);
    let depth = 0;
    if (window[position] !== CLOSE_LIST) {
      for (;;) {
        const after = scanner.readNumber(position);
        if (after === MORE) return MORE;
        if (after === BAD || !isFrame(scanner.number)) return this.#unusableSample(at);
        if (depth === this.#stack.length) this.#stack = doubled(this.#stack);
        this.#stack[depth++] = scanner.number;
        position = scanner.space(after);
        if (window[position] === CLOSE_LIST) break;
        if (window[position] !== COMMA) return scanner.fail(position, "',' or ']'");
        position++;
      }
    }
    this.#rows.sample(this.#stack, depth);
    return position + 1;
  }

  #unusableSample(at: number): number {
    const after = passJson(this.#scanner, at);
    if (after < 0) return after;
    this.#complain(at, 'speedscope-schema', 'error', 'a sample is not an array of frame numbers; skipped');
    this.#rows.unusableSample();
    return after;
  }

  weight(at: number): number {
    const after = this.#value(at);
    if (after < 0) return after;
    if (this.#number === undefined)
      this.#complain(at, 'speedscope-schema', 'error', 'a weight is not a number; skipped');
    this.#rows.weight(this.#number ?? Number.NaN);
    return after;
  }

  event(at: number): number {
    let type: string | undefined;
    let frame: number | undefined;
    let moment: number | undefined;
    const after = this.#object(at, (key) => {
      if (key === 'type') type = this.#text;
      else if (key === 'frame') frame = this.#number;
      else if (key === 'at') moment = this.#number;
    });
    if (after < 0) return after;
    if ((type !== 'O' && type !== 'C') || frame === undefined || !isFrame(frame) || moment === undefined)
      this.#complain(at, 'speedscope-schema', 'error', 'an event lacks its type (O or C), frame or time; skipped');
    else
      this.#rows.event(type === 'O', frame, moment, (code, severity, message) =>
        this.#complain(at, code, severity, message),
      );
    return after;
  }

  frame(at: number): number {
    const keys: FrameKeys = { name: undefined, file: undefined, line: undefined, col: undefined };
    const after = this.#object(at, (key) => {
      if (key === 'name' || key === 'file') keys[key] = this.#text;
      else if (key === 'line' || key === 'col') keys[key] = this.#number;
    });
    if (after < 0) return after;
    if (keys.name === undefined) this.#complain(at, 'speedscope-schema', 'error', 'a frame has no name');
    this.#frames.add(keys);
    return after;
  }

  /** A key of a profile with a value that is not an array. */
  profileKey(key: string, value: number): number {
    const after = this.#value(value);
    if (after < 0) return after;
    const keys: ProfileKeys = this.#rows.keys;
    if (key === 'type' || key === 'name' || key === 'unit') {
      keys[key] = this.#text;
      const known = key === 'unit' ? UNITS.has(this.#text ?? '') : key === 'name' || isType(this.#text);
      if (this.#text === undefined || !known)
        this.#complain(value, 'speedscope-schema', 'error', `invalid ${key} of a profile`);
    } else if (key === 'startValue' || key === 'endValue') keys[key] = this.#number;
    return after;
  }

  /** A value as text for people: a string without its quotes, anything else unchanged. */
  scalarText(from: number, to: number): string {
    const { window } = this.#scanner;
    const text = decodeUtf8(window, from, Math.min(to, from + 1000));
    if (window[from] !== QUOTE) return text;
    const value: unknown = to - from > 1000 ? text.slice(1) : JSON.parse(text);
    return typeof value === 'string' ? value : text;
  }

  /** An object of scalars; calls the visitor per key. Other values are skipped. */
  #object(at: number, visit: (key: string) => void): number {
    const scanner = this.#scanner;
    const { window } = scanner;
    if (window[at] !== OPEN_OBJECT) return passJson(scanner, at);
    let position = scanner.space(at + 1);
    if (window[position] === CLOSE_OBJECT) return position + 1;
    for (;;) {
      position = passKey(scanner, scanner.space(position));
      if (position < 0) return position;
      const key = this.#key();
      position = this.#value(scanner.space(position));
      if (position < 0) return position;
      visit(key);
      position = scanner.space(position);
      if (window[position] === CLOSE_OBJECT) return position + 1;
      if (window[position] !== COMMA) return scanner.fail(position, "',' or '}'");
      position++;
    }
  }

  #key(): string {
    for (const key of KEYS) if (!this.#scanner.stringSpecial && this.#scanner.stringIs(key)) return key;
    return this.#scanner.stringText() ?? '';
  }

  /** Any value; strings and numbers are kept. */
  #value(at: number): number {
    const scanner = this.#scanner;
    this.#text = undefined;
    this.#number = undefined;
    const first = scanner.window[at];
    if (first === QUOTE) {
      const after = passString(scanner, at);
      if (after >= 0) this.#text = scanner.stringText();
      return after;
    }
    const after = passJson(scanner, at);
    if (after >= 0 && (first === 0x2d || (first >= 0x30 && first <= 0x39))) {
      scanner.readNumber(at);
      this.#number = Number.isFinite(scanner.number) ? scanner.number : undefined;
    }
    return after;
  }
}

const KEYS = ['type', 'frame', 'at', 'name', 'file', 'line', 'col'] as const;

function isType(type: string | undefined): boolean {
  return type === 'sampled' || type === 'evented';
}

function isFrame(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= LARGEST_FRAME;
}
