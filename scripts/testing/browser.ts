/** A real Chromium (the system's) for tests and benches of pages. Callers check `hasProgram(t, 'chromium')` first. */
import { execFileSync } from 'node:child_process';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { kept } from '../../src/testing/kept.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface OpenPage {
  readonly page: Page;
  /** Requested addresses, including the page itself. */
  readonly requests: readonly string[];
  /** Errors and warnings of the console, and uncaught exceptions. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
}

export function launch(flags: readonly string[] = []): Promise<Browser> {
  const path = execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  return chromium.launch({ executablePath: path, args: [...FLAGS, ...flags] });
}

/** The browser that the tests of a process share. */
export const keptBrowser = kept(
  () => launch(),
  (browser) => browser.close(),
);

/** Opens an address in a context of its own; `initScript` runs before any script of the page. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions & { readonly initScript?: string } = {},
): Promise<OpenPage> {
  const { initScript, ...rest } = options;
  const context = await browser.newContext(rest);
  const page = await context.newPage();
  if (initScript !== undefined) await page.addInitScript(initScript);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, requests, complaints, close: () => context.close() };
}
