/** Percentiles by another way of counting. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { percentile } from './percentile.js';

describe('percentiles', () => {
  test('of few values', () => {
    assert.equal(percentile([], 0.5), null);
    assert.equal(percentile([7], 0.999), 7);
    assert.equal(percentile([1, 2, 3, 4], 0.5), 2.5);
    assert.equal(percentile([1, 2, 3], 0.5), 2);
    // Nine values divide the line into ten equal parts.
    assert.equal(percentile([10, 20, 30, 40, 50, 60, 70, 80, 90], 0.9), 90);
    assert.equal(percentile([10, 20, 30, 40, 50, 60, 70, 80, 90], 0.25), 25);
  });

  test('never pass an end, and rise with the share', () => {
    const values = fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        values,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, a, b) => {
          const sorted = list.sort((x, y) => x - y);
          const [low, high] = [percentile(sorted, Math.min(a, b)) ?? 0, percentile(sorted, Math.max(a, b)) ?? 0];
          assert.ok(low <= high && low >= (sorted[0] ?? 0) && high <= (sorted.at(-1) ?? 0));
          const below = sorted.filter((value) => value < low).length;
          assert.ok(below <= Math.min(a, b) * (sorted.length + 1) + 1e-9);
        },
      ),
      runs(300),
    );
  });
});
