/** Flame pages in a real Chromium, for the tests beside: written to a file, opened from the disk, read from outside. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { keptBrowser, type OpenPage, openPage } from '../../../scripts/testing/browser.js';
import { flameHtml } from '../../../src/cli/render/flame-html.js';
import { ask, type Session } from '../../../src/session/session.js';
import type { OptionsOf } from '../../../src/views/index.js';
import { goBack } from '../../shared/testing/address.js';

/** A text that the page drew, where, and how wide it is. */
export interface DrawnText {
  readonly text: string;
  readonly left: number;
  readonly width: number;
}

/** Notes every text that a canvas draws. */
const SPY = `
  globalThis.drawnTexts = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    drawnTexts.push({ text, left: x, width: this.measureText(text).width });
    return fillText.call(this, text, x, y);
  };
`;

/** A folder that goes with the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-flame-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

export class FlamePage {
  readonly browser: OpenPage;

  private constructor(browser: OpenPage) {
    this.browser = browser;
  }

  /** Opens a file; closed with the test. */
  static async open(t: TestContext, file: string, options: BrowserContextOptions = {}): Promise<FlamePage> {
    const browser = await openPage(await keptBrowser(), pathToFileURL(file).href, { ...options, initScript: SPY });
    t.after(() => browser.close());
    await browser.page.waitForFunction(() => performance.getEntriesByName('flame-ready').length > 0);
    const page = new FlamePage(browser);
    await page.frame();
    return page;
  }

  static async ofSession(
    t: TestContext,
    session: Session,
    options: {
      readonly flame?: OptionsOf<'flame'>;
      readonly base?: string;
      readonly context?: BrowserContextOptions;
    } = {},
  ): Promise<FlamePage> {
    const base = options.base === undefined ? {} : { base: options.base };
    const result = await ask(session, { view: 'flame', options: options.flame ?? {}, ...base });
    const file = join(temporaryFolder(t), 'page.html');
    writeFileSync(file, flameHtml([result]));
    return FlamePage.open(t, file, options.context);
  }

  get page() {
    return this.browser.page;
  }

  /** Waits until what changed is drawn. */
  async frame(): Promise<void> {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  async focus(): Promise<void> {
    await this.page.getByRole('application').focus();
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Selects an option of a chooser by its text. */
  async choose(chooser: string, option: string): Promise<void> {
    await this.page.getByRole('combobox', { name: chooser }).selectOption({ label: option });
  }

  /** The fragment of the address as the page has it; `page.url()` learns of it later. */
  hash(): Promise<string> {
    return this.page.evaluate(() => location.hash);
  }

  async goBack(): Promise<void> {
    await goBack(this.page);
  }

  focused(): Promise<number> {
    return this.page.evaluate(() => globalThis.kansokuFlame?.focused ?? -1);
  }

  viewport() {
    return this.page.evaluate(() => globalThis.kansokuFlame?.viewport);
  }

  /** The panel of details: text by key. */
  details(): Promise<Record<string, string>> {
    return this.page.evaluate(() => {
      const rows = [...document.querySelectorAll<HTMLElement>('.page-details [data-key]')];
      return Object.fromEntries(rows.map((row) => [row.dataset.key ?? '', row.querySelector('dd')?.textContent ?? '']));
    });
  }

  spoken(): Promise<string> {
    return this.page.evaluate(() => document.querySelector('[aria-live]')?.textContent ?? '');
  }

  found(): Promise<string> {
    return this.page.evaluate(() => document.querySelector('.page-found')?.textContent ?? '');
  }

  /** Texts of the last frame. */
  async texts(): Promise<DrawnText[]> {
    await this.page.evaluate('drawnTexts.length = 0');
    await this.page.getByRole('application').dispatchEvent('focus');
    await this.frame();
    return this.page.evaluate('drawnTexts');
  }
}
