/**
 * The program that the published description of the format explains (Fibonacci numbers, ten of them), question by
 * question: the expected values are those that the text states, or can be counted in the program's source.
 */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { fileSource } from '../../bytes/file.node.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const FIXTURES = join(ROOT, 'src', 'formats', 'iprof', 'fixtures');
const ALL = { limit: 0 };

describe('the Fibonacci example', () => {
  let session: Session;
  before(async () => {
    session = await openSession([await fileSource(join(FIXTURES, 'fib-1.0.0.iprof'))]);
  });

  it('the loop check at BCI 11 has ten iterations and one exit', async () => {
    const { rows } = await ask(session, {
      view: 'pgo-branches',
      scope: [{ kind: 'focus', pattern: 'Fib.fibonacci' }],
      page: ALL,
    });
    const loop = rows.find((row) => row.site === 'Fib.fibonacci:11');
    deepStrictEqual(loop?.targets, [
      { name: '20', count: 10, share: 10 / 11 },
      { name: '53', count: 1, share: 1 / 11 },
    ]);
    equal(loop?.executed, 11);
    equal(loop?.per_call, 11);
    equal(loop?.trips, 10);
  });

  it('valueOf was never called with null: its check had one outcome, once a call, outside of loops', async () => {
    const { rows } = await ask(session, { view: 'pgo-branches', page: ALL });
    const check = rows.find((row) => row.site === 'java.lang.String.valueOf:1');
    equal(check?.bias, 1);
    equal(check?.per_call, 1);
    equal(check?.trips, null);
  });

  it('print was inlined into fibonacci at BCI 34 and ran ten times there', async () => {
    const inlining = await ask(session, { view: 'pgo-inlining', options: { method: 'Fib.fibonacci' }, page: ALL });
    const rows = inlining.rows.map(({ depth, calls, at, method }) => ({ depth, calls, at, method }));
    deepStrictEqual(rows, [
      { depth: 0, calls: 1, at: '', method: 'Fib.fibonacci()' },
      { depth: 1, calls: 10, at: '34', method: 'java.io.PrintStream.print(java.lang.String)' },
      { depth: 2, calls: 10, at: '2', method: 'java.lang.String.valueOf(java.lang.Object)' },
    ]);
    const into = await ask(session, {
      view: 'pgo-inlining',
      options: { method: 'PrintStream.print', into: true },
      page: ALL,
    });
    deepStrictEqual(
      into.rows.map(({ depth, calls, at, method }) => ({ depth, calls, at, method })),
      [
        { depth: 0, calls: 10, at: '', method: 'java.io.PrintStream.print(java.lang.String)' },
        { depth: 1, calls: 10, at: '34', method: 'Fib.fibonacci()' },
      ],
    );
  });

  it('toString was called on strings only; the other site had three classes', async () => {
    const { rows, shapes } = await ask(session, { view: 'pgo-receivers', page: ALL });
    const met = rows.find((row) => row.site === 'java.lang.String.valueOf:11');
    deepStrictEqual(met?.classes, [{ name: 'java.lang.String', count: 10, share: 1 }]);
    equal(rows.find((row) => row.types === 3)?.shape, 'megamorphic');
    deepStrictEqual(
      shapes.map(({ shape, sites, calls }) => [shape, sites, calls]),
      [
        ['monomorphic', 1, 10],
        ['effectively monomorphic', 0, 0],
        ['bimorphic', 0, 0],
        ['megamorphic', 1, 118],
        ['never called', 0, 0],
      ],
    );
  });

  it('a Fib was locked once: fibonacci is synchronized and ran once', async () => {
    const { rows } = await ask(session, { view: 'monitors', page: ALL });
    deepStrictEqual(
      rows.map((row) => [row.monitor, row.count]),
      [
        ['java.lang.Object', 4],
        ['Fib', 1],
      ],
    );
  });

  it('most samples are in sleep, all of them below main', async () => {
    const functions = await ask(session, { view: 'functions', options: { metric: 'samples' }, page: ALL });
    equal(functions.rows[0]?.function, 'com.oracle.svm.core.thread.PlatformThreads.sleep(long)');
    equal(functions.rows[0]?.self, 10);
    const main = functions.rows.find((row) => row.function === 'Fib.main(java.lang.String[])');
    equal(main?.total, 11);
    equal(main?.self, 0);
  });
});

describe('a file with everything', () => {
  let session: Session;
  before(async () => {
    session = await openSession([await fileSource(join(FIXTURES, 'all-sections-1.1.0.iprof'))]);
  });

  it('type checks are shown like receivers', async () => {
    const { rows, kind } = await ask(session, { view: 'pgo-receivers', options: { kind: 'instanceof' }, page: ALL });
    equal(kind, 'instanceof');
    equal(rows.length > 0, true);
    for (const row of rows)
      equal(
        row.classes.reduce((sum, one) => sum + one.count, 0),
        row.calls,
      );
  });
});

describe('numbers that must not be mixed', () => {
  const text = JSON.stringify({
    version: '1.1.0',
    types: [
      { id: 1, name: 'A' },
      { id: 2, name: 'void' },
    ],
    methods: [1, 2, 3].map((id) => ({ id, name: `m${id}`, signature: [1, 2] })),
    callCountProfiles: [
      { ctx: '2:0', records: [2] },
      { ctx: '2:0<1:4', records: [5] },
    ],
    conditionalProfiles: [
      { ctx: '2:7', records: [9, 0, 3, 11, 1, 1] },
      { ctx: '2:7<3:8', records: [9, 0, 1000, 11, 1, 0] },
    ],
  });
  let session: Session;
  before(async () => {
    session = await openSession([memorySource('mixed.iprof', new TextEncoder().encode(text))]);
  });

  it('per call and trips use only contexts with counted calls', async () => {
    const [row] = (await ask(session, { view: 'pgo-branches', page: ALL })).rows;
    equal(row?.executed, 1004);
    equal(row?.per_call, 4 / 2);
    equal(row?.trips, 3 / 2);
  });

  it('methods inlined into a hidden method do not become roots', async () => {
    const scope = [{ kind: 'hide', pattern: 'm1' }] as const;
    const [row] = (await ask(session, { view: 'pgo-hot', scope, page: ALL })).rows;
    equal(row?.calls, 7);
    equal(row?.not_inlined, 2);
    const inlining = await ask(session, { view: 'pgo-inlining', options: { method: 'm2' }, scope, page: ALL });
    equal(inlining.calls, 2);
  });
});
