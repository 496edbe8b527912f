/**
 * Weighted sums of doubles without intermediate rounding, so they do not depend on the order of the values. Sums that
 * stay whole numbers up to 2^53 are doubles: 8 bytes a sum. The others are big integers in units of 2^-1074,
 * since every double is a multiple of that: about 200 bytes a sum.
 */
import { Float64Builder } from '../../base/columns/columns.js';

const UNIT_BITS = 1074n;

export class ExactSums {
  readonly #near = new Float64Builder();
  readonly #far = new Map<number, bigint>();
  readonly #denominator: bigint;
  /** Results that were too large for a double to hold exactly. */
  saturated = 0;

  /** `denominator`: the divisor of all results. */
  constructor(denominator: bigint) {
    this.#denominator = denominator;
  }

  get length(): number {
    return this.#near.length;
  }

  /** Adds a new sum with the value 0. */
  push(): number {
    return this.#near.push(0);
  }

  /** Adds `weight` times `value` to sum `at`; `exactWeight` is the same number. Infinite values count as the largest. */
  add(at: number, value: number, weight: number, exactWeight: bigint): void {
    const sum = this.#near.values[at] + value * weight;
    const near = Number.isSafeInteger(weight) && Number.isSafeInteger(value) && Number.isSafeInteger(value * weight);
    if (near && Number.isSafeInteger(sum) && !this.#far.has(at)) this.#near.values[at] = sum;
    else this.#far.set(at, this.exact(at) + unitsOf(value) * exactWeight);
  }

  /** The sum in units of 2^-1074, not divided. */
  exact(at: number): bigint {
    return this.#far.get(at) ?? unitsOf(this.#near.values[at]);
  }

  /**
   * Compares two sums of sums: negative, 0 or positive for `<`, `=` or `>`. Each consists of `length` sums from `from`
   * on.
   */
  compareRuns(from: number, length: number, otherFrom: number, otherLength: number): number {
    const difference = this.#runTotal(from, length) - this.#runTotal(otherFrom, otherLength);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  #runTotal(from: number, length: number): bigint {
    let total = 0n;
    for (let i = from; i < from + length; i++) total += this.exact(i);
    return total;
  }

  /** The result as a whole number: rounded half up, 0 only if the sum is 0, at most 2^53 - 1. */
  whole(at: number): number {
    const near = this.#near.values[at];
    if (!this.#far.has(at)) {
      const denominator = Number(this.#denominator);
      if (denominator === 1) return near;
      if (Number.isSafeInteger(denominator)) return roundedQuotient(near, denominator);
    }
    const divisor = this.#denominator << UNIT_BITS;
    const sum = this.exact(at);
    if (sum < 0n) return -this.#clamped((-sum * 2n + divisor) / (divisor * 2n), true);
    return this.#clamped((sum * 2n + divisor) / (divisor * 2n), sum > 0n);
  }

  #clamped(value: bigint, some: boolean): number {
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
      this.saturated++;
      return Number.MAX_SAFE_INTEGER;
    }
    return value === 0n && some ? 1 : Number(value);
  }

  /** The result as the nearest double (of two, the even one), for values that are not counts. */
  nearest(at: number): number {
    if (!this.#far.has(at) && this.#denominator === 1n) return this.#near.values[at];
    const sum = this.exact(at);
    const size = sum < 0n ? -sum : sum;
    if (size === 0n) return 0;
    // 66 bits more than the divisor: `Number` rounds the quotient once, and a last 1 bit stands for the remainder.
    const divisor = this.#denominator << UNIT_BITS;
    const up = BigInt(Math.max(0, bitLength(divisor) + 66 - bitLength(size)));
    const quotient = (size << up) / divisor;
    const sticky = (size << up) % divisor === 0n ? 0n : 1n;
    // In two steps, since 2^-1074 is the smallest power of two that a double can hold.
    const half = Math.floor((Number(up) + 1) / 2);
    const value = (Number((quotient << 1n) | sticky) / 2 ** half) * 2 ** (half - Number(up) - 1);
    return sum < 0n ? -value : value;
  }
}

function roundedQuotient(value: number, divisor: number): number {
  const size = Math.abs(value);
  const rest = size % divisor;
  const quotient = (size - rest) / divisor;
  const rounded = rest >= divisor - rest ? quotient + 1 : quotient;
  return (rounded === 0 && size > 0 ? 1 : rounded) * (value < 0 ? -1 : 1);
}

function bitLength(value: bigint): number {
  return value.toString(16).length * 4;
}

const view = new DataView(new ArrayBuffer(8));

/** A double in units of 2^-1074, from its IEEE 754 bits. */
function unitsOf(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  view.setFloat64(0, Number.isFinite(value) ? value : Math.sign(value) * Number.MAX_VALUE);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const mantissa = (bits & 0xfffffffffffffn) | (exponent === 0n ? 0n : 1n << 52n);
  const size = mantissa << (exponent === 0n ? 0n : exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}
