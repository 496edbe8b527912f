/** Threads of the page by pool and pattern, against `functions --thread` of the command line. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { formatCount } from '../../../src/base/units.js';
import { runCommand } from '../../../src/cli/testing/run-command.js';
import { picturedSession } from '../../../src/testing/pictures/pictured-session.js';
import { sharedData } from '../../../src/testing/shared-data.js';
import { FlamePage, temporaryFolder } from '../testing/flame-page.js';
import { SAMPLE } from '../testing/samples.js';

const field = (flame: FlamePage) => flame.page.getByRole('searchbox', { name: 'Pattern of thread names' });

async function kansoku(...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runCommand(words);
  equal(status, 0, stderr);
  return stdout;
}

/** Function, self and total of the panel. */
async function listed(flame: FlamePage): Promise<string[]> {
  const rows = await flame.page
    .locator('.function-rows [role=row]')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.split(' (')[0] ?? '')));
  return rows.map(([, self, total]) => `${self} ${total}`);
}

describe('threads of the page', () => {
  it('are chosen by pool or pattern, with the numbers of functions --thread', async (t) => {
    const folder = sharedData(t, 'shop');
    if (folder === undefined || !hasProgram(t, 'chromium')) return;
    const recording = join(folder, 'late.jfr');
    const file = join(temporaryFolder(t), 'page.html');
    await kansoku('flame', recording, '--metric', 'samples', '--time', '1..4', '-o', file);
    const flame = await FlamePage.open(t, file, { viewport: { width: 1400, height: 12_000 } });
    await flame.page.getByRole('button', { name: 'Functions' }).click();
    const check = async (pattern: string): Promise<void> => {
      const words = [
        ...['functions', recording, '--metric', 'samples', '--time', '1..4', '--thread', pattern],
        ...['--limit', '0', '--json'],
      ];
      const { rows }: { rows: { self: number; total: number }[] } = JSON.parse(await kansoku(...words));
      ok(rows.length > 5);
      const expected = rows.map(({ self, total }) => `${formatCount(self)} ${formatCount(total)}`).sort();
      const panelRows = await listed(flame);
      deepStrictEqual(panelRows.sort(), expected.slice(), pattern);
    };
    const options = await flame.page.getByRole('combobox', { name: 'Thread' }).locator('option').allTextContents();
    const pool = options.find((text) => text.startsWith('http-worker-* ('));
    ok(pool !== undefined, options.join());
    // Without text and progress: the worker has made the graph.
    const made = flame.page.locator('.page-status:empty');
    await flame.choose('Thread', pool);
    await made.waitFor({ state: 'attached' });
    equal(await field(flame).inputValue(), 'http-worker-*');
    await check('http-worker-*');
    for (const pattern of ['worker-[1-4]$', 'http-worker-1', '^client-1|nightly']) {
      await field(flame).fill(pattern);
      await field(flame).press('Enter');
      await made.waitFor({ state: 'attached' });
      await check(pattern);
    }
    await flame.page.getByRole('button', { name: 'Copy command' }).click();
    const command = `kansoku functions ${recording} --metric samples --time 1..4 --thread '^client-1|nightly'`;
    await flame.page.getByText(`Copied: ${command}`, { exact: true }).waitFor();
    deepStrictEqual(flame.browser.complaints, []);
  });

  it('keep the pattern in the address; one that means none stays in the field with the reason', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await FlamePage.ofSession(t, picturedSession(SAMPLE), { flame: { samples: true } });
    await field(flame).fill('ain|x');
    await field(flame).press('Enter');
    equal(await flame.hash(), '#thread=ain%7Cx');
    equal(await flame.page.getByRole('combobox', { name: 'Thread' }).locator('option:checked').textContent(), 'main');
    await field(flame).fill('mian');
    await field(flame).press('Enter');
    match((await flame.page.locator('.page-status').textContent()) ?? '', /^mian: no thread.*Did you mean main\?$/);
    deepStrictEqual(
      [await field(flame).inputValue(), await field(flame).getAttribute('aria-invalid')],
      ['mian', 'true'],
    );
    equal(await flame.hash(), '#thread=ain%7Cx', 'the graph stays');
    await field(flame).fill('(');
    await field(flame).press('Enter');
    match((await flame.page.locator('.page-status').textContent()) ?? '', /^not a regular expression: \(/);
    await field(flame).fill('main|worker');
    await field(flame).press('Enter');
    equal(await flame.page.getByRole('combobox', { name: 'Thread' }).locator('option:checked').textContent(), '2 of 2');
    equal(
      await flame.page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Pattern of thread names',
    );
    await field(flame).fill('');
    await field(flame).press('Enter');
    equal(await flame.hash(), '');
  });
});
