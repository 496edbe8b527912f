/** Round numbers of axes. Pure. */

/** 1, 2 or 5 times a power of ten, at least as large. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}
