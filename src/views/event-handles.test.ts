/** Handles of groups of events: the next question is about exactly the events that the row counts. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { openedByBoth } from './testing/both-carriers.js';

const example = (name: string): string => join(ROOT, 'examples', name);
const [SITES, LEAK, SHOP, STORE] = [
  'hprof/alloc-sites.txt',
  'jfr/leak.jfr.gz',
  'jfr/shop.jfr.gz',
  'experiment/store.er.tar.gz',
].map(example);

/** A row without the numbers that are relative to all rows. */
function counted<Row extends object>(row: Row | undefined): unknown {
  return { ...row, share: null, accum: null };
}

describe('the handle of an allocation site', () => {
  for (const [name, file, another, metric, column] of [
    ['of HPROF', SITES, LEAK, 'live-bytes', 'live_bytes'],
    ['of JFR', LEAK, SITES, 'allocated', 'allocated_bytes'],
    ['of another recording of JFR', SHOP, LEAK, 'allocated', 'allocated_bytes'],
    ['of native memory', STORE, SHOP, 'heap-bytes', 'allocated_bytes'],
  ] as const)
    test(`${name} selects its events alone`, async () => {
      const both = await openedByBoth([file, another]);
      const { rows } = await both.ask({ view: 'sites', recording: 'r1', page: { limit: 20 } });
      ok(rows.length > 1);
      for (const row of rows) {
        const scope = [{ kind: 'focus', pattern: row.handle ?? '' }] as const;
        const only = await both.ask({ view: 'sites', recording: 'r1', scope });
        equal(only.total, 1);
        deepStrictEqual(counted(only.rows[0]), counted(row));
        const tree = await both.ask({ view: 'tree', recording: 'r1', scope, options: { metric } });
        equal(tree.metric.sum, row[column]);
        const others = [{ kind: 'ignore', pattern: row.handle ?? '' }] as const;
        const rest = await both.ask({ view: 'sites', recording: 'r1', scope: others, page: { limit: 0 } });
        ok(!rest.rows.some(({ handle }) => handle === row.handle));
        await both.refuse({ view: 'sites', recording: 'r2', scope }, 'not-a-handle');
      }
    });

  test('means the site of the same class and frames in the base', async () => {
    const both = await openedByBoth([LEAK, SHOP, LEAK]);
    const sites = await both.ask({ view: 'sites', recording: 'r1', page: { limit: 3 } });
    for (const row of sites.rows) {
      const scope = [{ kind: 'focus', pattern: row.handle ?? '' }] as const;
      const options = { metric: 'allocated' };
      const same = await both.ask({ view: 'diff', recording: 'r1', base: 'r3', scope, options });
      deepStrictEqual([same.sum, same.base.sum], [row.allocated_bytes, row.allocated_bytes]);
      const none = await both.ask({ view: 'diff', recording: 'r1', base: 'r2', scope, options });
      deepStrictEqual([none.sum, none.base.sum], [row.allocated_bytes, 0]);
    }
  });
});

describe('the handle of a place of a PGO profile', () => {
  for (const [file, another] of [
    [BINARY_TREE, example('loops/loops.iprof')],
    [example('loops/loops.iprof'), BINARY_TREE],
  ] as const)
    for (const [question, contexts] of [
      [{ view: 'pgo-branches' }, false],
      [{ view: 'pgo-branches' }, true],
      [{ view: 'pgo-receivers' }, false],
      [{ view: 'pgo-receivers' }, true],
    ] as const)
      test(`selects its row of ${JSON.stringify(question)} alone, contexts ${contexts}`, async () => {
        const both = await openedByBoth([file, another]);
        const asked = { ...question, recording: 'r1', options: { contexts } } as const;
        const { rows, total } = await both.ask({ ...asked, page: { limit: 20 } });
        ok(total > 0);
        for (const row of rows) {
          const scope = [{ kind: 'focus', pattern: row.handle ?? '' }] as const;
          const only = await both.ask({ ...asked, scope });
          equal(only.total, 1);
          deepStrictEqual(only.rows[0], row);
          const rest = await both.ask({ ...asked, scope: [{ kind: 'ignore', pattern: row.handle ?? '' }] });
          equal(rest.total, total - 1);
          await both.refuse({ ...asked, recording: 'r2', scope }, 'not-a-handle');
        }
      });
});

describe('the handle of a contended lock', () => {
  for (const [name, file, another, metric] of [
    ['waits of JFR', SHOP, example('hprof/waitnotify-monitor.txt'), 'contention'],
    ['events of JVMPI', example('jvmpi/contended.jvmpi'), SHOP, 'blocked'],
    [
      'sums of HPROF',
      join(ROOT, 'src/formats/hprof-text/testing/fixtures/pileup-monitor-time.txt'),
      SHOP,
      'contention',
    ],
    ['counts of a PGO profile', BINARY_TREE, SHOP, null],
    ['counts of another PGO profile', example('pgo/after.iprof'), SHOP, null],
  ] as const)
    test(`selects its row of ${name} alone`, async () => {
      const both = await openedByBoth([file, another]);
      const question = { view: 'monitors', recording: 'r1', options: { contention: metric !== null } } as const;
      const { rows, total } = await both.ask({ ...question, page: { limit: 20 } });
      ok(rows.length > 0);
      for (const row of rows) {
        const scope = [{ kind: 'focus', pattern: row.handle ?? '' }] as const;
        const only = await both.ask({ ...question, scope });
        equal(only.total, 1);
        deepStrictEqual(counted(only.rows[0]), counted(row));
        const rest = await both.ask({ ...question, scope: [{ kind: 'ignore', pattern: row.handle ?? '' }] });
        equal(rest.total, total - 1);
        if (metric !== null) {
          const tree = await both.ask({ view: 'tree', recording: 'r1', scope, options: { metric } });
          equal(tree.metric.sum, row.time);
        }
        await both.refuse({ view: 'functions', recording: 'r2', scope }, 'not-a-handle');
      }
    });
});

describe('the handle of a lock in a thread dump', () => {
  for (const [name, file, another] of [
    ['a dump with a deadlock', example('deadlock-jstack.txt'), SHOP],
    ['a dump of a service', example('threads/dump-1.txt'), SHOP],
    ['a dump of HPROF', example('hprof/waitnotify-monitor.txt'), SHOP],
  ] as const)
    test(`selects its row of ${name} alone, and the threads around it`, async () => {
      const both = await openedByBoth([file, another]);
      const { rows, of: kind } = await both.ask({ view: 'monitors', recording: 'r1', page: { limit: 0 } });
      ok(rows.length > 0 && kind === 'locks');
      for (const row of rows) {
        const scope = [{ kind: 'focus', pattern: row.handle ?? '' }] as const;
        const only = await both.ask({ view: 'monitors', recording: 'r1', scope });
        deepStrictEqual([only.total, { ...only.rows[0], handle: '' }], [1, { ...row, handle: '' }]);
        const rest = await both.ask({
          view: 'monitors',
          recording: 'r1',
          scope: [{ kind: 'ignore', pattern: row.handle ?? '' }],
        });
        equal(rest.total, rows.length - 1);
        const threads = await both.ask({ view: 'threads', recording: 'r1', scope, page: { limit: 0 } });
        const around = new Set([...(row.owner === null ? [] : [row.owner]), ...(row.waiters ?? [])]);
        const inScope = threads.rows.filter(({ state }) => state !== null);
        deepStrictEqual(inScope.map((each) => each.name).sort(), [...around].sort());
        await both.refuse({ view: 'monitors', recording: 'r2', scope }, 'not-a-handle');
      }
    });
});
