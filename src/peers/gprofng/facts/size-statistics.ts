/** Statistics of sizes: how many fall into each range, the smallest, the largest and the sum. */

const KIB = 1024;
const MIB = KIB ** 2;
const GIB = KIB ** 3;
/** The largest size of each range, as gprofng names them: the one up to 1 MiB is called 1000KB. */
const RANGES: readonly (readonly [upTo: number, name: string])[] = [
  [KIB, '1KB'],
  [8 * KIB, '8KB'],
  [32 * KIB, '32KB'],
  [128 * KIB, '128KB'],
  [256 * KIB, '256KB'],
  [512 * KIB, '512KB'],
  [MIB, '1000KB'],
  [10 * MIB, '10MB'],
  [100 * MIB, '100MB'],
  [GIB, '1GB'],
  [10 * GIB, '10GB'],
  [100 * GIB, '100GB'],
  [KIB * GIB, '1TB'],
  [10 * KIB * GIB, '10TB'],
];
const LABEL = 34;

export class SizeStatistics {
  count = 0;
  bytes = 0;
  smallest = Infinity;
  /** Of those above 0; what gprofng begins with if there are none. */
  smallestMoved = 10 * KIB * GIB;
  largest = 0;
  readonly #counts = RANGES.map(() => 0);

  add(bytes: number): void {
    this.count++;
    this.bytes += bytes;
    this.smallest = Math.min(this.smallest, bytes);
    if (bytes > 0) this.smallestMoved = Math.min(this.smallestMoved, bytes);
    this.largest = Math.max(this.largest, bytes);
    const range = RANGES.findIndex(([upTo]) => bytes <= upTo);
    if (range >= 0) this.#counts[range]++;
  }

  /** A line for each range with sizes. */
  ranges(): string {
    const names = ['0KB', ...RANGES.map(([, name]) => name)];
    return this.#counts
      .map((count, i) => (count === 0 ? '' : labelled(`  ${names[i]} - ${names[i + 1]}`, count)))
      .join('');
  }
}

/** `Total bytes                       1574440`. */
export function labelled(label: string, value: number | string): string {
  return `${label.padEnd(LABEL)}${value}\n`;
}
