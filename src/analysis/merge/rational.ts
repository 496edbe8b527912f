/** Weights as exact fractions: `0.1` is a tenth and `1/3` a third, not the nearest doubles. */
import { UsageError } from '../../base/errors.js';

export interface Rational {
  readonly numerator: bigint;
  /** Greater than 0; numerator and denominator have no common divisor. */
  readonly denominator: bigint;
}

export const ONE: Rational = { numerator: 1n, denominator: 1n };

/** The most digits of a weight: more would make every sum slow without any use. */
const LONGEST = 40;

/** Parses a weight: `2`, `0.25`, `1e-3` or `1/3`. Throws `UsageError` for anything else, and for 0. */
export function parseWeight(text: string): Rational {
  const match = /^\s*(\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?(?:\/(\d+))?\s*$/.exec(text);
  const [, whole = '', fraction = '', exponent = '0', divisor = '1'] = match ?? [];
  const digits = whole + fraction;
  if (match === null || digits === '' || text.length > LONGEST)
    throw new UsageError(`${text} is not a weight`, {
      code: 'not-a-weight',
      advice: 'Weights are numbers such as 2, 0.25 or 1/3, separated by commas.',
    });
  if (/^0+$/.test(divisor))
    throw new UsageError(`${text} is not a weight`, { code: 'not-a-weight', advice: 'The divisor must not be 0.' });
  const shift = Number(exponent) - fraction.length;
  const scale = 10n ** BigInt(Math.abs(shift));
  const numerator = BigInt(digits) * (shift > 0 ? scale : 1n);
  const denominator = BigInt(divisor) * (shift < 0 ? scale : 1n);
  if (numerator === 0n)
    throw new UsageError(`${text} is not a weight`, {
      code: 'not-a-weight',
      advice: 'Weights must be greater than 0; omit the file instead.',
    });
  const common = commonDivisor(numerator, denominator);
  return { numerator: numerator / common, denominator: denominator / common };
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [large, small] = [a, b];
  while (small > 0n) [large, small] = [small, large % small];
  return large;
}

/** Whole numbers in the proportions of the weights, and the common denominator: `weights[i] = whole[i] / denominator`. */
export function commonWeights(weights: readonly Rational[]): { whole: readonly bigint[]; denominator: bigint } {
  let denominator = 1n;
  for (const weight of weights) denominator *= weight.denominator / commonDivisor(denominator, weight.denominator);
  return { whole: weights.map((weight) => weight.numerator * (denominator / weight.denominator)), denominator };
}
