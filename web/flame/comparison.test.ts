/** Comparisons and the pointer, on the page in a real Chromium. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasProgram } from '../../scripts/testing/programs.js';
import { picturedSession } from '../../src/testing/pictures/pictured-session.js';
import { FlamePage } from './testing/flame-page.js';
import { OTHER, SAMPLE } from './testing/samples.js';

describe('a comparison', () => {
  it('says in numbers and words what differs, in boxes and in details', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE, OTHER), { base: 'r2' });
    const texts = (await flame.texts()).map(({ text }) => text);
    for (const expected of [/^\+38 % shop\.App\.get$/, /^vanished: /, /^new: /])
      ok(
        texts.some((text) => expected.test(text)),
        `${expected} in ${texts.join('; ')}`,
      );
    await flame.focus();
    const seen: Record<string, string> = {};
    for (const keys of [
      ['ArrowDown', 'Home'],
      ['ArrowRight'],
      ['ArrowDown', 'Home'],
      ...Array(3).fill(['ArrowRight']),
    ]) {
      await flame.press(...keys);
      const { name = '', 'base-total': base, difference } = await flame.details();
      seen[name] = `${base}: ${difference}`;
    }
    deepStrictEqual(seen, {
      run: '20: no difference',
      'shop.App.main': '93: +22 (+23.66 %)',
      'java.util.HashMap.put': '0: +25 (new)',
      'shop.App.get': '58: +22 (+37.93 %)',
      'shop.App.gone': '25: −25 (vanished)',
      'shop.App.put': '10: no difference',
    });
    equal(await flame.spoken(), 'shop.App.put, self 10, total 10, 7.41 % of all, base 10, no difference');
    // It is drawn a little later than the boxes.
    for (const word of ['vanished', 'less', 'equal', 'more', 'new'])
      await flame.page.locator('.page-legend').filter({ hasText: word }).waitFor();
    equal(await flame.page.getByRole('combobox', { name: 'Colour' }).inputValue(), 'difference');
  });
});

describe('the pointer', () => {
  it('shows details on hover, zooms on a click, and Reset brings everything back', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE));
    const box = await flame.page.getByRole('application').boundingBox();
    if (box === null) throw new Error('the canvas has no place');
    const main = { x: box.x + box.width * 0.6, y: box.y + 19 * 1.5 };
    await flame.page.mouse.move(main.x, main.y);
    equal((await flame.details()).name, 'shop.App.main');
    await flame.page.mouse.click(main.x, main.y);
    deepStrictEqual(await flame.viewport(), { from: 20, to: 135, scroll: 0, zoomed: 2 });
    await flame.page.mouse.move(box.x + 5, box.y + 19 * 1.5);
    equal((await flame.details()).name, 'shop.App.main', 'it fills the width');
    await flame.page.getByRole('button', { name: 'Reset zoom' }).click();
    deepStrictEqual(await flame.viewport(), { from: 0, to: 135, scroll: 0, zoomed: 0 });
  });
});
