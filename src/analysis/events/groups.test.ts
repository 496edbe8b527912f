/** Groups and amounts, compared with plain lists. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { inTimeOrder } from '../../base/columns/order.js';
import { runs } from '../../testing/amount.js';
import { amountsOf, groupRows } from './groups.js';

describe('groups of rows', () => {
  test('percentiles lie between two values in proportion', () => {
    // 1 to 100 divide the line into 101 equal parts.
    const values = Float64Array.from({ length: 100 }, (_, i) => 100 - i);
    const groups = groupRows(100, [new Int32Array(100)]);
    const { sum, mean, max, p50, p90, p99 } = amountsOf(groups, values);
    assert.deepEqual(
      [sum, mean, max, p50, p90, p99].map(([value]) => value),
      [5050, 50.5, 100, 50.5, 90.9, 99.99],
    );
  });

  test('equal lists of codes are a group; its numbers are those of its values', () => {
    const rows = fc.array(fc.record({ a: fc.nat(2), b: fc.integer({ min: -1, max: 1 }), value: fc.option(fc.nat(9)) }));
    fc.assert(
      fc.property(rows, (drawn) => {
        const groups = groupRows(drawn.length, [
          Int32Array.from(drawn, ({ a }) => a),
          Int32Array.from(drawn, ({ b }) => b),
        ]);
        const amounts = amountsOf(
          groups,
          Float64Array.from(drawn, ({ value }) => value ?? NaN),
        );
        const expected = new Map<string, (number | null)[]>();
        for (const { a, b, value } of drawn) expected.set(`${a} ${b}`, [...(expected.get(`${a} ${b}`) ?? []), value]);
        assert.equal(groups.length, expected.size);
        for (const [id, values] of [...expected.values()].entries()) {
          const known = values.filter((value) => value !== null).sort((x, y) => x - y);
          assert.equal(groups.count[id], values.length);
          const sum = known.reduce((all, value) => all + value, 0);
          assert.deepEqual(amounts.sum[id], known.length === 0 ? NaN : sum);
          assert.deepEqual(amounts.max[id], known.at(-1) ?? NaN);
          assert.deepEqual(amounts.p90[id] ?? NaN, p90Of(known));
        }
      }),
      runs(500),
    );
  });
});

/** In whole tenths: each value ten times, so that nine tenths of the way from one to the next is a place of its own. */
function p90Of(sorted: readonly number[]): number {
  const tenths = 9 * (sorted.length + 1);
  const at = (place: number): number => sorted[Math.min(Math.max(place, 1), sorted.length) - 1] ?? NaN;
  const [low, high] = [at(Math.floor(tenths / 10)), at(Math.floor(tenths / 10) + 1)];
  return (low * (10 - (tenths % 10)) + high * (tenths % 10)) / 10;
}

describe('the order of time', () => {
  test('is that of a stable sort, unknown times first', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(9), fc.constant(NaN)), { maxLength: 40 }), (times) => {
        const order = inTimeOrder(Float64Array.from(times)) ?? times.map((_, i) => i);
        const key = (i: number): number => (Number.isNaN(times[i]) ? -1 : (times[i] ?? 0));
        assert.deepEqual(
          [...order],
          times.map((_, i) => i).sort((a, b) => key(a) - key(b) || a - b),
        );
      }),
      runs(500),
    );
  });
});
