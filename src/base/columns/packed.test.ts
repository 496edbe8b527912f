/** Packed columns: what was put in comes out, in as few bytes as the values allow. */
import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { Random } from '../../testing/random.js';
import { BLOCK, loadPacking, PackedBuilder, PackedReader, unpacked } from './packed.js';
import { lookUp } from './packed-block.js';

/** Appends in parts of `step`; wide from the value `widened` on. */
function built(values: readonly number[], step: number, widened: number): PackedBuilder {
  const builder = new PackedBuilder(widened === 0, -1);
  for (let start = 0; start < values.length; start += step) {
    if (start >= widened) builder.widen();
    const part = values.slice(start, start + step);
    builder.append(start >= widened ? Float64Array.from(part) : Int32Array.from(part));
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

/** Which rows were looked up, in their order. */
function lookedUp(rows: Int32Array, knownValues: Int32Array): number[] {
  const askedRows: number[] = [];
  const target = new Int32Array(rows.length);
  const find = (row: number): number => {
    askedRows.push(row);
    knownValues[row] = row + 1;
    return row + 1;
  };
  lookUp(rows, knownValues, find, target);
  for (const [i, row] of rows.entries())
    equal(target[i], row < 0 || row >= knownValues.length ? -1 : row % 7 === 0 ? row + 1 : row * 3);
  return askedRows;
}

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
        const column = unpacked(built(values, size, 0).finish());
        equal(column instanceof Float64Array, true);
        for (const [i, value] of values.entries()) equal(Object.is(column[i], value), true, `${value}`);
        equal(column.length, values.length);
      }),
      runs(300),
    ));

  test('become doubles where a value is no integer of 32 bits', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.oneof({ weight: 20, arbitrary: integers }, doubles), { maxLength: 2000 }), {
          maxLength: 4,
        }),
        fc.constantFrom(0, 0, 1, 2 ** 31),
        (parts, plus) => {
          const builder = new PackedBuilder(false, -1);
          for (const part of parts) builder.append(Float64Array.from(part), plus);
          const column = unpacked(builder.finish());
          const values = parts.flat().map((value) => (plus === 0 ? value : value + plus));
          equal(
            column instanceof Int32Array,
            values.every((value) => Object.is(value | 0, value)),
          );
          for (const [i, value] of values.entries()) equal(Object.is(column[i], value), true, `${value}`);
        },
      ),
      runs(200),
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

  test('of several blocks take so many bits a value as the largest difference, or step, needs', () => {
    const length = 3 * BLOCK;
    const random = new Random(5);
    const cases: readonly (readonly [bits: number, wide: boolean, value: (row: number) => number])[] = [
      [0, false, () => -1],
      // Steps of one size.
      [0, false, (row) => 7 * row - 9],
      [1, false, () => random.below(2)],
      [8, false, () => random.below(256) - 1],
      [17, false, () => random.below(1 << 17)],
      [32, false, () => (random.below(1 << 16) << 16) | random.below(1 << 16)],
      // Times, a long time after the start.
      [10, true, (row) => 5e15 + row * 60_000 + random.below(512)],
      [30, true, () => 5e15 + random.below(2 ** 30)],
      [64, true, (row) => row * 1e6],
      [64, true, (row) => row / 2],
      [64, true, (row) => (row % 2 === 0 ? 2 ** 60 : -(2 ** 60))],
    ];
    for (const [bits, wide, value] of cases) {
      const values = Array.from({ length }, (_, row) => value(row));
      const builder = new PackedBuilder(wide, -1);
      builder.append(wide ? Float64Array.from(values) : Int32Array.from(values));
      const column = builder.finish();
      const all = column.blocks.reduce((sum, block) => sum + (block.values?.byteLength ?? 0), 0);
      equal((all * 8) / length, bits, String(value));
      deepEqual(Array.from(unpacked(column)), values);
    }
  });

  test('have the sums with a number that is added when they are appended', () =>
    fc.assert(
      fc.property(fc.array(doubles, { minLength: 1 }), doubles, fc.constantFrom(1, 1100), (drawn, plus, times) => {
        const values = Float64Array.from({ length: drawn.length * times }, (_, i) => drawn[i % drawn.length] ?? 0);
        const builder = new PackedBuilder(true, -1);
        builder.append(values, plus);
        const column = unpacked(builder.finish());
        for (const [i, value] of values.entries()) equal(Object.is(column[i], plus === 0 ? value : value + plus), true);
      }),
      runs(50),
    ));

  test('have missing values where nobody wrote, and keep what they had when they grow', () => {
    const builder = new PackedBuilder(false, -1);
    builder.append(Int32Array.of(5, 6));
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
    const knownValues = Int32Array.from({ length: 300 }, (_, row) => (row % 7 === 0 ? -2 : row * 3));
    const rows = Int32Array.from({ length: 2000 }, (_, i) => ((i * 37) % 310) - 5);
    // Only the last calls find the kernel.
    const before = samples.map(([values, widened]) => built(values, 4096, widened).finish());
    const values = before.map((column) => unpacked(column));
    const slowRows = lookedUp(rows, knownValues.slice());
    await loadPacking();
    for (const [i, [drawn, widened]] of samples.entries()) {
      const column = built(drawn, 4096, widened).finish();
      deepEqual(column, before[i]);
      deepEqual(unpacked(column), values[i]);
    }
    deepEqual(lookedUp(rows, knownValues.slice()), slowRows);
    deepEqual(
      slowRows,
      [...new Set(rows)].filter((row) => row >= 0 && row < 300 && row % 7 === 0),
    );
  });
});
