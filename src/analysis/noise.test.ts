/** The rule of noise against distributions that are summed up term by term. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { DEVIATIONS, measure, noiseOf, shareFloor, valueFloor } from './noise.js';

const once = (value: number) => measure([value]);
const counted = (one: number, other: number, level: number): number =>
  noiseOf(once(one), once(other), [valueFloor(one, 1, level), valueFloor(other, 1, level)]);

/** Probabilities of 0, 1, 2 … up to where nothing is left. */
function poisson(mean: number): number[] {
  const terms = [Math.exp(-mean)];
  while (terms.length < 10 || terms.length < mean * 3 + 30) terms.push((terms[terms.length - 1] * mean) / terms.length);
  return terms;
}

function binomial(n: number, p: number): number[] {
  let terms = [1];
  for (let i = 0; i < n; i++)
    terms = Array.from({ length: i + 2 }, (_, k) => (terms[k] ?? 0) * (1 - p) + (terms[k - 1] ?? 0) * p);
  return terms;
}

/** How likely two draws are called different. */
function falseAlarms(terms: readonly number[], others: readonly number[], differ: (a: number, b: number) => boolean) {
  let sum = 0;
  terms.forEach((one, a) => {
    others.forEach((other, b) => {
      if (differ(a, b)) sum += one * other;
    });
  });
  return sum;
}

describe('counts of one run a side', () => {
  test('two runs of the same program differ in less than 1 of 200 rows, for all counts', () => {
    for (const mean of [0.3, 1, 2, 5, 9, 20, 60, 150]) {
      const terms = poisson(mean);
      ok(falseAlarms(terms, terms, (a, b) => Math.abs(a - b) > counted(a, b, 0)) < 0.005, `mean ${mean}`);
    }
  });

  test('0 against 9 is noise, 0 against 10 is not', () => {
    ok(counted(0, 9, 0.05) >= 9);
    ok(counted(0, 10, 0.05) < 10);
  });

  test('for large counts the level decides: 5 % is a quarter more, 10 % over a half', () => {
    const tells = (factor: number, level: number) => 1e9 * (factor - 1) > counted(1e9, factor * 1e9, level);
    deepStrictEqual([tells(1.23, 0.05), tells(1.25, 0.05)], [false, true]);
    deepStrictEqual([tells(1.5, 0.1), tells(1.6, 0.1)], [false, true]);
    deepStrictEqual([tells(1.00013, 0), tells(1.00014, 0)], [false, true]);
  });

  test('a sampled value varies by the root of its samples', () => {
    const period = 1e7;
    const noise = noiseOf(once(100 * period), once(100 * period), [
      valueFloor(100 * period, period, 0),
      valueFloor(100 * period, period, 0),
    ]);
    equal(Math.round(noise / period), Math.round(DEVIATIONS * Math.sqrt(200)));
  });
});

test('equal shares differ in less than 1 of 200 branches', () => {
  for (const [n, m, p] of [
    [10, 10, 0.5],
    [20, 200, 0.5],
    [50, 50, 0.9],
    [100, 300, 0.02],
    [300, 300, 0.99],
  ] as const) {
    const differ = (a: number, b: number): boolean => {
      const pooled = (a + b) / (n + m);
      const noise = noiseOf(once(a / n), once(b / m), [shareFloor(a, n, pooled, 0), shareFloor(b, m, pooled, 0)]);
      return Math.abs(a / n - b / m) > noise;
    };
    ok(falseAlarms(binomial(n, p), binomial(m, p), differ) < 0.005, `${n} and ${m} at ${p}`);
  }
});

describe('several runs', () => {
  const values = fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 5 });

  test('the sides can be swapped', () => {
    fc.assert(
      fc.property(values, values, fc.boolean(), (a, b, exact) => {
        const [one, other] = [measure(a), measure(b)];
        const floor = (of: { mean: number }) => valueFloor(of.mean, 1, 0.05);
        equal(
          noiseOf(one, other, exact ? undefined : [floor(one), floor(other)]),
          noiseOf(other, one, exact ? undefined : [floor(other), floor(one)]),
        );
      }),
      runs(100),
    );
  });

  /** Student's density; its tails are summed with Simpson's rule over x = tan(u). */
  function tails(freedom: number, from: number): number {
    const density = (x: number): number => (1 + x ** 2 / freedom) ** (-(freedom + 1) / 2);
    const integral = (a: number, b: number): number => {
      const steps = 20_000;
      const term = (i: number): number => {
        const u = a + ((b - a) * i) / steps;
        return Math.abs(Math.cos(u)) < 1e-12 ? 0 : density(Math.tan(u)) / Math.cos(u) ** 2;
      };
      let sum = term(0) + term(steps);
      for (let i = 1; i < steps; i++) sum += (i % 2 === 1 ? 4 : 2) * term(i);
      return (sum * (b - a)) / steps / 3;
    };
    return integral(Math.atan(from), Math.PI / 2) / integral(0, Math.PI / 2);
  }

  test("the deviations are Student's: 0.27 % is beyond them for every number of runs", () => {
    for (const runs of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20]) {
      // Variance 1 on one side, one run on the other: the noise is the deviations times the root of 1 + 1 / runs.
      const half = Math.sqrt((runs - 1) / 2);
      const spread = Array.from({ length: runs }, (_, i) => (i === 0 ? half : i === 1 ? -half : 0));
      const deviations = noiseOf(measure(spread), once(0), undefined) / Math.sqrt(1 + 1 / runs);
      const beyond = tails(runs - 1, deviations);
      ok(beyond > 0.00255 && beyond < 0.00285, `${runs} runs: ${beyond}`);
    }
  });

  test('exact numbers of one run each have no noise', () => {
    equal(noiseOf(once(5), once(6), undefined), 0);
  });

  test('variance above the floor widens the noise, runs that agree narrow it', () => {
    const of = (...runs: number[]) => {
      const one = measure(runs);
      return noiseOf(one, one, [valueFloor(one.mean, 1, 0.05), valueFloor(one.mean, 1, 0.05)]);
    };
    const single = counted(10_000, 10_000, 0.05);
    ok(of(8_000, 12_000, 10_000) > single);
    ok(of(10_000, 10_000, 10_000, 10_000, 10_000) < single / 2);
  });
});
