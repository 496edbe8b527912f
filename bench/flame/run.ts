/**
 * How fast a flame graph of a million nodes draws in a real Chromium: script time of each frame, measured in the page.
 *
 *   node dist/bench/flame/run.js [NODES] [SEED]
 *
 * Prints p50, p95 and maximum of each kind of movement, the time to the first picture and the size of the heap. Frames
 * are the page's own (`frameTimes`): from the start of drawing to its end, without the browser's painting.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { launch, openPage } from '../../scripts/testing/browser.js';
import { flameHtml } from '../../src/cli/render/flame-html.js';
import { ask } from '../../src/session/session.js';
import { FRAME_HEAD, framesLine, repeat, say } from '../frames.js';
import { generate } from './generate.js';
import { isDrawn } from './is-drawn.js';

const [nodes = 1_000_000, seed = 1] = process.argv.slice(2).map(Number);

function movements(page: Page): Record<string, () => Promise<void>> {
  const { mouse, keyboard } = page;
  const wheel = (times: number, dx: number, dy: number) => repeat(page, times, () => mouse.wheel(dx, dy));
  return {
    'zoom in and out': async () => {
      await keyboard.down('Control');
      await wheel(60, 0, -100);
      await wheel(60, 0, 100);
      await keyboard.up('Control');
    },
    'pan across': async () => {
      await keyboard.down('Control');
      await wheel(10, 0, -200);
      await keyboard.up('Control');
      await wheel(60, 120, 0);
    },
    hover: () => repeat(page, 60, (i) => mouse.move(20 + i * 19, 150 + ((i * 53) % 300))),
    'scroll down': () => wheel(100, 0, 97),
    'walk and zoom': async () => {
      await keyboard.press('Escape');
      await repeat(page, 60, (i) => keyboard.press(['ArrowDown', 'ArrowRight', 'Enter', 'End'][i % 4] ?? 'Enter'));
    },
    'search and step': async () => {
      await keyboard.press('Escape');
      await keyboard.press('/');
      await repeat(page, 6, (i) => keyboard.press('Class'[i] ?? '7'));
      await keyboard.press('Enter');
      await repeat(page, 60, () => keyboard.press('n'));
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'kansoku-bench-flame-'));
const file = join(folder, 'flame.html');
const started = performance.now();
const result = await ask(generate(nodes, seed), { view: 'flame' });
const asked = performance.now();
writeFileSync(file, flameHtml([result]));
say(
  `${result.nodes.length} nodes; made in ${Math.round(asked - started)} ms, written in ${Math.round(performance.now() - asked)} ms, ${(statSync(file).size / 1e6).toFixed(1)} MB`,
);

const browser = await launch(['--enable-precise-memory-info']);
const { page } = await openPage(browser, pathToFileURL(file).href, { viewport: { width: 1600, height: 1000 } });
await isDrawn(page);
say(
  `first picture after ${Math.round(Number(await page.evaluate('performance.getEntriesByName("flame-ready")[0].startTime')))} ms; first frame ${Number(await page.evaluate('kansokuFlame.frameTimes.last()[0]')).toFixed(1)} ms of script`,
);
say(FRAME_HEAD);
await page.getByRole('application').focus();
await page.mouse.move(700, 300);
const all: number[] = [];
for (const [name, move] of Object.entries(movements(page))) {
  await page.evaluate('kansokuFlame.frameTimes.clear()');
  await move();
  const times: number[] = await page.evaluate('kansokuFlame.frameTimes.last()');
  say(framesLine(name, times));
  all.push(...times);
}
say(framesLine('all', all));
say(`JS heap ${(Number(await page.evaluate('performance.memory.usedJSHeapSize')) / 1e6).toFixed(0)} MB`);
await browser.close();
rmSync(folder, { recursive: true });
