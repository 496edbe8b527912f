/** The workbench in a real Chromium, on the server that `kansoku open` starts: what it shows is what the command line prints. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { keptBrowser, type OpenPage, openPage } from '../../scripts/testing/browser.js';
import { hasProgram } from '../../scripts/testing/programs.js';
import { workbenchHtml } from '../../src/cli/render/workbench-html.js';
import { peopleCell, type ResultRow } from '../../src/pictures/cells.js';
import { startServer } from '../../src/server/serve.node.js';
import { directWorkspace } from '../../src/session/workspace/direct.node.js';
import type { Workspace } from '../../src/session/workspace/workspace.js';
import { ROOT } from '../../src/testing/shared-data.js';
import type { ResultColumn } from '../../src/views/listing.js';

const SHOP = join(ROOT, 'examples/jfr/shop.jfr.gz');
const GRAPH = join(ROOT, 'examples/heap/graph.hprof.gz');
const DEADLOCK = join(ROOT, 'examples/deadlock-jstack.txt');
const BINARY_TREE = join(ROOT, 'examples/krisfoster-binary-tree.iprof');

interface Workbench {
  readonly page: Page;
  readonly browser: OpenPage;
  readonly workspace: Workspace;
}

async function opened(t: TestContext, names: readonly string[]): Promise<Workbench | undefined> {
  if (!hasProgram(t, 'chromium')) return undefined;
  const workspace = directWorkspace({ cache: false });
  await workspace.open({ names, cache: false });
  const html = workbenchHtml(names);
  const server = await startServer({ workspace, page: () => html, port: 0, idle: 0 });
  const browser = await openPage(await keptBrowser(), server.url);
  t.after(async () => {
    await browser.close();
    server.close();
    await server.ended;
    await workspace.end();
  });
  // A slow machine is no fault.
  browser.page.setDefaultTimeout(120_000);
  await browser.page.waitForFunction(() => performance.getEntriesByName('workbench-started').length > 0);
  const bench = { page: browser.page, browser, workspace };
  await answered(bench);
  return bench;
}

/** Waits until no answer is waited for, and what came is drawn. */
async function answered({ page }: Workbench): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('main') !== null && document.querySelector('.app-pending') === null,
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function show(bench: Workbench, question: string): Promise<void> {
  const [group, name] = question.includes(' ') ? question.split(' ') : ['all recordings', question];
  const section = bench.page.getByRole('navigation').getByRole('region', { name: group, exact: true });
  await section.getByRole('button', { name: name ?? '', exact: true }).click();
  await answered(bench);
}

/** The texts of the rows that are elements, in their order. */
function rowTexts({ page }: Workbench): Promise<string[][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.app-grid-row')].map((row) =>
      [...row.children].map((cell) => cell.textContent ?? ''),
    ),
  );
}

/** An answer as a page gets it. */
async function rowsOf({ workspace }: Workbench, question: Parameters<Workspace['ask']>[0]): Promise<PlainListing> {
  return JSON.parse(JSON.stringify(await workspace.ask(question)));
}

interface PlainListing {
  readonly total: number;
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
}

const QUESTIONS: readonly (readonly [file: string, questions: readonly string[]])[] = [
  [SHOP, ['functions', 'tree', 'threads', 'monitors', 'sites', 'gc', 'io files', 'events']],
  [GRAPH, ['heap histogram', 'heap dominators', 'heap objects']],
  [DEADLOCK, ['monitors', 'threads']],
  [BINARY_TREE, ['pgo hot', 'pgo branches', 'functions']],
];

for (const [file, questions] of QUESTIONS)
  test(`listings of ${file.split('/').at(-1)} have the numbers of the command line`, async (t) => {
    const bench = await opened(t, [file]);
    if (bench === undefined) return;
    for (const question of questions) {
      await show(bench, question);
      const { rows, columns } = await rowsOf(bench, { question, page: { limit: 8 } });
      const expected = rows.map((row) => columns.map((column) => peopleCell(row, column)));
      ok(expected.length > 0, question);
      deepEqual((await rowTexts(bench)).slice(0, expected.length), expected, question);
    }
    deepEqual(bench.browser.complaints, []);
    const foreign = bench.browser.requests.filter((url) => !url.startsWith('http://127.0.0.1:'));
    deepEqual(foreign, []);
  });

test('one selection and one scope drive what is shown; the address has all of it', async (t) => {
  const bench = await opened(t, [SHOP]);
  if (bench === undefined) return;
  const { page } = bench;
  await show(bench, 'functions');
  await page.getByRole('gridcell', { name: 'Shop.price(int)', exact: true }).click();
  await answered(bench);
  const panel = page.getByRole('complementary', { name: 'Selected function' });
  await panel.getByRole('button', { name: 'Shop.handle(com.sun.net.httpserver.HttpExchange)' }).waitFor();
  const callers = await rowsOf(bench, { question: 'callers', options: { function: 'Shop.price' }, page: { limit: 0 } });
  equal(await panel.getByRole('row').count(), 1 + callers.rows.length);

  await panel.getByRole('button', { name: 'hide', exact: true }).click();
  await answered(bench);
  const chip = page.getByRole('list', { name: 'Scope' }).getByRole('listitem');
  equal(await chip.locator('code').textContent(), "--hide '^Shop\\.price\\(int\\)$'");
  const [first = []] = await rowTexts(bench);
  ok(!first.includes('Shop.price(int)'));
  match((await page.locator('.app-command code').textContent()) ?? '', /^kansoku functions \S+ --hide '\^Shop/);

  // Back, forward and a copied address bring the state back.
  await page.goBack();
  await answered(bench);
  equal(await chip.count(), 0);
  await page.goForward();
  await answered(bench);
  equal(await chip.count(), 1);
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName('workbench-started').length > 0);
  await answered(bench);
  deepEqual((await rowTexts(bench))[0], first);
  await page.getByRole('button', { name: /^Remove --hide/ }).click();
  await answered(bench);
  equal(await chip.count(), 0);
});

test('rows, sorting and questions are reached by keys alone', async (t) => {
  const bench = await opened(t, [SHOP]);
  if (bench === undefined) return;
  const { page } = bench;
  await show(bench, 'functions');
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  await page.waitForFunction(
    () => document.querySelector('[aria-selected=true]')?.getAttribute('aria-rowindex') === '223',
  );
  const { total } = await rowsOf(bench, { question: 'functions', page: { limit: 1 } });
  equal(total, 222);
  // A selected row changes the panel beside, not the grid: it keeps the keys.
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(
    () => document.querySelector('[aria-selected=true]')?.getAttribute('aria-rowindex') === '222',
  );
  equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'grid');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('grid').getByRole('columnheader', { name: 'Function' }).getByRole('button').focus();
  await page.keyboard.press('Enter');
  await answered(bench);
  equal(
    await page.getByRole('grid').getByRole('columnheader', { name: 'Function' }).getAttribute('aria-sort'),
    'ascending',
  );
  const names = (await rowTexts(bench)).map((row) => row.at(-1) ?? '');
  deepEqual(names, [...names].sort());
});

test('further rows are asked for where they come into view', async (t) => {
  const bench = await opened(t, [BINARY_TREE]);
  if (bench === undefined) return;
  await show(bench, 'functions');
  const result = await rowsOf(bench, { question: 'functions', page: { limit: 0 } });
  ok(result.total > 1000);
  await bench.page.getByRole('grid').focus();
  await bench.page.keyboard.press('End');
  const [row, column] = [result.rows.at(-1), result.columns.at(-1)];
  if (row === undefined || column === undefined) throw new Error('no rows');
  const last = peopleCell(row, column);
  await bench.page.getByRole('gridcell', { name: last, exact: true }).first().waitFor();
});

test('flame graph and timeline are drawn, and a selected function is asked about', async (t) => {
  const bench = await opened(t, [SHOP]);
  if (bench === undefined) return;
  const { page } = bench;
  const { tracks } = await bench.workspace.ask({
    view: 'timeline',
    options: { buckets: 1, rows: true },
    page: { offset: 0, limit: 0 },
  });
  equal(await page.getByRole('application').getAttribute('aria-label'), `Timeline of ${tracks.length} tracks`);
  await show(bench, 'flame');
  await page.getByRole('application').focus();
  for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await page.getByRole('complementary', { name: 'Selected function' }).getByRole('row').first().waitFor();
  deepEqual(bench.browser.complaints, []);
});

test('pages have no accessibility problems', async (t) => {
  const bench = await opened(t, [SHOP, GRAPH]);
  if (bench === undefined) return;
  // The page's policy allows no script but its own: the checker comes in by the protocol of the browser.
  await bench.page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  for (const question of ['summary', 'functions', 'flame', 'timeline', 'check']) {
    await show(bench, question);
    const problems: unknown = await bench.page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
    );
    deepEqual(problems, [], question);
  }
});

test('damage is shown where the numbers are, and a refusal says what to do', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-app-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const cut = join(folder, 'cut.iprof');
  copyFileSync(BINARY_TREE, cut);
  truncateSync(cut, 100_000);
  const hostile = join(folder, 'hostile.collapsed');
  writeFileSync(hostile, '<img src=x onerror=alert(1)>;b\u202e"&lt 5\n<script>x</script> 3\n');
  const bench = await opened(t, [cut, hostile]);
  if (bench === undefined) return;
  const { page } = bench;
  await page.getByRole('alert').filter({ hasText: 'could not be read' }).waitFor();
  await page.getByRole('combobox', { name: 'Recording' }).selectOption({ label: hostile });
  await answered(bench);
  await show(bench, 'functions');
  const texts = (await rowTexts(bench)).map((row) => row.at(-1));
  deepEqual(texts, ['b\\u202e"&lt', '<script>x</script>', '<img src=x onerror=alert(1)>']);
  equal(await page.locator('main img, main script').count(), 0);
  await show(bench, 'disasm');
  match((await page.getByRole('status').textContent()) ?? '', /^Method is needed: /);
  deepEqual(bench.browser.complaints, []);
});
