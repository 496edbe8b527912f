/** The sentence before a recording, against the tables of the docs that its figures are from. */
import { equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../testing/shared-data.js';
import { expectedPrice } from './price.js';

test('the price of each option that was measured is said, of others nothing', () => {
  match(expectedPrice('cpu=times,depth=8') ?? '', /: 65 to 75 ns for each call of a method\.$/);
  match(expectedPrice('depth=8,heap=sites') ?? '', /0\.6 to 0\.9 µs/);
  const exact = expectedPrice('heap=sites,live=exact') ?? '';
  ok(exact.includes('1.4 µs') && !exact.includes('0.6 to'), exact);
  equal(expectedPrice('monitor=y'), undefined);
  equal(expectedPrice(''), undefined);
});

test('figures are those of the docs', () => {
  const page = readFileSync(join(ROOT, 'docs/hprof-agent.md'), 'utf8');
  for (const figure of ['65 to 75 ns', '1.021', '0.2 to 0.4 s of CPU time', '645 to 855 ns', '854 to 910 ns', '1.4 µs'])
    ok(page.includes(figure), figure);
});
