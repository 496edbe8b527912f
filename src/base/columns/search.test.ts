import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { firstNot, lowerBound, lowerBoundNear, placeOf } from './search.js';

test('binary searches find what a walk over all values finds', () => {
  const values = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 100 });
  fc.assert(
    fc.property(values, fc.integer({ min: -1, max: 61 }), fc.nat(100), fc.nat(100), (drawn, value, a, b) => {
      const sorted = Int32Array.from(drawn).sort();
      const [from = 0, to = 0] = [a, b].map((each) => Math.min(each, sorted.length)).sort((x, y) => x - y);
      let first = from;
      while (first < to && (sorted[first] ?? 0) < value) first++;
      equal(lowerBound(sorted, value, from, to), first);
      equal(lowerBoundNear(sorted, value, from, to), first);
      equal(
        firstNot(from, to, (at) => (sorted[at] ?? 0) < value),
        first,
      );
      equal(placeOf(sorted, value, from, to), first < to && sorted[first] === value ? first : -1);
    }),
    runs(1000),
  );
});
