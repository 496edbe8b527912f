/**
 * 95 % intervals of shares of independent samples, by Wilson's score (1927). What they assume, and where that fails, is in
 * docs/noise.md.
 */

/** Standard deviations of a normal distribution that hold 95 % of it. */
const DEVIATIONS_95 = 1.959963984540054;

/** What a metric was sampled with. */
export interface Sampling {
  /** How many samples there are. */
  readonly samples: number;
  /** All of the metric, in its unit. */
  readonly total: number;
}

/** The 95 % interval of a value, in its unit; undefined where the value is no part of the total (damaged files). */
export function intervalOf(
  value: number,
  { samples, total }: Sampling,
): { readonly low: number; readonly high: number } | undefined {
  const share = value / total;
  if (!(share >= 0 && share <= 1)) return undefined;
  const square = DEVIATIONS_95 ** 2 / samples;
  const centre = (share + square / 2) / (1 + square);
  const half = (DEVIATIONS_95 / (1 + square)) * Math.sqrt((share * (1 - share)) / samples + square / (4 * samples));
  // At the ends only rounding would keep the interval from them.
  const low = share === 0 ? 0 : Math.max(0, centre - half);
  const high = share === 1 ? 1 : Math.min(1, centre + half);
  return { low: low * total, high: high * total };
}
