import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { ExactSums } from './exact-sums.js';

const weight = fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, 10n ** 12n));

function sumOf(terms: readonly (readonly [number, bigint])[], denominator: bigint): ExactSums {
  const sums = new ExactSums(denominator);
  sums.push();
  for (const [value, each] of terms) sums.add(0, value, Number(each), each);
  return sums;
}

test('whole sums are rounded once, half up, and to 0 only if they are 0', () => {
  const value = fc.oneof(fc.nat(20), fc.maxSafeNat());
  fc.assert(
    fc.property(fc.array(fc.tuple(value, weight), { maxLength: 5 }), weight, (terms, denominator) => {
      const sum = terms.reduce((all, [each, by]) => all + BigInt(each) * by, 0n);
      const rounded = (sum * 2n + denominator) / (denominator * 2n);
      const expected = sum > 0n && rounded === 0n ? 1n : rounded;
      const sums = sumOf(terms, denominator);
      const largest = BigInt(Number.MAX_SAFE_INTEGER);
      equal(BigInt(sums.whole(0)), expected < largest ? expected : largest);
      equal(sums.saturated, expected > largest ? 1 : 0);
    }),
    runs(2000),
  );
});

test('sums of fractions do not depend on the order; the sum of one value is that value', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e200, max: 1e200 });
  fc.assert(
    fc.property(fc.array(fc.tuple(value, weight), { minLength: 1, maxLength: 6 }), weight, (terms, denominator) => {
      const forth = sumOf(terms, denominator).nearest(0);
      equal(forth, sumOf([...terms].reverse(), denominator).nearest(0));
      const [[only, by] = [0, 1n]] = terms;
      equal(sumOf([[only, by]], by).nearest(0) + 0, only + 0);
    }),
    runs(1000),
  );
});

test('the nearest double of exact sums', () => {
  const cases: readonly [readonly number[], bigint, number][] = [
    [[0.1, 0.2], 1n, 0.1 + 0.2],
    [[0.1, 0.2, 0.3], 1n, 0.6],
    [[1e100, 1, -1e100], 1n, 1],
    [[1], 3n, 1 / 3],
    [[2 ** -1074], 1n, 2 ** -1074],
    [[2 ** 53, 1, 2 ** -60], 1n, 2 ** 53 + 2],
    [[2 ** 53, 1], 1n, 2 ** 53],
    [[-0.5, -0.25], 1n, -0.75],
    [[-5], 2n, -2.5],
  ];
  for (const [values, denominator, expected] of cases)
    equal(
      sumOf(
        values.map((value) => [value, 1n] as const),
        denominator,
      ).nearest(0),
      expected,
    );
});
