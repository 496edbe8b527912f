/**
 * Integers with more digits than a double holds for certain, beyond ±(2^53 − 1). A column of doubles may have a second column of their
 * rests: an integer is the sum of both. A single one is a `bigint`; smaller ones stay numbers.
 */

/** An integer that no double need hold is a bigint; all other numbers are numbers. */
export type ExactNumber = number | bigint;

/** The number of a double and its rest. */
export function exactNumber(value: number, rest: number): ExactNumber {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) + BigInt(rest) : value;
}

/** An integer as a number, if it is small enough. */
export function narrowed(value: bigint): ExactNumber {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The double next to an integer, and the rest. */
export function doubleAndRest(value: bigint): readonly [value: number, rest: number] {
  const double = Number(value);
  return [double, Number(value - BigInt(double))];
}

/** The sum of two numbers: without loss if both are integers. */
export function exactSum(a: ExactNumber, b: ExactNumber): ExactNumber {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum) || !Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return sum;
  }
  if (!isWhole(a) || !isWhole(b)) return Number(a) + Number(b);
  return narrowed(BigInt(a) + BigInt(b));
}

/** The second number less the first, as `exactSum` adds. */
export function exactDifference(a: ExactNumber, b: ExactNumber): ExactNumber {
  return exactSum(b, -a);
}

function isWhole(value: ExactNumber): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Powers of ten that divide without loss. */
const TENS = Array.from({ length: 23 }, (_, power) => 10 ** power);
/** Digits that tell all floats of 32 bits apart, and the fewest that are tried: of one digit there may be several. */
const [MOST_DIGITS, FEWEST_DIGITS] = [9, 2];
/** Floats up to here are integers, or have few decimals. */
const SMALL = 2 ** 24;
/** Greater steps between decimal numbers have no float in their middle. */
const LARGEST_HALVED = 10;

/**
 * The double of the shortest decimal number that is this float of 32 bits, as Java writes it: 0.1, where the float itself is
 * 0.10000000149011612.
 */
export function decimalOfFloat(float: number): number {
  const size = Math.abs(float);
  if ((Number.isInteger(float) && size < SMALL) || !Number.isFinite(float)) return float;
  if (size >= 1e-3 && size < SMALL)
    for (let places = 1; places <= MOST_DIGITS + 3; places++) {
      // Both are integers that doubles hold, so the quotient is the double next to the decimal number.
      const decimal = toEven(float * TENS[places]) / TENS[places];
      if (Math.fround(decimal) === float) return decimal;
    }
  for (let digits = FEWEST_DIGITS; digits < MOST_DIGITS; digits++) {
    const decimal = ofDigits(float, digits);
    if (Math.fround(decimal) === float) return decimal;
  }
  return Number(float.toPrecision(MOST_DIGITS));
}

/** The decimal number of so many digits next to a float. */
function ofDigits(float: number, digits: number): number {
  const step = Math.floor(Math.log10(Math.abs(float))) + 1 - digits;
  const isHalved = step > 0 && step <= LARGEST_HALVED;
  return isHalved ? toEven(float / TENS[step]) * TENS[step] : Number(float.toPrecision(digits));
}

/** The next integer; of two the even one. */
function toEven(value: number): number {
  const lower = Math.floor(value);
  if (value - lower !== 0.5) return Math.round(value);
  return lower % 2 === 0 ? lower : lower + 1;
}
