/**
 * The texts of an object tree. Nearly all objects have a text of their own, so these are kept one behind the other and not looked up: the
 * text of an object has its row. Values are mostly strings that repeat, and each is kept once.
 * Memory: the bytes of the texts, 4 bytes an object, 16 to 24 bytes a different value.
 */
import { ByteRuns } from '../../base/columns/columns.js';
import { ByteInterner } from '../../base/columns/hash.js';
import { TooLargeError } from '../../base/errors.js';
import type { StringTable } from '../../base/text.js';
import { formatBytes } from '../../base/units.js';
import { more } from './tree-references.js';

const OPEN_BRACE = 123;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
/** Bytes of the name of a class, at most, and what precedes the length of an array. */
const LONGEST_HEAD = 1 << 16;
const LARGEST = 0x7fff_ffff;
/** Bytes of all texts: offsets in their table have 31 bits. */
const MOST_BYTES = 0x7fff_ffff;

export class TreeTexts {
  readonly #objects = new ByteRuns();
  readonly #values = new ByteInterner();
  readonly #most: number;

  /** `most`: bytes of all texts; more throw `TooLargeError`. */
  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  /** Adds the text of the next object. */
  addObject(bytes: Uint8Array, from: number, to: number): void {
    this.#require(to - from);
    this.#objects.push(bytes, from, to);
  }

  #require(more: number): void {
    if (this.#objects.bytes.length + this.#values.bytes.length + more > this.#most)
      throw new TooLargeError(`the texts of this object tree take more than ${formatBytes(this.#most)}`, {
        code: 'texts-too-large',
        advice: 'Suppress types or roots with long texts when the report is made: -H:ImageObjectTreeSuppressTypes.',
      });
  }

  /** As `TreeReferences.expect`. */
  expect(times: number): void {
    for (const column of [this.#objects.bytes, this.#objects.offsets]) column.reserve(more(column.length, times));
  }

  isOfObject(object: number, bytes: Uint8Array, from: number, to: number): boolean {
    return this.#objects.equals(object, bytes, from, to);
  }

  /** The number of a value's text; in the table it is that much behind the texts of objects. */
  addValue(bytes: Uint8Array, from: number, to: number): number {
    this.#require(to - from);
    return this.#values.add(bytes, from, to);
  }

  /** The length of an array from its text, as `null:int[3]{1, 2, 3}`; -1 if it shows none. */
  lengthOf(object: number): number {
    const { bytes } = this.#objects.bytes;
    const { values } = this.#objects.offsets;
    const from = values[object];
    const most = Math.min(values[object + 1], from + LONGEST_HEAD);
    let at = from;
    while (at < most && bytes[at] !== OPEN_BRACE) at++;
    if (at === most || at === from || bytes[--at] !== CLOSE_BRACKET) return -1;
    let length = 0;
    for (let unit = 1; at > from && isDigit(bytes[at - 1]) && unit <= LARGEST; unit *= 10)
      length += (bytes[--at] - DIGIT_0) * unit;
    const isNumber = bytes[at] !== CLOSE_BRACKET && at > from && bytes[at - 1] === OPEN_BRACKET;
    return isNumber && length <= LARGEST ? length : -1;
  }

  /** All texts: those of the objects in their order, then those of values. Nothing can be added afterwards. */
  finish(): StringTable {
    const { bytes, offsets } = this.#objects;
    const from = bytes.length;
    const values = this.#values;
    bytes.append(values.bytes.bytes, 0, values.bytes.length);
    offsets.reserve(values.length);
    for (let id = 1; id <= values.length; id++) offsets.push(from + values.offsets.values[id]);
    return { bytes: bytes.bytes.subarray(0, bytes.length), offsets: offsets.finish() };
  }
}

function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}
