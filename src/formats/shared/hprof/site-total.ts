/**
 * The live bytes of all sites, which texts do not have: each row's bytes and share (rounded to two decimal places)
 * bound them from both sides. The remainder after all rows was below the cutoff.
 */
import type { TextSection } from './sections.js';
import { type TableColumns, WHOLE } from './tables.js';

const HALF = 0.5;

/** The bounds of the total; `low > high` if no total fits all rows. */
export interface SiteTotal {
  readonly low: number;
  readonly high: number;
  /** Live bytes of the rows. */
  readonly sum: number;
}

/** Whether there is a total that fits all rows. */
export function isPossible({ low, high }: SiteTotal): boolean {
  return low <= high * (1 + 1e-9);
}

export function siteTotal(rows: TableColumns, section: TextSection): SiteTotal {
  let low = 0;
  let high = Infinity;
  let sum = 0;
  for (let row = section.from; row < section.to; row++) {
    const bytes = rows.count.values[row];
    const share = rows.share.values[row];
    sum += bytes;
    low = Math.max(low, (bytes * WHOLE) / (share + HALF));
    if (share > HALF) high = Math.min(high, (bytes * WHOLE) / (share - HALF));
  }
  return { low, high, sum };
}

/** Live bytes below the cutoff: 0 if there may be none, else the middle of the possible range. */
export function siteRemainder(rows: TableColumns, section: TextSection): number {
  const { low, high, sum } = siteTotal(rows, section);
  const accumulated = section.to > section.from ? rows.accumulated.values[section.to - 1] : 0;
  const least = Math.max(low, (sum * WHOLE) / (accumulated + HALF));
  const most = Math.min(high, accumulated > HALF ? (sum * WHOLE) / (accumulated - HALF) : Infinity);
  return accumulated >= WHOLE || least <= sum || least > most || !Number.isFinite(most)
    ? 0
    : Math.round((least + most) / 2 - sum);
}
