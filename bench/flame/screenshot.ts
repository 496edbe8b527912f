/**
 * A picture of a page that Kansoku wrote, for documents: `node dist/bench/flame/screenshot.js PAGE.html OUT.png [dark]
 * [WIDTHxHEIGHT] [SEARCH]`. docs/flame.png was made with
 *
 *   kansoku flame examples/hprof/cpu-samples.txt -o /tmp/flame.html
 *   node dist/bench/flame/screenshot.js /tmp/flame.html docs/flame.png 1200x480 round
 */
import { pathToFileURL } from 'node:url';
import { launch, openPage } from '../../scripts/testing/browser.js';
import { isDrawn } from '../frames.js';

const [file = '', output = '', ...rest] = process.argv.slice(2);
const size = rest.find((word) => /^\d+x\d+$/.test(word)) ?? '1200x700';
const search = rest.find((word) => word !== 'dark' && word !== size);
const [width = 1200, height = 700] = size.split('x').map(Number);
const browser = await launch();
const { page } = await openPage(browser, pathToFileURL(file).href, {
  colorScheme: rest.includes('dark') ? 'dark' : 'light',
  viewport: { width, height },
});
if (file.endsWith('.html')) await isDrawn(page);
if (search !== undefined) await page.getByRole('searchbox').fill(search);
// Labels and the overview of a large graph follow in the next frames.
await page.waitForTimeout(500);
await page.screenshot({ path: output });
await browser.close();
