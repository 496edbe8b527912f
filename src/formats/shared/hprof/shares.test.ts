/** Parts from printed shares, for tables with known parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from './shares.js';

const parts = (share: readonly number[], accumulated: readonly number[]): number[] => [
  ...partsOf(Int32Array.from(share), Int32Array.from(accumulated), 0, share.length),
];

test('parts add up to the whole if the file has 100 %', () => {
  const thirds = parts([3333, 3333, 3333], [3333, 6667, 10000]);
  assert.ok(Math.abs(thirds.reduce((sum, part) => sum + part, 0) - 1) < 1e-12);
  assert.ok(thirds.every((part) => Math.abs(part - 1 / 3) <= 0.5e-4));
});

test('no part is negative, even if the shares before it exceed the whole', () => {
  const [, last] = parts([10001, 0], [10000, 10000]);
  assert.equal(last, 0);
});
