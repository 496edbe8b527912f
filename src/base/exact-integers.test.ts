import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decimalOfFloat, doubleAndRest, exactDifference, exactNumber, exactSum, narrowed } from './exact-integers.js';

const FIRST = 9_007_199_254_740_992n;

describe('integers with more digits than a double', () => {
  test('are a double and its rest', () => {
    for (const value of [FIRST, FIRST + 1n, -FIRST - 1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n - 2n]) {
      const [double, rest] = doubleAndRest(value);
      equal(exactNumber(double, rest), value);
    }
    deepEqual([exactNumber(7, 0), exactNumber(0.5, 0), exactNumber(Infinity, 0)], [7, 0.5, Infinity]);
    deepEqual([narrowed(FIRST - 1n), narrowed(FIRST)], [Number(FIRST) - 1, FIRST]);
  });

  test('are added without loss', () => {
    equal(exactSum(Number(FIRST) - 1, 2), FIRST + 1n);
    equal(exactSum(FIRST + 1n, -2), Number(FIRST) - 1);
    equal(exactDifference(1, FIRST + 1n), FIRST);
    equal(exactSum(1e300, 1), 1e300);
    equal(exactSum(FIRST + 1n, 0.5), Number(FIRST));
  });
});

describe('floats of 32 bits', () => {
  test('are the decimal numbers that Java writes', () => {
    // As `Float.toString` of JDK 25 has them.
    const expected = [
      0.1, -0.1, 0.33333334, 1.4e-45, 3.4028235e38, 1.1754944e-38, 3.4e-5, 2e-3, 8.589935e9, 2333810.2, 282863.12,
      16777216,
    ];
    deepEqual(
      expected.map((value) => decimalOfFloat(Math.fround(value))),
      expected,
    );
    deepEqual([decimalOfFloat(Infinity), decimalOfFloat(-0)], [Infinity, -0]);
  });

  test('are the same floats as before', () => {
    const [float, bits] = [new Float32Array(1), new Uint32Array(1)];
    const view = new Float32Array(bits.buffer);
    for (let i = 0; i < 20_000; i++) {
      bits[0] = Math.imul(i, 0x9e3779b1);
      if (!Number.isFinite(view[0])) continue;
      float[0] = decimalOfFloat(view[0]);
      equal(float[0], view[0]);
    }
  });
});
