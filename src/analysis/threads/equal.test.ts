import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { isEqualData } from './equal.js';

const leaf = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, Number.NaN, ''),
  fc.nat(2),
  fc.constantFrom('a', 'b'),
  fc.uint8Array({ max: 1, maxLength: 2 }),
  fc.float64Array({ maxLength: 1 }),
);
const { data } = fc.letrec((tie) => ({
  data: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('data'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('x', 'y'), tie('data')),
  ),
}));

test('as Node compares: independent copies are equal, other values are not', () => {
  // Objects of fast-check have no prototype, copies have one.
  const plain = (value: unknown): unknown => structuredClone(value);
  fc.assert(
    fc.property(data, data, (one, other) => {
      assert.equal(isEqualData(plain(one), plain(one)), true);
      assert.equal(isEqualData(plain(one), plain(other)), isDeepStrictEqual(plain(one), plain(other)));
    }),
    runs(1000),
  );
});
