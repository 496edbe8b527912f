/** Threads of heap dumps, against the programs that were dumped. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openInputs } from '../../session/open.node.js';
import { ask, type Session } from '../../session/session.js';
import { sharedData } from '../../testing/shared-data.js';

async function opened(t: TestContext, path: string): Promise<Session | undefined> {
  const file = sharedData(t, `hprof/${path}`);
  if (file === undefined) return undefined;
  const session = await openInputs([file], { cache: false, announce: () => undefined, work: {} });
  t.after(() => session.close());
  return session;
}

test('ContendDemo: one thread sleeps with the monitor, one is blocked by it', async (t) => {
  const session = await opened(t, 'hotspot/hs17-contend.hprof.gz');
  if (session === undefined) return;
  const { rows, states, columns } = await ask(session, { view: 'threads', page: { limit: 0 } });
  const thread = (name: string) => rows.find((row) => row.name === name);
  deepStrictEqual(
    ['main', 'holder', 'blocked', 'Finalizer', 'Common-Cleaner'].map((name) => [
      thread(name)?.state,
      thread(name)?.kind,
    ]),
    [
      ['runnable', ''],
      ['sleeping', 'daemon'],
      ['blocked', 'daemon'],
      ['waiting', 'daemon'],
      ['timed-waiting', 'daemon'],
    ],
  );
  equal(states.blocked, 1);
  ok(thread('blocked')?.frame?.startsWith('ContendDemo.throughGate'));
  ok(thread('holder')?.frame?.startsWith('java.lang.Thread.sleep'));
  // The first thread of a virtual machine.
  equal(thread('main')?.id, 1);
  ok(['retained', 'address', 'locals'].every((key) => columns.some((column) => column.key === key)));
});

for (const path of ['hotspot/hs17-graph.hprof.gz', 'hotspot/hs25-graph.native-gz1.hprof.gz'])
  test(`GraphDemo ${path}: frames have their local variables`, async (t) => {
    const session = await opened(t, path);
    if (session === undefined) return;
    const { rows } = await ask(session, { view: 'threads', page: { limit: 0 } });
    const waiter = rows.find((row) => row.name === 'graph-waiter');
    equal(waiter?.state, 'waiting');
    ok(
      waiter?.stack
        .find(({ frame }) => frame?.includes('blockHere'))
        ?.locals.some(({ object }) => object === 'java.lang.StringBuilder'),
    );
    const main = rows.find((row) => row.name === 'main');
    const locals = main?.stack
      .find(({ frame }) => frame?.startsWith('GraphDemo.main'))
      ?.locals.map(({ object }) => object);
    // `x`, `y`, `m`, `chain` and `t` of `main`.
    for (const name of ['GraphDemo$Derived', 'java.util.HashMap', 'java.util.LinkedList', 'java.lang.Thread'])
      ok(locals?.includes(name), name);
    // The map of thread locals belongs to the thread alone: byte[12345].
    ok((main?.retained ?? 0) > 12345);
    // As `heap dominators` has it.
    const { rows: objects } = await ask(session, {
      view: 'heap-objects',
      options: { class: '^java.lang.Thread$' },
      page: { limit: 0 },
    });
    equal(main?.retained, objects.find(({ address }) => address === main?.address)?.retained);
  });

test('of agents the trace of a thread is not its stack, and its number stays', async (t) => {
  const session = await opened(t, 'agent/everything.hprof.gz');
  if (session === undefined) return;
  const { rows } = await ask(session, { view: 'threads', page: { limit: 0 } });
  deepStrictEqual(
    rows.filter(({ frame }) => frame !== null),
    [],
  );
  ok(rows.every(({ id }) => id !== null && id >= 200_000));
  equal(rows.find(({ name }) => name === 'blocked')?.state, 'blocked');
});
