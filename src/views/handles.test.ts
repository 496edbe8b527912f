/** Handles in rows: the next question about one is about exactly the row that it came from. */
import { deepStrictEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UsageError } from '../base/errors.js';
import { memorySource } from '../bytes/byte-source.js';
import { openInputs } from '../session/open.node.js';
import { ask, openSession, type Session } from '../session/session.js';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';

const SHOP = join(ROOT, 'examples/jfr/shop.jfr.gz');

async function opened(t: { after: (end: () => Promise<void>) => void }, ...names: readonly string[]): Promise<Session> {
  const session = await openInputs(names, { cache: false, announce: () => undefined, work: {} });
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
    match(run, /^function#\d+-[0-9a-f]{4}$/);
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
    const beyond = { view: 'callers', options: { function: 'function#999-0000' } } as const;
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
