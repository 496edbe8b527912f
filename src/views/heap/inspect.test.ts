/** Single objects of real dumps, against the source of the program that was dumped. */
import { deepStrictEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { runCommand } from '../../cli/testing/run-command.js';
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

async function inspect(session: Session, object: string, page = {}) {
  return ask(session, { view: 'heap-inspect', options: { object }, page });
}

/** The first object of a class. */
async function addressOf(session: Session, pattern: string): Promise<string> {
  const { rows } = await ask(session, { view: 'heap-objects', options: { class: pattern }, page: { limit: 1 } });
  return rows[0]?.address ?? '';
}

const valuesOf = ({ rows }: Awaited<ReturnType<typeof inspect>>) =>
  Object.fromEntries(rows.map(({ name, value }) => [name, value]));

/** As `GraphDemo.java` initialises them. */
const PRIMS = {
  z: 'true',
  b: '-128',
  c: 'ß',
  s: '-32768',
  i: '-2147483648',
  j: '-9223372036854775808',
  f: 'NaN',
  d: '-Infinity',
  str: 'prims',
  nul: 'null',
};
const STATICS = {
  sz: 'true',
  sb: '1',
  sc: 'あ',
  ss: '-2',
  si: '3',
  sj: '81985529216486895',
  sf: '1.5',
  sd: '3.141592653589793',
  snull: 'null',
};

const SMALL = 'hotspot/hs17-graph.hprof.gz';
const DUMPS = [SMALL, 'hotspot/hs25-graph.native-gz1.hprof.gz', 'agent/graph-heap-dump.hprof.gz'];

describe('GraphDemo', () => {
  for (const path of DUMPS) {
    test(`${path}: primitive fields, strings, null`, async (t) => {
      const session = await opened(t, path);
      if (session === undefined) return;
      deepStrictEqual(valuesOf(await inspect(session, await addressOf(session, 'GraphDemo\\$Prims'))), PRIMS);
    });

    test(`${path}: fields of super classes, references in a circle, referrers with names`, async (t) => {
      const session = await opened(t, path);
      if (session === undefined) return;
      const { rows } = await ask(session, { view: 'heap-objects', options: { class: 'GraphDemo\\$Derived' } });
      const both = await Promise.all(rows.map(({ address }) => inspect(session, address)));
      // `x.link` is x itself; `y.link` an array of x, null and y.
      const x = both.find((one) =>
        one.rows.some(({ name, address }) => name === 'link' && address === one.object.address),
      );
      const y = both.find((one) => one !== x);
      ok(x !== undefined && y !== undefined);
      const fields = x.rows.map(({ name, value, declared }) => `${declared}.${name} ${value}`).sort();
      deepStrictEqual(fields, [
        'GraphDemo$Base.b -128',
        'GraphDemo$Base.link null',
        'GraphDemo$Base.shared 11',
        'GraphDemo$Derived.c \\uffff',
        'GraphDemo$Derived.other null',
        'GraphDemo$Derived.shared 22',
      ]);
      equal(x.rows.find(({ name }) => name === 'other')?.address, y.object.address);
      const names = (one: typeof x) => one.referrers?.shown.map((by) => `${by.object} ${by.names?.join()}`).sort();
      // The list `roots` holds x in its array.
      deepStrictEqual(names(x), [
        'GraphDemo$Derived link',
        'GraphDemo$Derived other',
        'java.lang.Object[] [0]',
        'java.lang.Object[] [0]',
      ]);
      deepStrictEqual(names(y), ['GraphDemo$Derived other', 'java.lang.Object[] [2]']);
    });

    test(`${path}: statics of a class, elements by page`, async (t) => {
      const session = await opened(t, path);
      if (session === undefined) return;
      const { rows } = await ask(session, { view: 'heap-objects', page: { limit: 0 } });
      const program = rows.find((one) => one.class === 'class GraphDemo');
      const statics = valuesOf(await inspect(session, program?.address ?? '', { limit: 0 }));
      deepStrictEqual(Object.fromEntries(Object.keys(STATICS).map((name) => [name, statics[name]])), STATICS);
      equal(statics.CONST, 'a constant');
      const list = (await inspect(session, program?.address ?? '', { limit: 0 })).rows.find(
        ({ name }) => name === 'roots',
      );
      const array = (await inspect(session, list?.address ?? '')).rows.find(({ name }) => name === 'elementData');
      const page = await inspect(session, array?.address ?? '', { offset: 15, limit: 4 });
      deepStrictEqual(
        page.rows.slice(0, 3).map(({ name, value }) => [name, value]),
        [
          ['[15]', 'latin1 string'],
          ['[16]', 'UTF-16 文字列 🔥'],
          ['[17]', ''],
        ],
      );
      const elementOf = async (at: number) => {
        const [one] = (await inspect(session, array?.address ?? '', { offset: at, limit: 1 })).rows;
        return (await inspect(session, one?.address ?? '')).rows.map(({ value }) => value);
      };
      deepStrictEqual(await elementOf(8), ['true', 'false', 'true']);
      deepStrictEqual(await elementOf(10), ['a', '漢', '\\ud83d', '\\udd25']);
      deepStrictEqual(await elementOf(13), ['NaN', '1e-45', '-0']);
      deepStrictEqual(await elementOf(14), ['NaN', '5e-324', '-0']);
    });
  }

  for (const path of DUMPS.slice(0, 2))
    test(`${path}: a thread has its stack with the local variables of each frame`, async (t) => {
      const session = await opened(t, path);
      if (session === undefined) return;
      const { rows } = await ask(session, { view: 'heap-objects', options: { class: '^java.lang.Thread$' } });
      const threads = await Promise.all(rows.map(({ address }) => inspect(session, address, { limit: 0 })));
      const waiter = threads.find((one) => valuesOf(one).name === 'graph-waiter');
      ok(waiter?.stack);
      const frame = waiter.stack.find((one) => one.frame?.includes('GraphDemo.blockHere'));
      const held = frame?.locals.map(({ object }) => object) ?? [];
      ok(held.includes('java.lang.StringBuilder'), held.join());
      ok(waiter.roots.includes('thread'));
    });
});

test('an object held by a chain has its dominators up to the root, and a path with fields', async (t) => {
  const session = await opened(t, SMALL);
  if (session === undefined) return;
  const { dominators, path, object } = await inspect(session, await addressOf(session, 'GraphDemo\\$Prims'));
  const { rows } = await ask(session, { view: 'heap-objects', page: { limit: 0 } });
  // `heap objects` has the dominator of each object: the chain goes on with that of each.
  const above = new Map(rows.map((one) => [one.address, one.dominator]));
  const chain: string[] = [];
  for (let at = above.get(object.address); at !== null && at !== undefined; at = above.get(at)) chain.push(at);
  deepStrictEqual(
    dominators?.shown.map(({ address }) => address),
    chain,
  );
  deepStrictEqual(
    path?.shown.slice(-3).map(({ object: objectText, names }) => `${objectText} ${names}`),
    ['class GraphDemo roots', 'java.util.ArrayList elementData', 'java.lang.Object[] [1]'],
  );
});

test('an address without an object is an error', async (t) => {
  const session = await opened(t, SMALL);
  if (session === undefined) return;
  await rejects(inspect(session, '0x1'), UsageError);
  await rejects(inspect(session, 'zebra'), /not an address/);
});

test('objects have no texts where the file has none', async (t) => {
  const session = await opened(t, SMALL);
  if (session === undefined) return;
  const { rows } = await ask(session, { view: 'heap-objects', options: { class: 'java.lang.String' } });
  deepStrictEqual(
    rows.filter((row) => 'text' in row),
    [],
  );
});

test('a text dump has its recorded references', async (t) => {
  const session = await opened(t, 'agent/graph-heap-dump.txt.gz');
  if (session === undefined) return;
  const { rows } = await inspect(session, await addressOf(session, 'GraphDemo\\$Prims'));
  // Texts have references only, null ones not.
  deepStrictEqual(
    rows.map(({ name, object, value }) => [name, object, value]),
    [['str', 'java.lang.String', null]],
  );
});

test('the page has stack, dominators and values', async (t) => {
  const file = sharedData(t, `hprof/${SMALL}`);
  const session = await opened(t, SMALL);
  if (session === undefined || file === undefined) return;
  const address = await addressOf(session, 'GraphDemo\\$Prims');
  const { stdout } = await runCommand(['heap', 'inspect', file, address]);
  match(stdout, new RegExp(`GraphDemo\\$Prims @ ${address}`));
  match(stdout, /Dominated by\n {2}java\.lang\.Object\[\] @/);
  match(stdout, /^c +char +ß/m);
});

describe('with a limit of memory', () => {
  const run = (command: string, limit: string) =>
    runCommand(`heap ${command} --no-cache`.split(' '), { env: { KANSOKU_MEMORY: limit } });
  const DUMP = 'examples/heap/graph.hprof.gz';

  test('commands name what they need, and an object without the graph is a page', async () => {
    const refused = await run(`dominators ${DUMP}`, '10KB');
    equal(refused.status, 2);
    match(
      refused.stderr,
      /heap dominators of \S+ needs about [\d.]+ [KM]B of memory; the limit is 10.00 KB\n`heap histogram` and/,
    );
    const page = await run(`inspect ${DUMP} 0xfe0708a0 --no-graph`, '10KB');
    equal(page.status, 0);
    const whole = await run(`inspect ${DUMP} 0xfe0708a0`, '1GB');
    const values = (text: string) => text.slice(text.indexOf('Field '));
    match(whole.stdout, /retained {3}\d/);
    ok(!/retained|Dominated|Referred|Retained/.test(page.stdout), page.stdout);
    equal(values(page.stdout).split('\n').length, values(whole.stdout).split('\n').length);
  });

  test('the limit is an amount', async () => {
    const { status, stderr } = await run(`histogram ${DUMP}`, '12 apples');
    equal(status, 2);
    match(stderr, /KANSOKU_MEMORY is no amount of memory: 12 apples/);
  });
});
