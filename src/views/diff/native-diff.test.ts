/** Differences between drawn profiles with native code: of one build by place, of two by function and line. */
import { deepStrictEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask } from '../../session/session.js';
import { picture } from '../../testing/pictures/picture.js';
import { picturedSession } from '../../testing/pictures/pictured-session.js';

async function rowsOf(base: string, now: string, by: 'context' | 'function') {
  const session = picturedSession(picture(base), picture(now));
  const question = {
    view: 'diff',
    recording: 'r2',
    base: 'r1',
    options: { by, same: true, all: true },
    page: { limit: 0 },
  } as const;
  const { rows } = await ask(session, question);
  return rows.map((row) => [row.name, row.base, row.value, row.match]).sort();
}

const run = (path: string, build: string, address: string, count: number) => `
  !${path}  kind=executable ${build} main@1000 map=${address}000+4000@1000
  @count  ${count}                     ${count}
          main*${address}010 main*${address}010
          app!shop.c|add@2000   *${address}020
`;

describe('native code of one build', () => {
  it('is joined by load object and offset, independent of its address', async () => {
    const expected = [
      ['add (shop.c) at app!0x2000 < main (app) at app!0x1010', 5, 7, 'exact'],
      ['[app] at app!0x1020 < main (app) at app!0x1010', 5, 7, 'exact'],
    ].sort();
    const base = run('/opt/app', 'id=4fc5', '00007f3c00001', 5);
    deepStrictEqual(await rowsOf(base, run('/opt/app', 'id=4fc5', 'ffffffff81000', 7), 'context'), expected);
    deepStrictEqual(await rowsOf(base, run('/opt/app', '', '00007f3c00001', 7), 'context'), expected);
  });
});

describe('native code of two builds', () => {
  const base = run('/opt/app', 'id=4fc5', '00007f3c00001', 5);
  const now = run('/opt/app', 'id=77aa', '00007f3c00001', 7);

  it('has no place in common', async () => {
    const rows = await rowsOf(base, now, 'context');
    deepStrictEqual(
      rows.map(([, before, after]) => [before, after]),
      [
        [0, 7],
        [5, 0],
        [0, 7],
        [5, 0],
      ],
    );
  });

  it('has its functions, also if it was built in another folder', async () => {
    const expected = (join: string) =>
      [
        ['[app]', 5, 7, 'exact'],
        ['add (shop.c)', 5, 7, join],
        ['main (app)', 0, 0, join],
      ].sort();
    deepStrictEqual(await rowsOf(base, now, 'function'), expected('exact'));
    const moved = run('/home/next/app', 'id=77aa', '00007f3c00001', 7);
    deepStrictEqual(await rowsOf(base, moved, 'function'), expected('by name'));
  });
});

describe('code that was made at run time', () => {
  it('is joined by function and line', async () => {
    const compiled = (offset: string, count: number) => `
      !/tmp/jit  kind=jit
      @count  ${count}
              jit!App.main@${offset}(7)
    `;
    deepStrictEqual(await rowsOf(compiled('40', 1), compiled('80', 2), 'context'), [
      ['App.main line 7', 1, 2, 'exact'],
    ]);
  });
});
