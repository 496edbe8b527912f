/** Handles of paths in trees: the next question is about exactly the events below the node, inverted those that it is the end of. */
import { deepStrictEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UsageError } from '../base/errors.js';
import { memorySource } from '../bytes/byte-source.js';
import { openInputs } from '../session/open.node.js';
import { ask, openSession, type Question, type Session } from '../session/session.js';
import { ROOT } from '../testing/shared-data.js';
import type { ResultOf } from './index.js';
import { openedByBoth } from './testing/both-carriers.js';

const SHOP = join(ROOT, 'examples/jfr/shop.jfr.gz');
const EXPERIMENT = join(ROOT, 'examples/experiment/shop.er.tar.gz');
const SAMPLES = join(ROOT, 'examples/hprof/cpu-samples.txt');

type TreeRow = ResultOf<'tree'>['rows'][number];

function collapsed(...texts: readonly string[]): Promise<Session> {
  return openSession(texts.map((text, i) => memorySource(`${i}.collapsed`, Buffer.from(text))));
}

/** The functions and ways to begin from a root to a row. */
function pathOf(rows: readonly TreeRow[], row: TreeRow | undefined): string[] {
  const byId = new Map(rows.map((each) => [each.id, each]));
  const path: string[] = [];
  for (let at = row; at !== undefined; at = byId.get(at.parent)) path.unshift(at.function, at.begins ?? '');
  return path;
}

/** The values of the row with a path, and that no row is beside or above it. */
function valuesAt(rows: readonly TreeRow[], path: readonly string[]): unknown {
  const fitting = rows.filter((row) => {
    const other = pathOf(rows, row);
    return other.every((part, i) => i >= path.length || part === path[i]);
  });
  equal(fitting.length, rows.length, 'only rows on the path, and below it');
  const row = rows.find((each) => pathOf(rows, each).length === path.length);
  return row && [row.function, row.total, row.self];
}

for (const [name, file, another] of [
  ['a JFR recording', SHOP, EXPERIMENT],
  ['an experiment', EXPERIMENT, SHOP],
  ['samples of HPROF', SAMPLES, EXPERIMENT],
] as const)
  describe(`the nodes of ${name}`, () => {
    for (const inverted of [false, true])
      test(`select the events with their path${inverted ? ' as end' : ''}`, async () => {
        const both = await openedByBoth([file, another]);
        const { rows, metric } = await both.ask({ view: 'tree', options: { inverted }, page: { limit: 30 } });
        ok(rows.length > 10);
        const question = { view: 'tree', recording: 'r1', options: { inverted, metric: metric.id } } as const;
        for (const row of rows) {
          const scope = [{ kind: 'focus', pattern: row.stack ?? '' }] as const;
          const below = await both.ask({ ...question, scope, page: { limit: 0 } });
          equal(below.metric.sum, row.total);
          const path = pathOf(rows, row);
          // How stacks end is said of the nodes where they do: others may end elsewhere.
          const plain = (list: readonly TreeRow[]) =>
            inverted ? list.map((each) => ({ ...each, begins: null })) : list;
          deepStrictEqual(
            valuesAt(plain(below.rows), inverted ? path.map((part, i) => (i % 2 === 1 ? '' : part)) : path),
            [row.function, row.total, row.self],
          );
          const others = await both.ask({ ...question, scope: [{ kind: 'ignore', pattern: row.stack ?? '' }] });
          equal(others.metric.sum + below.metric.sum, metric.sum);
        }
      });

    test('are refused in another recording', async () => {
      const both = await openedByBoth([file, another]);
      for (const inverted of [false, true]) {
        const { rows } = await both.ask({ view: 'tree', recording: 'r1', options: { inverted }, page: { limit: 5 } });
        for (const { stack: pattern = '' } of rows)
          await both.refuse(
            { view: 'functions', recording: 'r2', scope: [{ kind: 'focus', pattern }] },
            'not-a-handle',
          );
      }
    });

    test('are those of the flame graph', async () => {
      const both = await openedByBoth([file]);
      const flame = await both.ask({ view: 'flame', options: { handles: true } });
      equal(flame.stacks?.length, flame.nodes.length);
      const { rows } = await both.ask({ view: 'tree', page: { limit: 0 } });
      deepStrictEqual([...(flame.stacks ?? [])].sort(), rows.map(({ stack }) => stack).sort());
      equal((await both.ask({ view: 'flame' })).stacks, null);
    });
  });

describe('the handle of a stack', () => {
  test('begins at the root, where a function is anywhere', async () => {
    const session = await collapsed('main;a;b 3\nmain;b;a 4\na;b 5\nmain;a;c 6\n');
    const { rows } = await ask(session, { view: 'tree' });
    const handles = new Map(rows.map((row) => [pathOf(rows, row).filter(Boolean).join(), row.stack ?? '']));
    const sum = async (path: string) => {
      const pattern = handles.get(path) ?? '';
      match(pattern, /^stack#\d+-[0-9a-f]{8}$/);
      return (await ask(session, { view: 'functions', scope: [{ kind: 'focus', pattern }] })).metric.sum;
    };
    deepStrictEqual(
      [await sum('main,whole,a'), await sum('a,whole'), await sum('main,whole,b'), await sum('main,whole')],
      [9, 5, 4, 13],
    );
  });

  test('is that of the stacks which the steps before it left', async () => {
    const session = await collapsed('main;x;a 3\nmain;a 4\nmain;x;b 5\n', 'x;x;main;x;x;a 7\nmain;b 2\n');
    const hide = { kind: 'hide', pattern: '^x$' } as const;
    const { rows } = await ask(session, { view: 'tree', recording: 'r1', scope: [hide] });
    const pattern = rows.find((row) => row.function === 'a')?.stack ?? '';
    const scope = [hide, { kind: 'focus', pattern }] as const;
    equal((await ask(session, { view: 'functions', recording: 'r1', scope })).metric.sum, 7);
    const compared = await ask(session, { view: 'diff', recording: 'r1', base: 'r2', scope });
    deepStrictEqual([compared.sum, compared.base.sum], [7, 7]);
  });

  test('means the same path in the base, by the names of its functions', async () => {
    const session = await collapsed('main;a 3\nmain;b 2\n', 'start;b 7\nmain;a;c 1\nmain;ab 9\na 4\n');
    const tree = await ask(session, { view: 'tree', recording: 'r1', base: 'r2' });
    const row = tree.rows.find((each) => each.function === 'a' && each.total === 3);
    const scope = [{ kind: 'focus', pattern: row?.stack ?? '' }] as const;
    const both = await ask(session, { view: 'tree', recording: 'r1', base: 'r2', scope });
    deepStrictEqual(
      both.rows.map((each) => [each.function, each.total, each.base_total]),
      [
        ['main', 3, 1],
        ['a', 3, 1],
        ['c', 0, 1],
      ],
    );
    // What only the base has is no row of the recording.
    for (const each of tree.rows) equal(each.stack === undefined, each.total === 0, each.function);
  });

  test('names the only path with its functions where rows have other numbers', async () => {
    const first = await collapsed('x;y 1\nmain;a 3\nmain;b 2\n');
    const second = await collapsed('main;b 7\nmain;a 1\nmain;a;c 9\n');
    for (const inverted of [false, true]) {
      const { rows } = await ask(first, { view: 'tree', options: { inverted } });
      const row = rows.find((each) => each.function === (inverted ? 'main' : 'a') && each.total === 3);
      notEqual(row, undefined);
      const scope = [{ kind: 'focus', pattern: row?.stack ?? '' }] as const;
      equal((await ask(second, { view: 'functions', scope })).metric.sum, inverted ? 1 : 10);
    }
  });

  test('has a key, which any recording understands', async () => {
    const session = await collapsed('main;a;b 3\nmain;b;a 4\na;b 5\nmain;a;c 6\n');
    for (const [pattern, sum] of [
      ['stack:whole;;1:main;;1:a', 9],
      ['stack:cut;;1:main;;1:a', 0],
      ['stack:ends;;1:b;;1:a', 8],
      ['stack:whole;;1:nothing', 0],
    ] as const)
      equal((await ask(session, { view: 'functions', scope: [{ kind: 'focus', pattern }] })).metric.sum, sum, pattern);
    for (const pattern of ['stack:', 'stack:whole', 'stack:other;;1:main'])
      await rejects(ask(session, { view: 'functions', scope: [{ kind: 'focus', pattern }] }), UsageError);
  });

  test('is no function: steps that change stacks refuse it', async () => {
    const both = await openedByBoth([SAMPLES]);
    const [row] = (await both.ask({ view: 'tree' })).rows;
    for (const kind of ['hide', 'show'] as const)
      await both.refuse({ view: 'tree', scope: [{ kind, pattern: row?.stack ?? '' }] }, 'not-a-function');
  });

  test('selects events that are read apart', async (t) => {
    const whole = await openInputs([SHOP], { cache: false, announce: () => undefined, work: {}, extent: 'whole' });
    const outlined = await openInputs([SHOP], { cache: false, announce: () => undefined, work: {}, extent: 'outline' });
    t.after(() => whole.close());
    t.after(() => outlined.close());
    const { rows } = await ask(whole, { view: 'tree', page: { limit: 0 } });
    const row = rows.find((each) => each.function.startsWith('Shop.handle('));
    const question = {
      view: 'events',
      options: { types: ['jdk.ExecutionSample'] },
      scope: [{ kind: 'focus' as const, pattern: row?.stack ?? '' }],
      page: { limit: 0 },
    } satisfies Question<'events'>;
    const { total } = await ask(whole, question);
    equal(total, row?.total);
    equal((await ask(outlined, question)).total, total);
  });
});
