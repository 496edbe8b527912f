/** The rows of a type before a time. */
import { Int32Builder } from '../../../base/columns/columns.js';

/** Which rows of a type with nothing but a time stay: those before a limit. A page needs a few of millions. */
export class EarlyRows {
  /** In nanoseconds of the chunk; NaN if all stay. */
  limit = Number.NaN;
  /** Rows so far, whether they stayed or not. */
  seen = 0;
  /** By row that stayed: which of all it is. */
  readonly numbers = new Int32Builder();

  /** Whether the next row, of this time, stays. */
  keeps(time: number): boolean {
    const number = this.seen++;
    if (time >= this.limit) return false;
    this.numbers.push(number);
    return true;
  }

  /** Adds rows of the kernel, numbered from those so far on. */
  append(numbers: Int32Array, seen: number): void {
    for (const number of numbers) this.numbers.push(this.seen + number);
    this.seen += seen;
  }

  clear(): void {
    this.seen = 0;
    this.numbers.length = 0;
  }
}
