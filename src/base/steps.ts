/** Rows in one call of a loop over many. */
export const STEP = 1 << 14;

/** Calls `part` for parts of a range: a loop over all of it would be compiled while it runs, which makes slower code. */
export function inSteps(from: number, to: number, part: (from: number, to: number) => void): void {
  for (let at = from; at < to; at += STEP) part(at, Math.min(to, at + STEP));
}
