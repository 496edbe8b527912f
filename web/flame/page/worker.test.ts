/** Large graphs are made in a worker; graphs beyond the limit are reported. */
import { equal, match } from 'node:assert/strict';
import { it } from 'node:test';
import { generate } from '../../../bench/flame/generate.js';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { ask } from '../../../src/session/session.js';
import { FlamePage } from '../testing/flame-page.js';

it('a large inverted graph is made on demand by a worker, with the numbers of the view', async (t) => {
  if (!hasProgram(t, 'chromium')) return;
  const session = generate(210_000, 7);
  const flame = await FlamePage.ofSession(t, session);
  const before = await flame.page.getByRole('application').getAttribute('aria-label');
  match(before ?? '', /210,000 boxes/);
  // In one go: it may be made before the next command arrives.
  const said = await flame.page.evaluate(() => {
    const [select] = document.querySelectorAll<HTMLSelectElement>('.page-choices select');
    if (select === undefined) return '';
    select.value = 'true';
    select.dispatchEvent(new Event('change'));
    const status = document.querySelector('.page-status');
    const text = status?.textContent ?? '';
    status?.querySelector('button')?.click();
    return text;
  });
  match(said, /^Making the inverted graph … Cancel$/);
  equal(await flame.page.getByRole('combobox', { name: 'View' }).inputValue(), 'false');
  equal(await flame.page.getByRole('application').getAttribute('aria-label'), before);
  await flame.page.getByRole('combobox', { name: 'View' }).selectOption({ label: 'inverted' });
  await flame.page.getByRole('application', { name: /inverted: functions at the top/ }).waitFor();
  const expected = await ask(session, { view: 'flame', options: { inverted: true } });
  const label = await flame.page.getByRole('application').getAttribute('aria-label');
  match(label ?? '', new RegExp(`${expected.nodes.length.toLocaleString('en-US')} boxes`));
  equal(flame.browser.complaints.length, 0);
});
