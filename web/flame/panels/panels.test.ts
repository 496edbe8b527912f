/** The panel of functions against `functions` and `callers`. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { runCommand } from '../../../src/cli/testing/run-command.js';
import { ask } from '../../../src/session/session.js';
import { picture } from '../../../src/testing/pictures/picture.js';
import { picturedSession } from '../../../src/testing/pictures/pictured-session.js';
import { BINARY_TREE } from '../../../src/testing/shared-data.js';
import { FlamePage, temporaryFolder } from '../testing/flame-page.js';
import { SAMPLE } from '../testing/samples.js';

const WITH_SAMPLES = { flame: { samples: true } };

/** Values that are wider than their cells. */
const tooWide = (flame: FlamePage): Promise<string[]> =>
  flame.page
    .locator('.page-side .function-value')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent ?? ''),
    );

describe('the panel of functions', () => {
  const rowTexts = (flame: FlamePage): Promise<string[][]> =>
    flame.page
      .locator('.function-rows [role=row]')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.children].map((cell) => cell.querySelector('button')?.title ?? cell.textContent ?? ''),
        ),
      );

  it('lists self and total, sorted and filtered, and what is around a function', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const session = picturedSession(SAMPLE);
    const flame = await FlamePage.ofSession(t, session, WITH_SAMPLES);
    await flame.page.getByRole('button', { name: 'Functions' }).click();
    const { rows } = await ask(session, { view: 'functions', page: { limit: 0, sort: '-self' } });
    const listed = (await rowTexts(flame)).map(([name, self = '', total = '']) => [
      name,
      Number.parseInt(self, 10),
      Number.parseInt(total, 10),
    ]);
    deepStrictEqual(listed.slice().sort(), rows.map((row) => [row.function, row.self, row.total]).sort());
    equal(listed[0]?.[0], 'hash');
    await flame.page.getByRole('button', { name: 'Sort by total' }).click();
    equal((await rowTexts(flame))[0]?.[0], 'hash');
    await flame.page.getByRole('button', { name: 'Sort by function' }).click();
    equal((await rowTexts(flame))[0]?.[0], 'hash');
    await flame.page.getByRole('searchbox', { name: 'Filter functions' }).fill('APP.');
    deepStrictEqual(
      (await rowTexts(flame)).map(([name]) => name),
      ['shop.App.get', 'shop.App.main', 'shop.App.put'],
    );
    await flame.page.locator('.function-rows').getByRole('button', { name: 'shop.App.main' }).click();
    const around = flame.page.getByRole('region', { name: 'Callers and callees' });
    await around.getByRole('heading', { name: 'shop.App.main' }).waitFor();
    equal((await flame.details()).name, 'shop.App.main');
    const callers = await ask(session, { view: 'callers', options: { function: 'shop.App.main' } });
    const expected = callers.rows.filter((row) => row.relation === 'callee').map((row) => row.attributed);
    const shown = await around.locator('ul').nth(1).locator('li .function-value').allTextContents();
    deepStrictEqual(
      shown.map((text) => Number.parseInt(text, 10)),
      expected.sort((a, b) => Number(b) - Number(a)),
    );
    await around.getByRole('button', { name: 'shop.App.get' }).click();
    await around.getByRole('heading', { name: 'shop.App.get' }).waitFor();
  });

  it('cuts names where there is no room: packages first, and never one with the keyboard focus', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const name = 'org.example.shop.warehouse.inventory.reservation.StockReservationService.reserveAllItemsOfTheBasket';
    const session = picturedSession(picture(`${name}\nshop.App.get`));
    const flame = await FlamePage.ofSession(t, session, { context: { viewport: { width: 1000, height: 700 } } });
    await flame.page.getByRole('button', { name: 'Functions' }).click();
    const cut = flame.page.locator('.function-rows').getByRole('button', { name });
    const texts = async () => [await cut.textContent(), await cut.getAttribute('title')];
    const [label = ''] = await texts();
    match(label ?? '', /^\u2068…StockReservationService\.\w{4,}…\u2069$/);
    equal((await texts())[1], name);
    const width = (): Promise<boolean> => cut.evaluate((one) => one.scrollWidth > one.clientWidth);
    equal(await width(), false);
    await flame.page.getByRole('button', { name: 'Sort by total' }).focus();
    for (let i = 0; i < 4 && (await texts())[0] === label; i++) await flame.press('Tab');
    equal((await texts())[0], name);
    equal(await width(), false, 'all of it is seen');
    await flame.press('Enter');
    equal((await flame.details()).name, name);
    equal((await texts())[0], name, 'the focus stays');
    const wide = await FlamePage.ofSession(t, session, { context: { viewport: { width: 2600, height: 700 } } });
    await wide.page.getByRole('button', { name: 'Functions' }).click();
    equal(await wide.page.locator('.function-rows').getByRole('button', { name }).textContent(), name);
  });

  it('has no totals for calls counted at their places, and the callers they are inlined into', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const file = join(temporaryFolder(t), 'calls.html');
    const answer = async (...words: string[]) => {
      const { status, stdout, stderr } = await runCommand([...words, '--metric', 'calls']);
      equal(status, 0, stderr);
      return stdout;
    };
    await answer('flame', BINARY_TREE, '--inverted', '-o', file);
    const flame = await FlamePage.open(t, file);
    await flame.page.getByRole('button', { name: 'Functions' }).click();
    deepStrictEqual(await flame.page.getByRole('columnheader').allTextContents(), ['Function', 'Self']);
    await flame.page.getByRole('searchbox', { name: 'Filter functions' }).fill('BinaryTrees$TreeNode.');
    const listed: { rows: { function: string; self: number }[] } = JSON.parse(
      await answer('functions', BINARY_TREE, '--limit', '0', '--json'),
    );
    const number = (text: string | null): number => Number.parseInt((text ?? '').replaceAll(',', ''), 10);
    deepStrictEqual(
      (await rowTexts(flame)).map(([name, self = '']) => [name, number(self)]),
      listed.rows
        .filter((row) => row.function.includes('BinaryTrees$TreeNode.') && row.self > 0)
        .map((row) => [row.function, row.self]),
    );
    const ITEM_CHECK = 'bench.shootouts.BinaryTrees$TreeNode.itemCheck()';
    await flame.page.locator('.function-rows').getByRole('button', { name: ITEM_CHECK }).click();
    const around = flame.page.getByRole('region', { name: 'Callers and callees' });
    await around.getByRole('heading', { name: ITEM_CHECK }).waitFor();
    match((await around.locator('p').textContent()) ?? '', /^self 2,242,825,605 \(34\.57 %\)$/);
    const calls: { rows: { relation: string; function: string; attributed: number }[] } = JSON.parse(
      await answer('callers', BINARY_TREE, ITEM_CHECK, '--limit', '0', '--json'),
    );
    deepStrictEqual(await tooWide(flame), []);
    for (const [at, relation] of ['caller', 'callee'].entries()) {
      const expected = new Map<string, number>();
      for (const row of calls.rows.filter((one) => one.relation === relation)) {
        const name = row.function.startsWith('<not inlined') ? '(not inlined: callers not recorded)' : row.function;
        expected.set(name, (expected.get(name) ?? 0) + row.attributed);
      }
      const shown = await around
        .locator('ul')
        .nth(at)
        .locator('li')
        .evaluateAll((rows) =>
          rows.map((row): [string, string] => [
            row.querySelector('button')?.title ?? row.lastElementChild?.textContent ?? '',
            row.firstElementChild?.textContent ?? '',
          ]),
        );
      deepStrictEqual(new Map(shown.map(([name, text]) => [name, number(text)])), expected, relation);
    }
  });

  it('follows the thread, and is not offered where a part of the graph was left out', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE), WITH_SAMPLES);
    await flame.page.getByRole('button', { name: 'Functions' }).click();
    await flame.choose('Thread', 'worker');
    await flame.choose('View', 'inverted');
    deepStrictEqual(
      (await rowTexts(flame)).map((cells) => cells.map((text) => text.split(' ')[0])),
      [
        ['hash', '20', '20'],
        ['run', '0', '20'],
      ],
    );
    const cut = await FlamePage.ofSession(t, picturedSession(SAMPLE), { flame: { depth: 1 } });
    ok(await cut.page.getByRole('button', { name: 'Functions' }).isDisabled());
  });

  it('has room for values of any length', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const large = picture(`
      @count  9007199254740000  8000000000000
              main              main
              get
    `);
    const flame = await FlamePage.ofSession(t, picturedSession(large));
    await flame.page.getByRole('button', { name: 'Functions' }).click();
    await flame.page.locator('.function-rows').getByRole('button', { name: 'main' }).click();
    await flame.page.getByRole('region', { name: 'Callers and callees' }).getByRole('heading').first().waitFor();
    deepStrictEqual(await tooWide(flame), []);
    const names = flame.page.locator('.function-rows .function-name');
    ok((await names.first().evaluate((cell) => cell.clientWidth)) > 60, 'and for the names');
  });

  it('makes only the rows in view', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const columns = Array.from({ length: 2000 }, (_, i) => `f${String(i).padStart(4, '0')}  `);
    const wide = picture(
      [`@count ${columns.map(() => '1      ').join(' ')}`, `       ${columns.join(' ')}`].join('\n'),
    );
    const flame = await FlamePage.ofSession(t, picturedSession(wide));
    await flame.page.getByRole('button', { name: 'Functions' }).click();
    ok((await rowTexts(flame)).length < 60);
    await flame.page.locator('.function-scroller').evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await flame.frame();
    const rows = await rowTexts(flame);
    ok(rows.length < 60);
    equal(rows.at(-1)?.[0], 'f1999');
  });
});
