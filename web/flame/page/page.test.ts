/** What the page derives of its samples, and its address. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { flameHtml } from '../../../src/cli/render/flame-html.js';
import { ask } from '../../../src/session/session.js';
import { picture } from '../../../src/testing/pictures/picture.js';
import { picturedSession } from '../../../src/testing/pictures/pictured-session.js';
import { changeFragment } from '../../shared/testing/address.js';
import { FlamePage, temporaryFolder } from '../testing/flame-page.js';
import { SAMPLE } from '../testing/samples.js';

const WITH_SAMPLES = { flame: { samples: true } };

/** Name, self and total of each box, in any order; read with the search keys. */
async function boxes(flame: FlamePage): Promise<string[]> {
  await flame.page.getByLabel('regular expression').check();
  await flame.focus();
  await flame.press('/');
  await flame.page.keyboard.type('.');
  await flame.press('Enter');
  const count = Number.parseInt((await flame.found()).split(' ')[0] ?? '', 10);
  const seen: string[] = [];
  for (let i = 0; i < count; i++) {
    const { name, self, total, depth } = await flame.details();
    seen.push(`${depth} ${name} ${self ?? ''} ${total}`);
    await flame.press('n');
  }
  return seen.sort();
}

describe('what the page makes of its samples', () => {
  it('shows one thread, either way round, with the numbers of tree', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const session = picturedSession(SAMPLE);
    const flame = await FlamePage.ofSession(t, session, WITH_SAMPLES);
    for (const inverted of [false, true]) {
      await flame.choose('View', inverted ? 'inverted' : 'top-down');
      for (const thread of ['main', 'worker']) {
        await flame.choose('Thread', thread);
        const scope = [{ kind: 'thread' as const, pattern: thread }];
        const tree = await ask(session, { view: 'tree', options: { inverted }, scope, page: { limit: 0 } });
        const expected = tree.rows.map(
          (row) => `${row.depth} ${row.function} ${inverted ? '' : row.self} ${row.total}`,
        );
        deepStrictEqual(await boxes(flame), expected.sort());
      }
      await flame.choose('Thread', 'all 2');
    }
  });

  it('shows them in the order of time, thread by thread', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE), WITH_SAMPLES);
    await flame.choose('Order', 'by time');
    // main: get 50, put 10, HashMap.put 25, get 30; then worker: 20.
    deepStrictEqual(await boxes(flame), [
      '0 run 0 20',
      '0 shop.App.main 0 115',
      '1 hash 20 20',
      '1 java.util.HashMap.put 0 25',
      '1 shop.App.get 0 30',
      '1 shop.App.get 0 50',
      '1 shop.App.put 10 10',
      '2 hash 25 25',
      '2 hash 30 30',
      '2 hash 50 50',
    ]);
    await flame.page.mouse.move(0, 0);
    const box = await flame.page.getByRole('application').boundingBox();
    if (box === null) throw new Error('the canvas has no place');
    await flame.page.mouse.move(box.x + (box.width * 70) / 135, box.y + 19 * 2.5);
    equal((await flame.details()).name, 'java.util.HashMap.put', 'from 60 to 85');
    await flame.choose('Order', 'by name');
    equal((await boxes(flame)).length, 8);
  });

  it('compares one thread, and shows the order of time without the base', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const base = picture(`
      @thread  main           worker  other
      @time    10             15      20
      @count   8              30      5
               shop.App.main  run     run
               shop.App.get   hash
    `);
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE, base), { ...WITH_SAMPLES, base: 'r2' });
    deepStrictEqual(await flame.page.getByRole('combobox', { name: 'Thread' }).locator('option').allTextContents(), [
      'all 3',
      'main',
      'worker',
      'other',
    ]);
    await flame.choose('Thread', 'worker');
    await flame.press('ArrowDown', 'ArrowDown');
    const { name, total, 'base-total': ofBase, difference } = await flame.details();
    deepStrictEqual([name, total, ofBase, difference], ['hash', '20', '30', '\u221210 (\u221233.33 %)']);
    await flame.choose('View', 'inverted');
    await flame.press('ArrowDown');
    deepStrictEqual((await flame.details())['base-total'], '30');
    await flame.choose('View', 'top-down');
    await flame.choose('Order', 'by time');
    equal(await flame.hash(), '#thread=worker&order=time');
    await flame.page.getByText('In the order of time: without picture 2, which has times of its own.').waitFor();
    await flame.press('ArrowDown', 'ArrowDown');
    deepStrictEqual([(await flame.details()).total, (await flame.details())['base-total']], ['20', undefined]);
    equal(await flame.page.getByRole('combobox', { name: 'Colour' }).getByText('difference').count(), 0);
    await changeFragment(flame.page, '#order=time&colour=difference');
    await flame.page.waitForFunction(() => location.hash === '#order=time');
    equal(await flame.page.getByRole('combobox', { name: 'Colour' }).inputValue(), 'package');
    await flame.goBack();
    equal(await flame.hash(), '#thread=worker&order=time');
    await flame.goBack();
    equal(await flame.hash(), '#thread=worker');
    equal(await flame.page.getByRole('combobox', { name: 'Colour' }).inputValue(), 'difference');
    deepStrictEqual(flame.browser.complaints, []);
  });

  it('offers neither where the recording has none', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(picture('@count 3 1\n       a a\n         b')));
    equal(await flame.page.getByRole('combobox', { name: 'Thread' }).count(), 0);
    deepStrictEqual(await flame.page.getByRole('combobox', { name: 'Order' }).locator('option').allTextContents(), [
      'by name',
      'heaviest first',
    ]);
  });
});

describe('the address', () => {
  it('has zoom, search, colours, view and thread; Back and a copy of it restore them', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE), WITH_SAMPLES);
    const hash = () => flame.hash();
    equal(await hash(), '');
    await flame.press('ArrowDown', 'Enter');
    equal(await hash(), '#zoom=2');
    await flame.choose('Colour', 'kind');
    equal(await hash(), '#colour=kind&zoom=2');
    await flame.page.getByRole('searchbox', { name: 'Search' }).fill('hash');
    await flame.page.waitForFunction(() => location.hash === '#colour=kind&search=hash&zoom=2');
    await flame.choose('View', 'inverted');
    equal(await hash(), '#view=inverted&colour=kind&search=hash');
    await flame.choose('Thread', 'worker');
    const copied = await flame.page.evaluate(() => location.href);
    equal(await hash(), '#view=inverted&thread=worker&colour=kind&search=hash');
    await flame.goBack();
    await flame.goBack();
    equal(await flame.page.getByRole('combobox', { name: 'View' }).inputValue(), 'false');
    equal((await flame.viewport())?.zoomed, 2);
    equal(await flame.page.getByRole('searchbox', { name: 'Search' }).inputValue(), 'hash');
    await flame.press('ArrowDown');
    const focused = await flame.focused();
    ok(focused > 0);
    await flame.goBack();
    await flame.goBack();
    equal(await flame.focused(), focused, 'the graph is the same');
    equal((await flame.viewport())?.zoomed, 0);
    equal(await hash(), '');
    await flame.page.goto('about:blank');
    await flame.page.goto(copied);
    await flame.page.waitForFunction(() => performance.getEntriesByName('flame-ready').length > 0);
    equal(await flame.page.getByRole('combobox', { name: 'Thread' }).inputValue(), '1');
    equal(await flame.page.getByRole('combobox', { name: 'Colour' }).inputValue(), 'kind');
    match(await flame.found(), /^2 matches: 20, 100\.00 % of all|^1 match: 20, 100\.00 % of all/);
  });

  it('that does not fit is ignored', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE), WITH_SAMPLES);
    await changeFragment(
      flame.page,
      '#metric=none&view=1&thread=x&order=up&colour=red&zoom=1e9&x=a..b&y=-5&search=%ff',
    );
    deepStrictEqual(await flame.viewport(), { from: 0, to: 135, scroll: 0, zoomed: 0 });
    deepStrictEqual(flame.browser.complaints, []);
  });
});

it('the notes name graphs omitted for size', async (t) => {
  if (!hasProgram(t, 'chromium')) return;
  const result = await ask(picturedSession(SAMPLE), { view: 'flame' });
  const file = join(temporaryFolder(t), 'page.html');
  writeFileSync(file, flameHtml([result], { omitted: ['Left out for size: Bytes, inverted.'] }));
  const flame = await FlamePage.open(t, file);
  await flame.page.getByRole('list', { name: 'Notes' }).getByText('Left out for size: Bytes, inverted.').waitFor();
});

describe('what the reader takes along', () => {
  it('is the name, a PNG of the canvas, and an SVG', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE));
    await flame.press('ArrowDown');
    await flame.page.getByRole('button', { name: 'Copy name' }).click();
    await flame.page.getByText('Copied: shop.App.main').waitFor();
    const saved = async (name: string): Promise<Buffer> => {
      const download = flame.page.waitForEvent('download');
      await flame.page.getByRole('button', { name }).click();
      return readFileSync(await (await download).path());
    };
    const png = await saved('Save as PNG');
    deepStrictEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const width = await flame.page.evaluate(() => document.querySelector<HTMLCanvasElement>('.page-canvas')?.width);
    equal(png.readUInt32BE(16), width);
    const svg = (await saved('Save as SVG')).toString('utf8');
    match(svg, /^<\?xml version="1\.0".*<title>shop\.App\.main, self 0, total 115, 85\.19 % of all<\/title>/s);
    deepStrictEqual(flame.browser.complaints, []);
  });
});
