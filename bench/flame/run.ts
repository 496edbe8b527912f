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
import type { Page } from 'playwright-core';
import { flameHtml } from '../../src/cli/render/flame-html.js';
import { ask } from '../../src/session/session.js';
import { measurePage, mouseMovements, repeat, say } from '../frames.js';
import { generate } from './generate.js';

const [nodes = 1_000_000, seed = 1] = process.argv.slice(2).map(Number);

function movements(page: Page): Record<string, () => Promise<void>> {
  const { keyboard } = page;
  return {
    ...mouseMovements(page, 20),
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
await measurePage(file, 'flame-ready', [700, 300], movements);
rmSync(folder, { recursive: true });
