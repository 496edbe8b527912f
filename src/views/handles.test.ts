/** Handles in rows: the next question about one is about exactly the row that it came from. */
import { deepStrictEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UsageError } from '../base/errors.js';
import { memorySource } from '../bytes/byte-source.js';
import type { ScopeStep } from '../models/scope.js';
import { openInputs } from '../session/open.node.js';
import { ask, openSession, type Session } from '../session/session.js';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';

const SHOP = join(ROOT, 'examples/jfr/shop.jfr.gz');

async function opened(t: { after: (end: () => Promise<void>) => void }, ...names: readonly string[]): Promise<Session> {
  const library = { classes: [join(ROOT, 'examples/loops')] };
  const session = await openInputs(names, { cache: false, announce: () => undefined, work: {}, library });
  t.after(() => session.close());
  return session;
}

function collapsed(...texts: readonly string[]): Promise<Session> {
  return openSession(texts.map((text, i) => memorySource(`${i}.collapsed`, Buffer.from(text))));
}

describe('the handle of a function', () => {
  test('selects it alone, where its name as a pattern selects more', async () => {
    const session = await collapsed('main;a.B.run 3\nmain;a.B.runs 4\nmain;a.B.run;a.B.runs 5\n');
    const { rows } = await ask(session, { view: 'functions' });
    const run = rows.find((row) => row.function === 'a.B.run')?.handle ?? '';
    match(run, /^function#\d+-[0-9a-f]{8}$/);
    const sum = async (pattern: string, kind: 'focus' | 'ignore') =>
      (await ask(session, { view: 'functions', scope: [{ kind, pattern }] })).metric.sum;
    deepStrictEqual([await sum('a.B.run', 'focus'), await sum(run, 'focus'), await sum(run, 'ignore')], [12, 8, 4]);
    const hidden = await ask(session, { view: 'functions', scope: [{ kind: 'hide', pattern: run }] });
    deepStrictEqual(hidden.rows.map((row) => row.function).sort(), ['a.B.runs', 'main']);
  });

  test('is that of another function in another recording: refused', async () => {
    const first = await collapsed('main;a 3\n');
    const second = await collapsed('x;y 3\n');
    const { rows } = await ask(first, { view: 'functions' });
    for (const pattern of rows.map(({ handle = '' }) => handle))
      await rejects(
        ask(second, { view: 'functions', scope: [{ kind: 'focus', pattern }] }),
        (error) => error instanceof UsageError && /no handle of this recording/.test(error.message),
      );
    const beyond = { view: 'callers', options: { function: 'function#999-00000000' } } as const;
    await rejects(ask(second, beyond), UsageError);
  });

  test('means the same function in the base', async () => {
    const session = await collapsed('main;a 3\nmain;b 2\n', 'start;b 7\nstart;a 1\nstart;ab 9\n');
    const { rows } = await ask(session, { view: 'functions' });
    const a = rows.find((row) => row.function === 'a')?.handle ?? '';
    const callers = await ask(session, { view: 'callers', recording: 'r1', base: 'r2', options: { function: a } });
    const [centre] = callers.rows.filter(({ relation }) => relation === 'function');
    deepStrictEqual([centre?.attributed, centre?.base], [3, 1]);
    const scope = [{ kind: 'focus', pattern: a }] as const;
    const tree = await ask(session, { view: 'tree', recording: 'r1', base: 'r2', scope });
    deepStrictEqual(
      tree.rows.map((row) => [row.function, row.total, row.base_total]),
      [
        ['main', 3, 0],
        ['a', 3, 0],
        ['start', 0, 1],
        ['a', 0, 1],
      ],
    );
  });
});

test('a number of the file names its function: as the profile itself lists it', async (t) => {
  const file = join(ROOT, 'examples/loops/loops.iprof');
  const session = await opened(t, file);
  const { methods }: { methods: { id: number; name: string }[] } = JSON.parse(readFileSync(file, 'utf8'));
  const { rows, columns } = await ask(session, { view: 'functions', options: { ids: true } });
  ok(columns.some(({ key }) => key === 'file_id') && rows.length > 3);
  for (const { file_id: id, function: name } of rows) {
    const method = methods.find((each) => each.id === id);
    ok(method !== undefined && name.includes(`.${method.name}(`), `${id} ${name}`);
    const { functions } = await ask(session, { view: 'callers', options: { function: `#${id}` } });
    deepStrictEqual(functions, [name]);
  }
  const usual = await ask(session, { view: 'functions' });
  ok(usual.rows.every((row) => !('file_id' in row)));
});

for (const [name, file] of [
  ['a JFR recording', SHOP],
  ['a PGO profile', BINARY_TREE],
  ['an experiment', join(ROOT, 'src/formats/experiment/fixtures/cpu-samples.er.tar.gz')],
] as const)
  describe(`the functions of ${name}`, () => {
    test('have handles that `callers` and scopes take', async (t) => {
      const session = await opened(t, file);
      const { rows } = await ask(session, { view: 'functions' });
      ok(rows.length > 5);
      for (const { handle = '', function: name } of rows) {
        const callers = await ask(session, { view: 'callers', options: { function: handle } });
        deepStrictEqual(callers.functions, [name]);
        const scoped = await ask(session, {
          view: 'functions',
          scope: [{ kind: 'focus', pattern: handle }],
          page: { limit: 0 },
        });
        equal(scoped.rows.find((row) => row.handle === handle)?.function, name);
      }
    });
  });

/** The function that a handle names: `callers` says it of profiles, `calls-callers` of reports. */
async function functionOf(
  session: Session,
  handle: string,
  view: 'callers' | 'calls-callers',
): Promise<readonly string[]> {
  if (view === 'callers') return (await ask(session, { view, options: { function: handle } })).functions;
  return (await ask(session, { view, options: { method: handle } })).methods;
}

/** Rows with the handle of a function, whose name is in `name`. */
async function checkRows(
  session: Session,
  rows: readonly { readonly handle?: string | undefined }[],
  nameOf: (row: number) => string,
  view: 'callers' | 'calls-callers' = 'callers',
): Promise<void> {
  const handled = rows.flatMap(({ handle }, row) => (handle === undefined ? [] : [{ handle, row }]));
  ok(handled.length > 0, 'no row has a handle');
  for (const { handle, row } of handled) deepStrictEqual(await functionOf(session, handle, view), [nameOf(row)]);
}

describe('the handles of functions in the rows of', () => {
  test('tree and callers', async (t) => {
    const session = await opened(t, SHOP);
    const { rows } = await ask(session, { view: 'tree' });
    await checkRows(session, rows, (row) => rows[row]?.function ?? '');
    const [first] = rows;
    const around = await ask(session, { view: 'callers', options: { function: first?.handle ?? '' } });
    await checkRows(session, around.rows, (row) => around.rows[row]?.function ?? '');
    const callee = around.rows.find(({ relation }) => relation === 'callee');
    const fragment = `${first?.handle} -> ${callee?.handle}`;
    const both = await ask(session, { view: 'callers', options: { function: fragment } });
    deepStrictEqual(both.functions, [first?.function, callee?.function]);
  });

  test('the sites of allocations, by method', async (t) => {
    const session = await opened(t, SHOP);
    const { rows } = await ask(session, { view: 'sites', options: { by: 'method' } });
    await checkRows(session, rows, (row) => rows[row]?.method ?? '');
  });

  test('the summary and hot methods of a PGO profile', async (t) => {
    const session = await opened(t, BINARY_TREE);
    const { rows } = await ask(session, { view: 'pgo-hot' });
    await checkRows(session, rows, (row) => rows[row]?.method ?? '');
    const { metrics } = await ask(session, { view: 'summary' });
    const hottest = metrics.flatMap((metric) => metric.hottest);
    await checkRows(session, hottest, (row) => hottest[row]?.function ?? '');
  });

  test('inlining, whose question takes them, too', async (t) => {
    const session = await opened(t, BINARY_TREE);
    const [hot] = (await ask(session, { view: 'pgo-hot' })).rows;
    const options = { method: hot?.handle ?? '', into: true };
    const { rows, methods } = await ask(session, { view: 'pgo-inlining', options, page: { limit: 5 } });
    deepStrictEqual(methods, [hot?.method]);
    await checkRows(session, rows, (row) => rows[row]?.method ?? '');
  });

  test('a difference and a compared tree: those of the recording', async (t) => {
    const session = await opened(t, join(ROOT, 'examples/pgo/after.iprof'), join(ROOT, 'examples/pgo/before.iprof'));
    const question = { recording: 'r1', base: 'r2', page: { limit: 0 } } as const;
    const { rows } = await ask(session, { ...question, view: 'diff', options: { all: true } });
    await checkRows(session, rows, (row) => rows[row]?.name ?? '');
    for (const { state, handle } of rows) equal(handle === undefined, state === 'gone');
  });

  test('reports of calls', async (t) => {
    const session = await opened(t, join(ROOT, 'examples/points-to/call_tree_shop-1.txt'));
    const entries = (await ask(session, { view: 'calls-entries', page: { limit: 10 } })).rows;
    await checkRows(session, entries, (row) => entries[row]?.method ?? '', 'calls-callers');
    const tree = (await ask(session, { view: 'calls-tree', options: { method: entries[0]?.handle ?? '' } })).rows;
    await checkRows(
      session,
      tree,
      (row) => tree[row]?.function.replace(/^.* calls |^is overridden by |^entry /, '') ?? '',
      'calls-callers',
    );
    const method = tree.at(-1)?.handle ?? '';
    const why = (await ask(session, { view: 'calls-why', options: { method } })).rows;
    await checkRows(session, why, (row) => why[row]?.method ?? '', 'calls-callers');
    const callers = (await ask(session, { view: 'calls-callers', options: { method } })).rows;
    await checkRows(session, callers, (row) => callers[row]?.method ?? '', 'calls-callers');
    const { nodes } = await ask(session, { view: 'calls-graph', options: { method, depth: 1 } });
    await checkRows(session, nodes, (row) => nodes[row]?.method ?? '', 'calls-callers');
  });

  test('a difference of reports: those of this report', async (t) => {
    const reports = ['call_tree_shop-2.txt', 'call_tree_shop-1.txt'].map((name) =>
      join(ROOT, 'examples/points-to', name),
    );
    const session = await opened(t, ...reports);
    for (const by of ['function', 'cause', 'entry', 'target'] as const) {
      const question = {
        view: 'calls-diff',
        recording: 'r1',
        base: 'r2',
        options: { by },
        page: { limit: 0 },
      } as const;
      const { rows } = await ask(session, question);
      const names = rows.map(({ name }) => name);
      if (rows.some(({ state }) => state === 'new'))
        await checkRows(session, rows, (row) => names[row] ?? '', 'calls-callers');
    }
    const { rows } = await ask(session, {
      view: 'calls-diff',
      recording: 'r1',
      base: 'r2',
      options: { by: 'function' },
    });
    for (const { state, handle } of rows) equal(handle === undefined, state === 'gone');
  });

  test('methods that no profile saw, one by one; groups have none', async (t) => {
    const session = await opened(
      t,
      join(ROOT, 'examples/points-to/call_tree_shop-1.txt'),
      join(ROOT, 'examples/points-to/shop.collapsed'),
    );
    const question = { view: 'calls-unreached', recording: 'r1', base: 'r2', page: { limit: 0 } } as const;
    const { rows } = await ask(session, { ...question, options: { show: 'unobserved', by: 'method' } });
    await checkRows(session, rows, (row) => rows[row]?.name ?? '', 'calls-callers');
    ok(rows.every(({ handle }) => handle !== undefined));
    const groups = (await ask(session, { ...question, options: { show: 'unobserved', by: 'class' } })).rows;
    ok(groups.length > 0 && groups.every(({ handle }) => handle === undefined));
  });

  test('the coverage of a profile, method by method', async (t) => {
    const session = await opened(t, BINARY_TREE);
    const question = { view: 'pgo-coverage', page: { limit: 40, offset: 2000 } } as const;
    const { rows } = await ask(session, { ...question, options: { by: 'method' } });
    await checkRows(session, rows, (row) => rows[row]?.name ?? '');
    ok(rows.filter(({ handle }) => handle !== undefined).length > 30);
    const groups = (await ask(session, { ...question, options: { by: 'class' } })).rows;
    ok(groups.every(({ handle }) => handle === undefined));
  });

  test('a stale profile, but of methods that it lacks', async (t) => {
    const session = await opened(t, join(ROOT, 'examples/loops/loops.iprof'));
    const { rows } = await ask(session, { view: 'pgo-stale', page: { limit: 0 } });
    await checkRows(session, rows, (row) => rows[row]?.method ?? '');
    for (const { state, handle } of rows) equal(handle === undefined, state === 'new');
  });
});

describe('the code of a handle', () => {
  test('is that of the native function', async (t) => {
    const session = await opened(t, join(ROOT, 'examples/experiment/shop.er.tar.gz'));
    const { rows } = await ask(session, { view: 'functions' });
    const row = rows.find((each) => each.function.includes('(shop.c)'));
    const byHandle = await ask(session, { view: 'disasm', options: { method: row?.handle ?? '' } });
    deepStrictEqual(byHandle, await ask(session, { view: 'disasm', options: { method: row?.function ?? '' } }));
  });

  test('is that of the method in the class path', async (t) => {
    const session = await opened(t, join(ROOT, 'examples/loops/loops.iprof'));
    const { rows } = await ask(session, { view: 'pgo-hot' });
    const row = rows.find((each) => each.method.startsWith('Loops.'));
    const byHandle = await ask(session, { view: 'disasm', options: { method: row?.handle ?? '' } });
    deepStrictEqual(byHandle, await ask(session, { view: 'disasm', options: { method: row?.method ?? '' } }));
  });
});

describe('a key', () => {
  test('stands for the function in any recording, also in the base', async () => {
    const session = await collapsed('main;a.B.run 3\nmain;a.B.runs 4\n', 'x;a.B.run 5\n');
    for (const [recording, sum] of [
      ['r1', 3],
      ['r2', 5],
    ] as const) {
      const scope = [{ kind: 'focus', pattern: 'function:1:a.B.run' }] as const;
      equal((await ask(session, { view: 'functions', recording, scope })).metric.sum, sum);
    }
  });
});

describe('the handle of a thread', () => {
  test('selects it alone, where others have its name', async (t) => {
    const session = await opened(t, SHOP);
    const { rows, metric } = await ask(session, { view: 'threads', page: { limit: 0 } });
    ok(rows.length > 5 && metric !== null);
    const options = { metric: metric.id };
    let handleCount = 0;
    for (const { handle = '', name, value } of rows) {
      if (value === null || value === 0) continue;
      const scoped = await ask(session, { view: 'threads', options, scope: [{ kind: 'thread', pattern: handle }] });
      deepStrictEqual(
        scoped.rows.filter((row) => (row.value ?? 0) > 0).map((row) => [row.handle, row.name, row.value]),
        [[handle, name, value]],
      );
      handleCount++;
    }
    ok(handleCount > 1);
  });

  test('means the threads of its name in the base', async (t) => {
    const session = await opened(t, SHOP, SHOP);
    const { rows } = await ask(session, { view: 'threads', page: { limit: 0 } });
    const one = rows.find(({ value }) => (value ?? 0) > 0);
    const scope = [{ kind: 'thread', pattern: one?.handle ?? '' }] as const;
    const { sum, base } = await ask(session, { view: 'diff', recording: 'r1', base: 'r2', scope });
    ok(sum > 0);
    const byName = [{ kind: 'thread', pattern: `^${one?.name}$` }] as const;
    equal(base.sum, (await ask(session, { view: 'diff', recording: 'r1', base: 'r2', scope: byName })).base.sum);
  });
});

describe('handles in heap dumps', () => {
  test('select a class alone, and single objects', async (t) => {
    const session = await opened(t, join(ROOT, 'examples/heap/graph.hprof.gz'));
    const { rows } = await ask(session, { view: 'heap-histogram' });
    for (const row of rows) {
      const options = { class: row.handle ?? '' };
      const [only, another] = (await ask(session, { view: 'heap-histogram', options })).rows;
      deepStrictEqual([only?.class, only?.objects, another], [row.class, row.objects, undefined]);
      const objects = await ask(session, { view: 'heap-objects', options, page: { limit: 3 } });
      equal(objects.total, row.objects);
      for (const { handle: object = '', address } of objects.rows)
        equal((await ask(session, { view: 'heap-inspect', options: { object } })).object.address, address);
    }
    const paths = await ask(session, { view: 'heap-paths', options: { class: rows[0]?.handle ?? '' } });
    ok(paths.rows.some(({ handle }) => handle !== undefined));
    for (const { handle: object, address } of paths.rows)
      if (object !== undefined)
        equal((await ask(session, { view: 'heap-inspect', options: { object } })).object.address, address);
    const dominators = await ask(session, { view: 'heap-dominators', page: { limit: 5 } });
    for (const { handle: object = '', address } of dominators.rows)
      equal((await ask(session, { view: 'heap-inspect', options: { object } })).object.address, address);
  });
});

describe('the handle of a function, where another reading of the file numbers rows in another way', () => {
  test('selects events that are read apart', async (t) => {
    const [whole, outlined] = await Promise.all(
      (['whole', 'outline'] as const).map(async (extent) => {
        const session = await openInputs([SHOP], { cache: false, announce: () => undefined, work: {}, extent });
        t.after(() => session.close());
        return session;
      }),
    );
    const { rows } = await ask(whole, { view: 'functions' });
    const { handle: pattern = '' } = rows.find((row) => row.function.startsWith('Shop.handle(')) ?? {};
    const options = { types: ['jdk.JavaMonitorEnter', 'jdk.ExecutionSample'] };
    const eventsOf = async (session: Session, scope: readonly ScopeStep[]) =>
      (await ask(session, { view: 'events', options, scope, page: { limit: 0 } })).rows.map(({ event }) => event);
    const expected = await eventsOf(whole, [{ kind: 'focus', pattern: '^Shop\\.handle\\(' }]);
    ok(expected.length > 0 && expected.length < (await eventsOf(whole, [])).length);
    deepStrictEqual(await eventsOf(whole, [{ kind: 'focus', pattern }]), expected);
    deepStrictEqual(await eventsOf(outlined, [{ kind: 'focus', pattern }]), expected);
  });
});

describe('the number of an event', () => {
  test('selects what happened during it', async (t) => {
    const session = await opened(t, SHOP);
    const { rows } = await ask(session, {
      view: 'events',
      options: { types: ['JavaMonitorEnter'] },
      page: { limit: 3 },
    });
    ok(rows.length > 0);
    for (const { event } of rows) {
      const scope = [{ kind: 'at', event }] as const;
      const during = await ask(session, { view: 'events', options: { types: ['JavaMonitorEnter'] }, scope });
      ok(
        during.rows.some((row) => row.event === event),
        event,
      );
    }
  });
});
