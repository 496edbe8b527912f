import { deepEqual } from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { type PagedInput, pageOf } from './listing.js';
import type { Page } from './question.js';

/** Without a session, no order is kept. */
const paged = (page: Page): PagedInput => ({ page, kept: async (_, __, make) => make({}) });

it('a page is a part of all rows in order: numbers falling, unknown ones last, equals as they came', async () => {
  const values = fc.oneof(
    fc.array(fc.option(fc.integer({ min: -3, max: 3 }))),
    fc.array(fc.nat(), { minLength: 1500, maxLength: 4000 }),
  );
  await fc.assert(
    fc.asyncProperty(values, fc.nat(60), fc.nat(60), fc.boolean(), async (column, offset, limit, reverse) => {
      const page = { offset, limit, sort: reverse ? '-key' : 'key' };
      const rank = (i: number): number => (reverse ? -1 : 1) * (-(column[i] ?? Number.NEGATIVE_INFINITY) || 0);
      const all = [...column.keys()].sort((a, b) => (rank(a) === rank(b) ? a - b : rank(a) - rank(b)));
      deepEqual(
        await pageOf(column.length, { key: (i) => column[i] ?? null }, paged(page), 'key', []),
        all.slice(offset, limit === 0 ? column.length : offset + limit),
      );
    }),
    runs(200),
  );
});

it('texts rise', async () => {
  const texts = ['b', 'a', 'c', 'a'];
  deepEqual(await pageOf(4, { key: (i) => texts[i] ?? null }, paged({ offset: 1, limit: 2 }), 'key', []), [3, 0]);
});
