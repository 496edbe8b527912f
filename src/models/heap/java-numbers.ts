/** Numbers as `Float.toString` and `Double.toString` write them. */

/** From so many digits before the point on, and from so many zeros behind it, Java writes an exponent. */
const MOST_DIGITS = 7;
const MOST_ZEROS = 2;

interface Decimal {
  readonly sign: string;
  /** Without zeros at their ends. */
  readonly digits: string;
  /** The number is 0.digits * 10^point. */
  readonly point: number;
}

/** `1.0` of 1, `1.0E10` of 10000000000. `shortest`: its shortest decimal, as JavaScript writes it. */
export function javaNumber(value: number, shortest: string): string {
  const short = decimalOf(shortest);
  // NaN and Infinity are the same words.
  if (short === undefined) return shortest;
  // Of numbers with one digit Java writes the nearest one of two: 4.9E-324.
  const { sign, digits, point } = short.digits.length === 1 ? (decimalOf(value.toPrecision(2)) ?? short) : short;
  if (digits === '') return `${sign}0.0`;
  if (point > MOST_DIGITS || point < -MOST_ZEROS)
    return `${sign}${digits.slice(0, 1)}.${digits.slice(1) || '0'}E${point - 1}`;
  const padded = point > 0 ? digits.padEnd(point, '0') : digits.padStart(digits.length - point, '0');
  const split = Math.max(0, point);
  return `${sign}${padded.slice(0, split) || '0'}.${padded.slice(split) || '0'}`;
}

function decimalOf(text: string): Decimal | undefined {
  const [, sign = '', whole, fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  const zeros = whole.length + fraction.length - digits.length;
  return { sign, digits: digits.replace(/0+$/, ''), point: whole.length - zeros + Number(power) };
}
