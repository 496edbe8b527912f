import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { atOnce } from '../progress.js';
import { sortedRows } from './sorted-rows.js';

const key = fc.oneof(fc.double(), fc.integer({ min: -3, max: 3 }), fc.constantFrom(0, -0, NaN, Infinity, -Infinity));
const column = fc.oneof(fc.array(key), fc.array(key, { minLength: 40, maxLength: 300 }));

/** By `Array.sort`, which is stable. */
function plainRows(keys: readonly number[], unknownFirst: boolean): number[] {
  const numberRows = [...keys.keys()].filter((row) => !Number.isNaN(keys[row]));
  const unknown = [...keys.keys()].filter((row) => Number.isNaN(keys[row]));
  numberRows.sort((a, b) => {
    const [left = 0, right = 0] = [keys[a], keys[b]];
    return left < right ? -1 : left > right ? 1 : 0;
  });
  return unknownFirst ? [...unknown, ...numberRows] : [...numberRows, ...unknown];
}

test('rows are in the order of their keys, equal ones as they came, unknown ones at an end', () => {
  fc.assert(
    fc.property(column, fc.boolean(), (keys, unknownFirst) => {
      const rows = atOnce(sortedRows(Float64Array.from(keys), unknownFirst));
      deepEqual([...rows], plainRows(keys, unknownFirst));
    }),
    runs(1000),
  );
});

test('many rows are sorted in parts', () => {
  const keys = Float64Array.from({ length: 100_000 }, (_, row) => Math.sin(row) * 10 ** (row % 20));
  const steps = sortedRows(keys, false);
  let parts = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      deepEqual([...step.value], plainRows([...keys], false));
      break;
    }
    parts++;
  }
  deepEqual(parts > 50, true);
});
