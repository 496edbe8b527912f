/**
 * The samples of a pprof profile as rows: a stack of location numbers, values, labels. A stack begins where the last one had the same frames from
 * its root on, which most have in common. Memory: 12 bytes a distinct frame of a stack, 8 bytes a value, 32 bytes a label.
 */
import { doubled, Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import type { ProblemLog } from '../../base/problems.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { eachVarint, LENGTH, VARINT, WireReader } from '../shared/protobuf/wire.js';
import { LabelList } from '../shared/sampled-values/labels.js';

/** A row without frames. */
export const NO_FRAMES = -1;
const TWO_53 = 2 ** 53;

export class SampleRows {
  /** Of numbers of locations in the file: their lower and upper halves. */
  readonly stacks = new StackBuilder();
  readonly stack = new Int32Builder();
  /** Values of row `row` are `values[valueStart[row] .. valueStart[row + 1])`. */
  readonly values = new Float64Builder();
  readonly valueStart = new Int32Builder();
  readonly labels = new LabelList();
  /** Offsets of rows in the file, for messages. */
  readonly offset = new Float64Builder();
  unknownFields = 0;
  negative = 0;
  /** Values that no double has. */
  rounded = 0;

  readonly #problems: ProblemLog;
  readonly #reader = new WireReader();
  readonly #inner = new WireReader();
  /** Numbers of the locations of the sample, leaf first, and those of the one before, root first, with its stacks. */
  #low = new Int32Array(64);
  #high = new Int32Array(64);
  #count = 0;
  readonly #lastLow = new Int32Builder();
  readonly #lastHigh = new Int32Builder();
  readonly #lastStack = new Int32Builder();

  constructor(problems: ProblemLog) {
    this.#problems = problems;
    this.valueStart.push(0);
  }

  get length(): number {
    return this.stack.length;
  }

  /** A `Sample` message. A damaged one is left out. */
  add(bytes: Uint8Array, start: number, end: number, offset: number): void {
    const reader = this.#reader.set(bytes, start, end);
    const [values, labels] = [this.values.length, this.labels.length];
    this.#count = 0;
    let isSound = true;
    while (isSound && reader.next()) {
      if (reader.field === 1) isSound = this.#locations(reader);
      else if (reader.field === 2) isSound = eachVarint(reader, this.#inner, this.#value);
      else if (reader.field === 3) isSound = reader.wire === LENGTH && this.#label(reader);
      else this.unknownFields++;
    }
    if (isSound && reader.fault === 'none') {
      this.stack.push(this.#stackOf());
      this.offset.push(offset);
      this.valueStart.push(this.values.length);
      return;
    }
    this.values.length = values;
    this.labels.truncate(labels);
    const message = 'a sample is damaged; left out';
    this.#problems.add({ code: 'pprof-schema', severity: 'error', offset, message });
  }

  readonly #value = (numbers: WireReader): void => {
    const value = numbers.signed;
    if (value < 0) this.negative++;
    if (value > TWO_53 || value < -TWO_53) this.rounded++;
    this.values.push(value);
  };

  /** Mostly packed numbers of one to three bytes. */
  #locations(reader: WireReader): boolean {
    if (reader.wire === VARINT) {
      this.#push(reader.low, reader.high);
      return true;
    }
    if (reader.wire !== LENGTH) return false;
    const { bytes, start, stop } = reader;
    const inner = this.#inner;
    for (let at = start; at < stop; ) {
      const byte = bytes[at];
      if (byte < 0x80) {
        this.#push(byte, 0);
        at++;
        continue;
      }
      const next = at + 1 < stop ? bytes[at + 1] : 0x80;
      if (next < 0x80) {
        this.#push((byte & 0x7f) | (next << 7), 0);
        at += 2;
        continue;
      }
      inner.set(bytes, at, stop);
      if (!inner.varint()) return false;
      this.#push(inner.low, inner.high);
      at = inner.at;
    }
    return true;
  }

  #push(low: number, high: number): void {
    if (this.#count === this.#low.length) {
      this.#low = doubled(this.#low);
      this.#high = doubled(this.#high);
    }
    this.#low[this.#count] = low;
    this.#high[this.#count++] = high;
  }

  #label({ bytes, start, stop }: WireReader): boolean {
    const inner = this.#inner.set(bytes, start, stop);
    let [key, text, value, unit] = [0, 0, 0, 0];
    while (inner.next()) {
      if (inner.field > 4) this.unknownFields++;
      else if (inner.wire !== VARINT) return false;
      else if (inner.field === 1) key = inner.index;
      else if (inner.field === 2) text = inner.index;
      else if (inner.field === 3) value = inner.signed;
      else unit = inner.index;
    }
    // String 0 is empty: a label with it has a number.
    this.labels.add(this.length, key, text === 0 ? -1 : text, value, unit === 0 ? -1 : unit);
    return inner.fault === 'none';
  }

  #stackOf(): number {
    const [low, high, count] = [this.#low, this.#high, this.#count];
    const lastLow = this.#lastLow;
    const lastHigh = this.#lastHigh;
    const lastStack = this.#lastStack;
    let depth = 0;
    const common = Math.min(count, lastLow.length);
    while (
      depth < common &&
      lastLow.values[depth] === low[count - 1 - depth] &&
      lastHigh.values[depth] === high[count - 1 - depth]
    )
      depth++;
    lastLow.length = depth;
    lastHigh.length = depth;
    lastStack.length = depth;
    let stack = depth === 0 ? rootOf('whole') : lastStack.values[depth - 1];
    for (; depth < count; depth++) {
      const at = count - 1 - depth;
      stack = this.stacks.add(stack, low[at], high[at]);
      lastLow.push(low[at]);
      lastHigh.push(high[at]);
      lastStack.push(stack);
    }
    return count === 0 ? NO_FRAMES : stack;
  }
}
