/** Listings, trees and flame graphs of drawn profiles with native code. */
import { deepStrictEqual, equal, rejects } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { flamePicture } from '../../pictures/flame/picture.js';
import { ask } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { flameNodes, treeNodes } from '../../testing/pictures/flame-nodes.js';
import { picture } from '../../testing/pictures/picture.js';
import { picturedSession } from '../../testing/pictures/pictured-session.js';
import { drawn, plainEvents, signatureOf } from '../../testing/pictures/random-picture.js';

const ALL = { limit: 0 };

/** One address is malloc's at first and, when other code was loaded there, another library's. */
const SAMPLE = `
  !/opt/app            kind=executable id=4fc5 main@1000
  !/usr/lib/libc.so.6  map=7f3c00001000+2000@1000[0..50]
  !/usr/lib/libm.so.6  map=7f3c00001000+2000@0[50..]
  @time   10                       20                    60
  @count  5                        2                     1
          app!main@1010(7)         app!main@1010(7)      app!main@1010(7)
          ~app!shop.c|add@1010     app!shop.c|add@2000   *7f3c00001040
          malloc*7f3c00001040
`;

describe('a drawn profile with native code', () => {
  const session = picturedSession(picture(SAMPLE));

  it('has a row for each function, inlined or called, and one for the unknown functions of a load object', async () => {
    const { rows } = await ask(session, { view: 'functions', page: ALL });
    deepStrictEqual(
      rows.map((row) => [row.function, row.self, row.total]),
      [
        ['malloc (libc.so.6)', 5, 5],
        ['add (shop.c)', 2, 7],
        ['[libm.so.6]', 1, 1],
        ['main (app)', 0, 8],
      ],
    );
  });

  it('is a tree of functions, and the same flame graph', async () => {
    const tree = treeNodes(await ask(session, { view: 'tree', page: ALL }));
    deepStrictEqual(
      tree.map(({ path, total }) => [path, total]),
      [
        ['/main (app)', 8],
        ['/main (app)/[libm.so.6]', 1],
        ['/main (app)/add (shop.c)', 7],
        ['/main (app)/add (shop.c)/malloc (libc.so.6)', 5],
      ],
    );
    deepStrictEqual(flameNodes(flamePicture(await ask(session, { view: 'flame' }))), tree);
  });

  it('has callers and callees across load objects', async () => {
    const { rows } = await ask(session, { view: 'callers', options: { function: 'add' }, page: ALL });
    deepStrictEqual(
      rows.map((row) => [row.relation, row.function, row.attributed]),
      [
        ['caller', 'main (app)', 7],
        ['function', 'add (shop.c)', 2],
        ['callee', 'malloc (libc.so.6)', 5],
      ],
    );
  });

  it('has callers and callees of a fragment of stacks', async () => {
    const around = async (name: string) => {
      const { rows } = await ask(session, { view: 'callers', options: { function: name }, page: ALL });
      return rows.map((row) => `${row.relation} ${row.function} ${row.attributed}`);
    };
    deepStrictEqual(await around('main -> add'), [
      'caller <root> 7',
      'function main (app) null',
      'function add (shop.c) 2',
      'callee malloc (libc.so.6) 5',
    ]);
    deepStrictEqual(await around('add -> malloc'), [
      'caller main (app) 5',
      'function add (shop.c) null',
      'function malloc (libc.so.6) 5',
    ]);
    deepStrictEqual((await around('add -> main')).length, 2);
    await rejects(around('add -> nothing'), /has no function nothing/);
  });

  it('is filtered by load object, and hides inlined frames like others', async () => {
    const nodesOf = async (kind: 'focus' | 'hide', pattern: string) =>
      treeNodes(await ask(session, { view: 'tree', page: ALL, scope: [{ kind, pattern }] })).map(
        ({ path, total }) => `${path} ${total}`,
      );
    deepStrictEqual(await nodesOf('focus', 'libm'), ['/main (app) 1', '/main (app)/[libm.so.6] 1']);
    deepStrictEqual(await nodesOf('hide', '^main|shop'), ['/[libm.so.6] 1', '/malloc (libc.so.6) 5']);
  });
});

it('functions of random profiles have the values of the events with them', async () => {
  await fc.assert(
    fc.asyncProperty(plainEvents, async (events) => {
      const expected = new Map<string, [self: number, total: number]>();
      for (const { frames, count } of events) {
        const names = frames.map(signatureOf);
        for (const name of new Set(names)) {
          const [self, total] = expected.get(name) ?? [0, 0];
          expected.set(name, [self + (names.at(-1) === name ? count : 0), total + count]);
        }
      }
      for (const [name, [, total]] of expected) if (total === 0) expected.delete(name);
      const { rows } = await ask(picturedSession(drawn(events)), { view: 'functions', page: ALL });
      deepStrictEqual(
        new Map(rows.map((row) => [row.function, [row.self, row.total]])),
        new Map([...expected].sort((a, b) => b[1][0] - a[1][0])),
      );
      equal(rows.length, expected.size);
    }),
    runs(300),
  );
});
