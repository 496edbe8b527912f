/** Sizes by ranges: how many of them there are in each, and what they amount to. */

const KIB = 1024;
const MIB = KIB ** 2;
const GIB = KIB ** 3;

/** The largest size of each range, rising; the last range has no end. */
export const SIZE_LIMITS: readonly number[] = [
  ...[KIB, 8 * KIB, 32 * KIB, 128 * KIB, 256 * KIB, 512 * KIB],
  ...[MIB, 10 * MIB, 100 * MIB, GIB, 10 * GIB, 100 * GIB, KIB * GIB, 10 * KIB * GIB],
  Infinity,
];

/** The range of a size: an index into `SIZE_LIMITS`. */
export function sizeRange(bytes: number): number {
  return SIZE_LIMITS.findIndex((limit) => bytes <= limit);
}

export class SizeSums {
  count = 0;
  bytes = 0;
  /** Infinity if there are none. */
  smallest = Infinity;
  /** Of those above 0; Infinity if there are none. */
  smallestMoved = Infinity;
  largest = 0;
  /** By range. */
  readonly counts = new Float64Array(SIZE_LIMITS.length);
  readonly sums = new Float64Array(SIZE_LIMITS.length);

  add(bytes: number): void {
    const range = sizeRange(bytes);
    this.count++;
    this.bytes += bytes;
    this.smallest = Math.min(this.smallest, bytes);
    if (bytes > 0) this.smallestMoved = Math.min(this.smallestMoved, bytes);
    this.largest = Math.max(this.largest, bytes);
    this.counts[range]++;
    this.sums[range] += bytes;
  }
}
