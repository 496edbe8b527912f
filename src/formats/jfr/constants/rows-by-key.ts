/** Rows of constants by their keys, where these are small numbers. */
import { NONE } from '../../../base/flavor.js';

/** The largest of the keys below `limit`; 0 if there is none. */
export function largestKey(parts: readonly Int32Array[], limit: number): number {
  let largest = 0;
  for (const keys of parts)
    for (let row = 0; row < keys.length; row++) if (keys[row] > largest && keys[row] < limit) largest = keys[row];
  return largest;
}

/** Whether some keys are codes of others, which are negative. */
export function haveCodes(parts: readonly Int32Array[]): boolean {
  for (const keys of parts) for (let row = 0; row < keys.length; row++) if (keys[row] < 0) return true;
  return false;
}

/** By key up to `largest` the first row that has it, of parts one after the other; -1 for none. Other keys are left out. */
export function rowsByKey(parts: readonly Int32Array[], largest: number): Int32Array {
  const rows = new Int32Array(largest + 1).fill(NONE);
  let before = 0;
  for (const keys of parts) {
    for (let row = 0; row < keys.length; row++) {
      const key = keys[row];
      if (key >= 0 && key <= largest && rows[key] < 0) rows[key] = before + row;
    }
    before += keys.length;
  }
  return rows;
}
