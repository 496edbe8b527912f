/**
 * Which differences are noise: the rule of `diff`, explained in docs/noise.md.
 *
 * A count of n independent events varies by the root of n (Poisson). In addition, a program does not do the same thing
 * equally often in each run; this varies by a part `level` of every number (coefficient of variation). Together this is
 * the variance of a negative binomial distribution:
 *
 *   floor variance of a value  = step · value + (level · value)²
 *   floor variance of a share  = p (1 − p) / n + 2 (level · p (1 − p))²
 *
 * A difference is noise up to `DEVIATIONS` of its standard deviations. With several runs, their variance is combined
 * with the floor, which counts as much as `PRIOR` further runs (the moderated variance of Smyth 2004), and the number
 * of deviations is that of Student's t at the same level.
 */

/** Standard deviations up to which a difference is noise: 1 in 370 differences of pure noise is larger. */
export const DEVIATIONS = 3;
/** Degrees of freedom that the floor counts as, beside a measured variance. */
const PRIOR = 4;
/** Fewest executions on each side for judging shares: with fewer, they cannot differ by `DEVIATIONS`. */
export const FEWEST_EXECUTIONS = 10;

/** A number that was measured once or several times. */
export interface Measured {
  readonly mean: number;
  /** Of the runs about their mean, with n - 1 degrees of freedom; 0 for one run. */
  readonly variance: number;
  readonly runs: number;
}

/** Of the values `from` up to, without, `to`. */
export function measure(values: ArrayLike<number>, from = 0, to: number = values.length): Measured {
  const runs = to - from;
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  const mean = sum / Math.max(runs, 1);
  let squares = 0;
  for (let i = from; i < to; i++) squares += (values[i] - mean) ** 2;
  return { mean, variance: runs > 1 ? squares / (runs - 1) : 0, runs };
}

/**
 * The limit up to which a difference of two numbers is noise. `floors`: their floor variances; undefined for exact
 * numbers, so that only the variance of several runs counts. Symmetric in its sides.
 */
export function noiseOf(one: Measured, other: Measured, floors: readonly [number, number] | undefined): number {
  const freedom = one.runs + other.runs - 2;
  if (freedom <= 0) return floors === undefined ? 0 : DEVIATIONS * Math.sqrt(floors[0] + floors[1]);
  if (floors === undefined) {
    const pooled = ((one.runs - 1) * one.variance + (other.runs - 1) * other.variance) / freedom;
    return deviations(freedom) * Math.sqrt(pooled / one.runs + pooled / other.runs);
  }
  const moderated = ({ runs, variance }: Measured, floor: number): number =>
    (PRIOR * floor + (runs - 1) * variance) / (PRIOR + runs - 1) / runs;
  return deviations(PRIOR + freedom) * Math.sqrt(moderated(one, floors[0]) + moderated(other, floors[1]));
}

/** The smallest variance of a value in one run. `step`: the weight of one event, 0 if unknown. */
export function valueFloor(value: number, step: number, level: number): number {
  return step * Math.abs(value) + (level * value) ** 2;
}

/**
 * The smallest variance of the share `part` of `whole`, whether the true share is this one or `pooled`, that of both
 * sides together. Otherwise a side without any event of a kind would count as certain.
 */
export function shareFloor(part: number, whole: number, pooled: number, level: number): number {
  const of = (share: number): number => {
    const spread = share * (1 - share);
    return spread / whole + 2 * (level * spread) ** 2;
  };
  return Math.max(of(part / whole), of(pooled));
}

/** Student's t for the two-sided level of `DEVIATIONS` (0.27 %), by degrees of freedom from 1 on. */
const STUDENT = [235.8, 19.206, 9.219, 6.62, 5.507, 4.904, 4.53, 4.277, 4.094, 3.957];

/** Beyond the table: the first terms of the expansion about the normal distribution, exact to 0.5 %. */
function deviations(freedom: number): number {
  const z = DEVIATIONS;
  return (
    STUDENT[freedom - 1] ??
    z +
      (z ** 3 + z) / (4 * freedom) +
      (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
      (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}
