import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { decodeBase64, decodeFloat64, decodeInt8, decodeInt32, encodeBase64, encodeColumn } from './base64.js';

const RUNS = runs(500);

describe('base64', () => {
  test("equals Node's encoding and decoding", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        const expected = Buffer.from(bytes).toString('base64');
        assert.equal(encodeBase64(bytes), expected);
        assert.deepEqual(decodeBase64(expected), new Uint8Array(bytes));
      }),
      RUNS,
    );
  });

  test('columns are restored, least byte first, also from the middle of a larger one', () => {
    assert.equal(encodeColumn(Int32Array.of(1, -2)), Buffer.from([1, 0, 0, 0, 254, 255, 255, 255]).toString('base64'));
    assert.deepEqual(decodeInt32(encodeColumn(Int32Array.of(9, 1, -2).subarray(1))), Int32Array.of(1, -2));
    const values = Float64Array.of(0, -0, 2 ** 53 - 1, 0.1, -1e300);
    assert.deepEqual(decodeFloat64(encodeColumn(values)), values);
    assert.deepEqual(decodeInt8(encodeColumn(Int8Array.of(-1, 4))), Int8Array.of(-1, 4));
  });

  test('rejects cut or invalid text', () => {
    for (const text of ['AAA', 'A*AA', 'AAAA=AAA', 'é..A']) assert.throws(() => decodeBase64(text), RangeError, text);
    assert.throws(() => decodeInt32(encodeColumn(Int8Array.of(1))), RangeError);
  });
});
