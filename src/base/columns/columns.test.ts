import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { ByteBuilder, Float64Builder, Int32Builder, OffsetBuilder, offsetAt } from './columns.js';

const RUNS = runs(300);

describe('growing columns', () => {
  test('hold the pushed values, for any initial capacity', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.nat(100), (numbers, capacity) => {
        const whole = new Int32Builder(capacity);
        const wide = new Float64Builder(capacity);
        const rows = numbers.map((number) => [whole.push(number), wide.push(number / 3)]);
        assert.deepEqual(
          rows,
          numbers.map((_, row) => [row, row]),
        );
        assert.deepEqual(whole.finish(), Int32Array.from(numbers));
        assert.deepEqual(
          wide.finish(),
          Float64Array.from(numbers, (number) => number / 3),
        );
      }),
      RUNS,
    );
  });

  test('keep their values when room is reserved', () => {
    const builder = new Int32Builder(16);
    for (let i = 0; i < 16; i++) builder.push(i);
    builder.reserve(1000);
    assert.ok(builder.values.length >= 1016);
    assert.deepEqual([...builder.finish()], [...Array(16).keys()]);
  });

  test('of bytes hold single bytes and runs, short and long', () => {
    const run = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(fc.array(run), fc.nat(300), (runs, capacity) => {
        const builder = new ByteBuilder(capacity);
        for (const bytes of runs) {
          if (bytes.length === 1) builder.push(bytes[0]);
          // From the middle of a larger run, as scanners do.
          else builder.append(Uint8Array.of(1, 2, ...bytes, 3), 2, bytes.length + 2);
        }
        assert.deepEqual(builder.finish(), Uint8Array.from(runs.flatMap((bytes) => [...bytes])));
      }),
      RUNS,
    );
  });
});

describe('offsets', () => {
  const rising = fc
    .array(
      fc.oneof(
        fc.nat(1000),
        fc.maxSafeNat().map((n) => n % 2 ** 34),
        fc.constantFrom(2 ** 31, 2 ** 32 - 1, 2 ** 32),
      ),
    )
    .map((steps) => {
      let at = 0;
      return steps.map((step) => {
        at += step;
        return at;
      });
    });

  test('are found again, across 2^32 and over many times it', () => {
    fc.assert(
      fc.property(rising, (offsets) => {
        const builder = new OffsetBuilder(16);
        for (const offset of offsets) builder.push(offset);
        const column = builder.finish();
        assert.deepEqual(
          offsets.map((_, row) => offsetAt(column, row)),
          offsets,
        );
      }),
      RUNS,
    );
  });

  test('take four bytes a row', () => {
    const builder = new OffsetBuilder();
    for (let i = 0; i < 10; i++) builder.push(2 ** 32 - 5 + i);
    const { low, wraps } = builder.finish();
    assert.deepEqual([low.byteLength, [...wraps]], [40, [5]]);
  });
});
