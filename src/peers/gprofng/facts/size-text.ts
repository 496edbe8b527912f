/** Statistics of sizes as gprofng prints them. */
import { SIZE_LIMITS, type SizeSums } from '../../../analysis/size-sums.js';

/** Names of the limits; the one of 1 MiB is called 1000KB, and no range is above the last one. */
const NAMES = [
  ...['1KB', '8KB', '32KB', '128KB', '256KB', '512KB', '1000KB'],
  ...['10MB', '100MB', '1GB', '10GB', '100GB', '1TB', '10TB'],
];
/** The largest size with a range. */
export const LARGEST_SIZE = SIZE_LIMITS[NAMES.length - 1] ?? 0;
const LABEL = 34;

/** A line for each range with sizes. */
export function rangeLines({ counts }: SizeSums): string {
  const names = ['0KB', ...NAMES];
  return NAMES.map((name, i) => (counts[i] === 0 ? '' : labelled(`  ${names[i]} - ${name}`, counts[i]))).join('');
}

/** `Total bytes                       1574440`. */
export function labelled(label: string, value: number | string): string {
  return `${label.padEnd(LABEL)}${value}\n`;
}
