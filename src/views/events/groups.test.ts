/** Groups of events beside those of a base: each side has the numbers that it has alone. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { jfrBytes } from '../../formats/jfr/testing/jfr-writer.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';
import { unpacked } from './testing/printed-events.js';

const SHOP = unpacked(join(ROOT, 'examples/jfr/shop.jfr.gz'));
const session = await openSession(['before', 'after'].map((name) => memorySource(name, SHOP)));
const EARLY: readonly ScopeStep[] = [{ kind: 'time', from: 0, to: 2e9 }];
const LATE: readonly ScopeStep[] = [{ kind: 'time', from: 2e9 }];

for (const [type, by] of [
  ['ThreadPark', 'eventThread'],
  ['ExecutionSample', 'sampledThread'],
] as const)
  test(`${type} by ${by}`, async () => {
    const options = { types: [type], by: [by] };
    const question = { view: 'event-groups', options, page: { limit: 0 } } as const;
    const [before, after] = [
      await ask(session, { ...question, scope: EARLY }),
      await ask(session, { ...question, scope: LATE }),
    ];
    const together = await ask(session, { ...question, recording: 'r2', scope: LATE, base: 'r1', baseScope: EARLY });
    const names = new Set([...before.rows, ...after.rows].map((row) => row[by]));
    equal(together.rows.length, names.size);
    ok(names.size > after.rows.length || names.size > before.rows.length || names.size > 2);
    for (const row of together.rows) {
      const one = after.rows.find((candidate) => candidate[by] === row[by]);
      const other = before.rows.find((candidate) => candidate[by] === row[by]);
      deepEqual([row.events, row.base_events], [one?.events ?? 0, other?.events ?? 0]);
      deepEqual([row.sum, row.base_sum], [one?.sum ?? null, other?.sum ?? null]);
      deepEqual([row.p99, row.base_p99], [one?.p99 ?? null, other?.p99 ?? null]);
      const change =
        type === 'ThreadPark'
          ? Number(one?.sum ?? 0) - Number(other?.sum ?? 0)
          : (one?.events ?? 0) - (other?.events ?? 0);
      equal(row.change, change);
    }
    const changes = together.rows.map(({ change }) => Math.abs(Number(change ?? 0)));
    deepEqual(
      changes,
      [...changes].sort((a, b) => b - a),
    );
  });

test('a side without such events counts 0', async () => {
  const options = { types: ['ThreadPark'], by: ['eventThread'] };
  const nothing: readonly ScopeStep[] = [{ kind: 'time', from: 0, to: 1 }];
  const question = { view: 'event-groups', options, page: { limit: 0 }, recording: 'r2', base: 'r1' } as const;
  const gone = await ask(session, { ...question, scope: nothing, baseScope: LATE });
  const fresh = await ask(session, { ...question, scope: LATE, baseScope: nothing });
  ok(gone.rows.length > 0);
  deepEqual(
    gone.rows.map((row) => [row.eventThread, row.events, row.change]),
    fresh.rows.map((row) => [row.eventThread, row.base_events, -(row.change ?? 0)]),
  );
});

test('numbers that are not finite are groups of their own', async () => {
  const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0, 1.5];
  const bytes = jfrBytes([
    {
      types: [{ name: 'my.W', event: true, fields: [{ name: 'd', type: 'double' }] }],
      records: values.map((d) => ({ type: 'my.W', values: { d } })),
    },
  ]);
  const doubles = await openSession([memorySource('w.jfr', bytes)]);
  const { rows } = await ask(doubles, { view: 'event-groups', options: { types: ['my.W'], by: ['d'] } });
  deepEqual(
    new Map(rows.map(({ d, events }) => [d, events])),
    new Map([
      [null, 1],
      [Number.POSITIVE_INFINITY, 1],
      [Number.NEGATIVE_INFINITY, 1],
      [0, 2],
      [1.5, 1],
    ]),
  );
  await doubles.close();
});
