/** The text of a progress line. */
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from './progress.js';

test('time left follows from the rate since the phase began', () => {
  const progress = { phase: 'reading', done: 40_000_000, total: 100_000_000, unit: 'bytes' } as const;
  equal(describe('x', progress, 2000), 'reading x: 40 % of 100.00 MB, 3 s left');
  equal(describe('x', progress, 2000, 20_000_000), 'reading x: 40 % of 100.00 MB, 6 s left');
  equal(describe('x', progress, 2000, 40_000_000), 'reading x: 40 % of 100.00 MB');
  equal(describe('x', { ...progress, done: 0 }, 2000), 'reading x: 0 B');
  equal(describe('x', { ...progress, total: undefined, unit: 'rows' }, 2000), 'reading x: 40,000,000');
});
