/** The standalone page in a real Chromium: numbers, keyboard, screen reader, languages, depth, comparison, isolation. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasProgram } from '../../scripts/testing/programs.js';
import { runCommand } from '../../src/cli/testing/run-command.js';
import { picture } from '../../src/testing/pictures/picture.js';
import { picturedSession } from '../../src/testing/pictures/pictured-session.js';
import { BINARY_TREE } from '../../src/testing/shared-data.js';
import { FlamePage, temporaryFolder } from './testing/flame-page.js';
import { OTHER, SAMPLE } from './testing/samples.js';

interface Walked {
  readonly name: string;
  readonly path: string;
  readonly self: number;
  readonly total: number;
  readonly depth: number;
}

const number = (text: string | undefined): number => Number((text ?? '').replaceAll(',', ''));

/** Walks over all boxes with the keyboard alone: down to the first child, else to the right, else up until there is a right. */
async function walked(flame: FlamePage): Promise<Walked[]> {
  const nodes: Walked[] = [];
  const names: string[] = [];
  const moves = async (key: string): Promise<boolean> => {
    const before = await flame.focused();
    await flame.press(key);
    return (await flame.focused()) !== before;
  };
  const note = async (): Promise<void> => {
    const { name = '', self, total, depth } = await flame.details();
    names.push(name);
    nodes.push({ name, path: names.join('/'), self: number(self), total: number(total), depth: number(depth) });
  };
  await flame.focus();
  const down = async (): Promise<boolean> => {
    const isDown = await moves('ArrowDown');
    if (isDown) await flame.press('Home');
    return isDown;
  };
  for (let isDone = !(await down()); !isDone; ) {
    await note();
    if (await down()) continue;
    names.pop();
    while (!isDone && !(await moves('ArrowRight'))) {
      await flame.press('ArrowUp');
      isDone = names.length === 0;
      names.pop();
    }
  }
  return nodes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What `kansoku` prints. */
async function kansoku(...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runCommand(words);
  equal(status, 0, stderr);
  return stdout;
}

async function treeRows(words: readonly string[]): Promise<Walked[]> {
  const rows: { id: number; parent: number; function: string; self: number; total: number; depth: number }[] =
    JSON.parse(await kansoku('tree', ...words, '--limit', '0', '--json')).rows;
  const paths = new Map<number, string>();
  return rows.map((row) => {
    const above = paths.get(row.parent);
    const path = above === undefined ? row.function : `${above}/${row.function}`;
    paths.set(row.id, path);
    return { name: row.function, path, self: row.self, total: row.total, depth: row.depth };
  });
}

const byValue = (a: { name: string; total: number; depth: number }, b: typeof a): number =>
  a.depth - b.depth || a.total - b.total || (a.name < b.name ? -1 : 1);

describe('the page', () => {
  it('has the numbers of tree in every box, also in those too narrow to see, reached with the keyboard alone', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const words = [BINARY_TREE, '--inverted', '--show', 'shootouts', '--depth', '4'];
    const file = join(temporaryFolder(t), 'numbers.html');
    await kansoku('flame', ...words, '-o', file);
    const flame = await FlamePage.open(t, file);
    const expected = await treeRows(words);
    ok(expected.length > 30);
    await flame.page.getByLabel('regular expression').check();
    await flame.focus();
    await flame.press('/', '.', 'Enter');
    const seen: Pick<Walked, 'name' | 'total' | 'depth'>[] = [];
    for (const _ of expected) {
      const { name = '', total, depth } = await flame.details();
      seen.push({ name, total: number(total), depth: number(depth) });
      await flame.press('n');
    }
    deepStrictEqual(
      seen.sort(byValue),
      expected.map(({ name, total, depth }) => ({ name, total, depth })).sort(byValue),
    );
  });

  it('has self, total and depth from the root down', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE));
    deepStrictEqual(
      (await walked(flame)).map(({ path, self, total, depth }) => `${path} ${self} ${total} ${depth}`),
      [
        'run 0 20 0',
        'run/hash 20 20 1',
        'shop.App.main 0 115 0',
        'shop.App.main/java.util.HashMap.put 0 25 1',
        'shop.App.main/java.util.HashMap.put/hash 25 25 2',
        'shop.App.main/shop.App.get 0 80 1',
        'shop.App.main/shop.App.get/hash 80 80 2',
        'shop.App.main/shop.App.put 10 10 1',
      ],
    );
  });

  it('loads nothing else and has no errors', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE));
    await flame.focus();
    await flame.press('ArrowDown', 'Enter', '/', 'h');
    await flame.frame();
    equal(flame.browser.requests.length, 1);
    match(flame.browser.requests[0] ?? '', /^file:.*page\.html$/);
    deepStrictEqual(flame.browser.complaints, []);
  });

  it('runs no other script: its policy blocks one, and names are text', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(picture('</script><img/src=x/onerror=alert(1)>')));
    await flame.focus();
    await flame.press('ArrowDown');
    equal((await flame.details()).name, '</script><img/src=x/onerror=alert(1)>');
    equal(await flame.page.locator('img').count(), 0);
    deepStrictEqual(flame.browser.complaints, []);
    const ran = await flame.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.intruded = true';
      document.body.append(script);
      return 'intruded' in globalThis;
    });
    equal(ran, false);
    const fetched = await flame.page.evaluate(() =>
      fetch('data:text/plain,x').then(
        () => 'yes',
        () => 'no',
      ),
    );
    equal(fetched, 'no');
  });
});

describe('the keyboard', () => {
  it('can walk, zoom, search and return, and each step is announced', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE));
    for (let i = 0; i < 20 && (await focusedRole(flame)) !== 'application'; i++) await flame.press('Tab');
    equal(await focusedRole(flame), 'application', 'the canvas is reached with Tab');
    await flame.press('ArrowDown');
    equal(await flame.spoken(), 'shop.App.main, self 0, total 115, 85.19 % of all');
    await flame.press('Enter', 'ArrowDown');
    equal(await flame.spoken(), 'shop.App.get, self 0, total 80, 59.26 % of all, 69.57 % of zoomed');
    deepStrictEqual(await flame.details(), {
      name: 'shop.App.get',
      self: '0',
      total: '80',
      share: '59.26 %',
      interval: '50.83 % – 67.18 %',
      zoomed: '69.57 %',
      depth: '1',
      kind: 'own',
      package: 'shop',
    });
    await flame.press('Escape');
    equal((await flame.viewport())?.zoomed, 0);
    await flame.press('/');
    await flame.page.keyboard.type('HASH');
    equal(await flame.found(), '4 matches: 125, 92.59 % of all');
    await flame.press('Enter');
    equal(await focusedRole(flame), 'application');
    const visited: (string | undefined)[] = [];
    for (const key of ['', 'n', 'n', 'n', 'n', 'N']) {
      if (key !== '') await flame.press(key);
      const { name, depth } = await flame.details();
      visited.push(`${name} ${depth}`);
    }
    deepStrictEqual(visited, [
      'hash 2',
      'hash 2',
      'hash 1',
      'java.util.HashMap.put 1',
      'hash 2',
      'java.util.HashMap.put 1',
    ]);
  });

  it('works on the page just opened, without a click or Tab', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE));
    equal(await focusedRole(flame), null, 'nothing has the focus');
    await flame.press('ArrowDown');
    equal((await flame.details()).name, 'shop.App.main', 'the heaviest, not the first by name');
    equal(await focusedRole(flame), 'application');
    await flame.page.getByRole('button', { name: 'Reset zoom' }).click();
    await flame.press('ArrowDown');
    equal((await flame.details()).name, 'shop.App.get', 'after a button, too');
    const other = await FlamePage.ofSession(t, picturedSession(SAMPLE));
    await other.press('/');
    await other.page.keyboard.type('HASH');
    equal(await other.found(), '4 matches: 125, 92.59 % of all');
    await other.press('Backspace');
    equal(await other.found(), '4 matches: 125, 92.59 % of all', 'keys in the search stay there');
  });

  it('reports an invalid regular expression', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE));
    await flame.page.getByLabel('regular expression').check();
    await flame.page.getByRole('searchbox', { name: 'Search' }).fill('(');
    match(await flame.found(), /not a regular expression/);
    equal(await flame.page.getByRole('searchbox', { name: 'Search' }).getAttribute('aria-invalid'), 'true');
    await flame.page.getByRole('searchbox', { name: 'Search' }).fill('^shop\\.App\\.(get|put)$');
    equal(await flame.found(), '2 matches: 90, 66.67 % of all');
  });
});

function focusedRole(flame: FlamePage): Promise<string | null | undefined> {
  return flame.page.evaluate(() => document.activeElement?.getAttribute('role'));
}

describe('people with assistive technology', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`find no accessibility problem by axe, ${colorScheme}`, async (t) => {
      if (!hasProgram(t, 'chromium')) return;
      const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE, OTHER), {
        base: 'r2',
        context: { colorScheme },
      });
      await flame.page.getByLabel('regular expression').check();
      await flame.page.getByRole('searchbox', { name: 'Search' }).fill('(');
      await flame.page.getByRole('button', { name: 'Functions' }).click();
      await flame.press('ArrowDown');
      await flame.page.evaluate(axe);
      const violations: { id: string; nodes: { html: string }[] }[] = await flame.page.evaluate(
        'axe.run().then(({ violations }) => violations)',
      );
      deepStrictEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      );
    });
  }
});

/** Where boxes of these names and counts are on a canvas, by name. */
function boxesOf(counts: readonly (readonly [name: string, count: number])[], pixels: number) {
  const sum = counts.reduce((all, [, count]) => all + count, 0);
  let left = 0;
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, count]) => {
      const box = { left, right: left + (count / sum) * pixels };
      left = box.right;
      return box;
    });
}

describe('text', () => {
  it('of any script fits its box, cut between graphemes, in its own direction', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const names = [
      '観測点計測器解析装置',
      'المحلل.قياس_الأداء',
      '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦',
      'नमस्ते_दुनिया',
      'plain.Name.method',
    ];
    const columns = names.flatMap((name) => [name, name, name]);
    const width = 60;
    const text = [
      ['@count', ...columns.map((_, i) => String([900, 500, 260][i % 3]))],
      ['', ...columns.map((name, i) => `${name}${i}`)],
    ].map((row) => row.map((cell) => cell.padEnd(width)).join(''));
    const flame = await FlamePage.ofSession(t, picturedSession(picture(text.join('\n'))), {
      context: { viewport: { width: 2400, height: 400 } },
    });
    const drawn = (await flame.texts()).filter((one) => one.text !== 'all');
    ok(drawn.length >= 10, 'most boxes have text');
    const pixels = await flame.page.evaluate(() => document.querySelector('canvas')?.clientWidth ?? 0);
    const boxes = boxesOf(
      columns.map((name, i) => [`${name}${i}`, [900, 500, 260][i % 3] ?? 0]),
      pixels,
    );
    for (const { text: shown, left, width: wide } of drawn) {
      const box = boxes.find((one) => one.left <= left && left < one.right);
      ok(box !== undefined && left + wide <= box.right, `${shown} fits`);
      if (/[^\x20-\x7e]/.test(shown)) match(shown, /^\u2068[^\u2068\u2069]+\u2069$/);
      ok(!/\u200d…/.test(shown), 'no cut inside a family');
    }
    ok(drawn.some(({ text: shown }) => shown.includes('…')));
    ok(drawn.some(({ text: shown }) => shown.includes('観測点')));
    ok(drawn.some(({ text: shown }) => shown.includes('المحلل') || shown.includes('قياس')));
  });

  it('is as sharp as the screen', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE), { context: { deviceScaleFactor: 2 } });
    const [real, css] = await flame.page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.page-canvas');
      return [canvas?.width ?? 0, canvas?.clientWidth ?? 0];
    });
    ok(css > 500);
    equal(real, css * 2);
  });
});

describe('a stack of 2,000 levels', () => {
  const deep = picture(Array.from({ length: 2000 }, (_, i) => `  f${i}`).join('\n'));

  it('scrolls by keyboard, wheel and minimap', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(deep));
    const minimap = flame.page.locator('.flame-minimap');
    ok(await minimap.isVisible());
    await flame.focus();
    for (let i = 0; i < 10; i++) await flame.press('PageDown');
    equal((await flame.details()).name, 'f99');
    ok(((await flame.viewport())?.scroll ?? 0) > 0);
    await flame.page.mouse.move(400, 300);
    const before = (await flame.viewport())?.scroll ?? 0;
    await flame.page.mouse.wheel(0, 500);
    await flame.page.waitForFunction((from) => (globalThis.kansokuFlame?.viewport.scroll ?? 0) === from + 500, before);
    const box = await minimap.boundingBox();
    if (box === null) throw new Error('the minimap has no place');
    await flame.page.mouse.move(box.x + 20, box.y + 20);
    await flame.page.mouse.down();
    await flame.page.mouse.move(box.x + 20, box.y + box.height - 1);
    await flame.page.mouse.up();
    ok(
      (await flame.texts()).some(({ text }) => text === 'f1999'),
      'the last level is on the screen',
    );
  });

  it('shows no minimap if everything fits', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE));
    equal(await flame.page.locator('.flame-minimap').isVisible(), false);
  });
});
