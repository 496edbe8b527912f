/** Numbers of events as the units of the house: times in nanoseconds, sizes in bytes, unsigned integers without a sign. */
import { dictionary } from '../../../base/dictionary.js';
import { doubleAndRest, type ExactNumber } from '../../../base/exact-integers.js';
import type { ChunkHeader } from './header.js';
import type { MetaField } from './metadata.js';
import { BYTE, INT, SHORT } from './plan.js';

/** The numbers of a column. */
export interface Numbers {
  readonly values: Int32Array | Float64Array;
  /** Of integers with more digits than a double: what is added to `values`. */
  readonly rests?: Int32Array | Float64Array;
  /** Some values are NaN: unknown spans and times. */
  readonly hasUnknown?: boolean;
}

/** Integers of up to 32 bits as their field means them: those without a sign were read with one. */
export function integers(values: Int32Array, operation: number, { content }: MetaField): Numbers {
  if (!content.unsigned) return { values };
  if (operation === INT) return { values: Float64Array.from(values, (value) => value >>> 0) };
  const mask = operation === BYTE ? 0xff : operation === SHORT ? 0xffff : -1;
  for (let i = 0; i < values.length; i++) values[i] &= mask;
  return { values };
}

/** The least and the greatest number of 64 bits stand for an unknown span, and one for ever. */
const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

const NANOS = dictionary<number>({
  SECONDS: 1e9,
  MILLISECONDS: 1e6,
  MICROSECONDS: 1e3,
  NANOSECONDS: 1,
});

/** Bits of a byte. */
const BITS = 8;

/** Converts the numbers of a field; doubles in place. */
export function converted(numbers: Numbers, field: MetaField, header: ChunkHeader): Numbers {
  const { type, unit } = field.content;
  if (type === 'Timestamp') return unit === 'TICKS' ? numbers : eachConverted(numbers, MILLIS[unit] ?? MILLIS_ALONE);
  if (type === 'Timespan') {
    const factor = unit === 'TICKS' ? 1e9 / header.ticksPerSecond : (NANOS[unit] ?? 1);
    const isWhole = Number.isInteger(factor);
    const scale = isWhole ? (value: bigint) => value * BigInt(factor) : undefined;
    return eachConverted(numbers, {
      rounded: unit === 'TICKS' && factor !== 1 ? toTicks(header) : (value) => value * factor,
      exact: (value) => (value <= LEAST ? Number.NaN : value >= GREATEST ? Infinity : scale?.(value)),
    });
  }
  if (type === 'DataAmount' && unit === 'BITS')
    return eachConverted(numbers, { rounded: (value) => value / BITS, exact: bytesOf });
  return numbers;
}

function doublesOf({ values }: Numbers): Float64Array {
  return values instanceof Float64Array ? values : Float64Array.from(values);
}

/** Whole bytes, unless a double has the part of one. */
function bytesOf(bits: bigint): ExactNumber {
  const bytes = bits / BigInt(BITS);
  return Number.isSafeInteger(Number(bytes)) ? Number(bits) / BITS : bytes;
}

/** As the JDK converts ticks. */
function toTicks({ ticksPerSecond }: ChunkHeader): (value: number) => number {
  const perNano = ticksPerSecond / 1e9;
  return (value) => Math.trunc(value / perNano);
}

interface Conversion {
  readonly rounded: (value: number) => number;
  /** Of an integer that, or whose result, has more digits than a double; undefined if the rounded one is as good. */
  readonly exact: (value: bigint) => ExactNumber | undefined;
}

/** The hot loop has doubles only: integers with more digits are rare. */
function eachConverted(numbers: Numbers, { rounded, exact }: Conversion): Numbers {
  const values = doublesOf(numbers);
  let rests: Float64Array | undefined;
  let hasUnknown = false;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    values[i] = rounded(value);
    const largest = Math.max(Math.abs(value), Math.abs(values[i]));
    if (largest <= Number.MAX_SAFE_INTEGER || !Number.isInteger(value)) continue;
    const result = exact(BigInt(value) + BigInt(numbers.rests?.[i] ?? 0));
    if (typeof result === 'number') {
      values[i] = result;
      hasUnknown ||= Number.isNaN(result);
    } else {
      rests ??= new Float64Array(values.length);
      if (result !== undefined) [values[i], rests[i]] = doubleAndRest(result);
    }
  }
  return { values, ...(rests && { rests }), ...(hasUnknown && { hasUnknown }) };
}

/** Milliseconds since 1970: such times are of the world around the recording, such as the end of a certificate. */
const MILLIS_ALONE: Conversion = {
  rounded: (value) => value,
  exact: (value) => (value <= LEAST ? Number.NaN : value),
};
const MILLIS = dictionary<Conversion>({
  NANOSECONDS_SINCE_EPOCH: {
    rounded: (value) => value * 1e-6,
    exact: (value) => (value <= LEAST ? Number.NaN : undefined),
  },
});
