/**
 * A picture of a page that Kansoku wrote, for documents: `node dist/bench/flame/screenshot.js PAGE.html OUT.png [dark]
 * [WIDTHxHEIGHT] [SEARCH]`. docs/flame.png was made with
 *
 *   kansoku flame examples/hprof/cpu-samples.txt -o /tmp/flame.html
 *   node dist/bench/flame/screenshot.js /tmp/flame.html docs/flame.png 1200x480 round
 */
import { pathToFileURL } from 'node:url';
import { launch, openPage } from '../../scripts/testing/browser.js';

const [file = '', output = '', ...rest] = process.argv.slice(2);
const size = rest.find((word) => /^\d+x\d+$/.test(word)) ?? '1200x700';
const search = rest.find((word) => word !== 'dark' && word !== size);
const [width = 1200, height = 700] = size.split('x').map(Number);
const browser = await launch();
const { page } = await openPage(browser, pathToFileURL(file).href, {
  colorScheme: rest.includes('dark') ? 'dark' : 'light',
  viewport: { width, height },
});
if (file.endsWith('.html')) await page.waitForFunction('performance.getEntriesByName("flame-ready").length > 0');
if (search !== undefined) await page.getByRole('searchbox').fill(search);
await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
await page.screenshot({ path: output });
await browser.close();
