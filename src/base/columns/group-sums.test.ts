/** Sums by group: by the loops in TypeScript, then by the kernel, against sums that are made one value at a time. */
import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { addUp, type Sums } from './group-sums.js';
import { BLOCK, loadPacking } from './packed.js';

interface Row {
  readonly group: number;
  readonly value: number;
}

const row = (value: fc.Arbitrary<number>): fc.Arbitrary<Row> =>
  fc.record({ group: fc.oneof(fc.integer({ min: -2, max: 5 }), fc.integer({ min: -2, max: 900 })), value });
const integers = row(fc.oneof(fc.integer({ min: -3, max: 1000 }), fc.constant(2 ** 31 - 1)));
const doubles = row(fc.oneof(fc.double(), fc.constantFrom(NaN, -0, 0, -1, 1e300, 5)));

function expected(rows: readonly Row[], groups: number): { readonly sums: Sums; readonly byGroup: Float64Array } {
  const byGroup = new Float64Array(groups);
  const grouped = rows.filter(({ group, value }) => group >= 0 && value >= 0);
  const ungrouped = rows.filter(({ group, value }) => group < 0 && value > 0);
  for (const { group, value } of rows) if (group >= 0 && group < groups) byGroup[group] += value;
  return {
    byGroup,
    sums: {
      total: grouped.reduce((sum, { value }) => sum + value, 0),
      squares: grouped.reduce((sum, { value }) => sum + value * value, 0),
      ungrouped: { rows: ungrouped.length, sum: ungrouped.reduce((sum, { value }) => sum + value, 0) },
      withoutValue: rows.filter(({ value }) => !(value >= 0)).length,
    },
  };
}

function check(rows: readonly Row[], isWide: boolean, step: number, groups: number): void {
  const columnValues = (
    chosen: (row: Row) => number,
    part: readonly Row[],
    wide: boolean,
  ): Int32Array | Float64Array => (wide ? Float64Array.from(part, chosen) : Int32Array.from(part, chosen));
  const parts = Array.from({ length: Math.ceil(rows.length / step) }, (_, i) => {
    const part = rows.slice(i * step, (i + 1) * step);
    const values = columnValues(({ value }) => value, part, isWide);
    return { length: part.length, groups: columnValues(({ group }) => group, part, false), values };
  });
  const byGroup = new Float64Array(groups);
  deepEqual({ sums: addUp(parts, byGroup), byGroup }, expected(rows, groups));
  const { sums } = expected(rows, 0);
  deepEqual(addUp(parts), sums);
}

function checkCounts(rows: readonly Row[]): void {
  const counted = rows.map(({ group }) => ({ group, value: 1 }));
  const byGroup = new Float64Array(901);
  const groups = Int32Array.from(rows, ({ group }) => group);
  deepEqual(
    { sums: addUp([{ length: rows.length, groups, values: undefined }], byGroup), byGroup },
    expected(counted, 901),
  );
}

describe('sums by group', () => {
  for (const how of ['in TypeScript', 'by the kernel'])
    test(`are those of a loop over all rows, ${how}`, async () => {
      if (how === 'by the kernel') await loadPacking();
      const sizes = [fc.integer({ min: 1, max: 50 }), fc.constantFrom(0, 4, 901, (1 << 16) + 1)] as const;
      fc.assert(
        fc.property(fc.array(integers), ...sizes, (rows, step, groups) => check(rows, false, step, groups)),
        runs(200),
      );
      fc.assert(
        fc.property(fc.array(doubles), ...sizes, (rows, step, groups) => check(rows, true, step, groups)),
        runs(200),
      );
      fc.assert(fc.property(fc.array(integers), checkCounts), runs(100));
      const many = Array.from({ length: BLOCK + 5 }, (_, i) => ({ group: (i % 9) - 1, value: i % 1000 }));
      check(many, false, many.length, 8);
      check(many, true, many.length, 8);
    });
});
