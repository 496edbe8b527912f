/** Packed columns: what was put in comes out, in as few bytes as the values allow. */
import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { BLOCK, loadPacking, PackedBuilder, PackedReader, unpacked } from './packed.js';

/** Appends in parts of `step`; wide from the value `widened` on. */
function built(values: readonly number[], step: number, widened: number): PackedBuilder {
  const builder = new PackedBuilder(widened === 0, -1);
  for (let from = 0; from < values.length; from += step) {
    if (from >= widened) builder.widen();
    const part = values.slice(from, from + step);
    builder.append(part.length, (target, at, first, last) => target.set(part.slice(first, last), at));
  }
  return builder;
}

const integers = fc.oneof(
  fc.integer(),
  fc.integer({ min: -1, max: 300 }),
  fc.constantFrom(-1, -(2 ** 31), 2 ** 31 - 1),
);
const doubles = fc.oneof(
  integers,
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(-0, 0, NaN, Infinity, -Infinity, 2 ** 53, 2 ** 63, -(2 ** 63), 0.5),
);
const step = fc.integer({ min: 1, max: 40 });

describe('packed columns', () => {
  test('of integers unpack to the same', () =>
    fc.assert(
      fc.property(fc.array(integers), step, (values, size) => {
        deepEqual(unpacked(built(values, size, Infinity).finish()), Int32Array.from(values));
      }),
      runs(300),
    ));

  test('of doubles unpack to the same, bit by bit', () =>
    fc.assert(
      fc.property(fc.array(doubles), step, (values, size) => {
        const found = unpacked(built(values, size, 0).finish());
        equal(found instanceof Float64Array, true);
        for (const [i, value] of values.entries()) equal(Object.is(found[i], value), true, `${value}`);
        equal(found.length, values.length);
      }),
      runs(300),
    ));

  test('may become doubles later, and are read in any steps', () =>
    fc.assert(
      fc.property(fc.array(integers), fc.array(doubles), step, (narrow, wide, size) => {
        const steps = Math.ceil(narrow.length / size) * size;
        const values = [...narrow, ...Array.from({ length: steps - narrow.length }, () => 7), ...wide];
        const column = built(values, size, steps).finish();
        const reader = new PackedReader(column, size);
        for (let at = 0; at < values.length; at += size) {
          const part = values.slice(at, at + size);
          deepEqual(Array.from(reader.next(part.length)), part);
        }
      }),
      runs(200),
    ));

  test('of several blocks take 0, 1, 2, 4 or 8 bytes a value', () => {
    const length = 3 * BLOCK;
    const cases: readonly (readonly [bytes: number, wide: boolean, value: (row: number) => number])[] = [
      [0, false, () => -1],
      [1, false, (row) => (row % 256) - 1],
      [2, false, (row) => row % 65_536],
      [4, false, (row) => row * 1000 * (row % 2 === 0 ? 1 : -1)],
      // Times of a second, a long time after the start.
      [4, true, (row) => 5e15 + row * 1000],
      [8, true, (row) => row * 1e6],
      [8, true, (row) => row / 2],
      [8, true, (row) => (row % 2 === 0 ? 2 ** 60 : -(2 ** 60))],
    ];
    for (const [bytes, wide, value] of cases) {
      const values = Array.from({ length }, (_, row) => value(row));
      const builder = new PackedBuilder(wide, -1);
      builder.append(length, (target, at, from, to) => target.set(values.slice(from, to), at));
      const column = builder.finish();
      const all = column.blocks.reduce((sum, block) => sum + (block.values?.byteLength ?? 0), 0);
      equal(all, bytes * length, String(value));
      deepEqual(Array.from(unpacked(column)), values);
    }
  });

  test('have missing values where nobody wrote, and keep what they had when they grow', () => {
    const builder = new PackedBuilder(false, -1);
    builder.append(2, (target, at) => target.set([5, 6], at));
    const before = builder.finish();
    builder.padTo(3);
    builder.appendSame(2 * BLOCK, 9);
    deepEqual(Array.from(unpacked(before)), [5, 6]);
    const values = unpacked(builder.finish());
    equal(values.length, 3 + 2 * BLOCK);
    deepEqual(Array.from(values.subarray(0, 4)), [5, 6, -1, 9]);
    equal(
      values.subarray(3).every((each) => each === 9),
      true,
    );
  });

  test('are packed by the kernel as without it', async () => {
    // Lengths around those that the kernel takes, and around its vectors.
    const length = fc.oneof(fc.integer({ min: 250, max: 330 }), fc.constant(BLOCK));
    const patterns = [fc.array(integers, { minLength: 1 }), fc.array(doubles, { minLength: 1 })] as const;
    const some = fc.tuple(fc.oneof(...patterns), length, fc.boolean());
    const samples = fc.sample(some, runs(300)).map(([values, many, wide]) => {
      const repeated = Array.from({ length: many }, (_, i) => values[i % values.length]);
      const isInteger = repeated.every((value) => Object.is(value | 0, value));
      return [repeated, wide || !isInteger ? 0 : Infinity] as const;
    });
    // Only the last call finds the kernel.
    const before = samples.map(([values, widened]) => built(values, 4096, widened).finish());
    await loadPacking();
    for (const [i, [values, widened]] of samples.entries()) deepEqual(built(values, 4096, widened).finish(), before[i]);
  });
});
