/** The rows of a type before a time. */
import { Int32Builder } from '../../../base/columns/columns.js';
import { FirstOf } from '../../../base/columns/first-of.js';

/** Which rows of a type with nothing but a time stay: those that may be among the first ones. A page needs a few of millions. */
export class EarlyRows {
  /** Rows so far, whether they stayed or not. */
  seen = 0;
  /** By row that stayed: which of all it is. */
  readonly numbers = new Int32Builder();
  readonly #times: FirstOf<number>;
  #limit = Number.NaN;

  /** `most`: how many are wanted; of equal times the first ones. */
  constructor(most: number) {
    this.#times = new FirstOf(most, (a, b) => a - b);
  }

  /** From when rows go, in nanoseconds of the chunk; NaN if all stay. */
  get limit(): number {
    return this.#limit;
  }

  /** Rows from this time on go, too; NaN is no time. */
  limitTo(time: number): void {
    if (time < this.#limit || Number.isNaN(this.#limit)) this.#limit = time;
  }

  /** Whether the next row, of this time, stays. */
  keeps(time: number): boolean {
    const number = this.seen++;
    if (time >= this.#limit) return false;
    this.numbers.push(number);
    this.#note(time);
    return true;
  }

  /** Adds rows of the kernel, numbered from those so far on, and their times. `seen`: how many it has met. */
  append(numbers: Int32Array, times: Float64Array, seen: number): void {
    for (let row = 0; row < numbers.length; row++) {
      this.numbers.push(this.seen + numbers[row]);
      this.#note(times[row]);
    }
    this.seen += seen;
  }

  /** Forgets the rows, not the limit. */
  clear(): void {
    this.seen = 0;
    this.numbers.length = 0;
  }

  #note(time: number): void {
    this.#times.add(time);
    const { last } = this.#times;
    if (last !== undefined) this.limitTo(last);
  }
}
