/** Movements of the pages of a flame graph and a timeline, and the script time of their frames. */
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { launch, openPage } from '../scripts/testing/browser.js';

const FRAME = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The component of a page, which counts the frames that it draws. */
const COMPONENT = '(globalThis.kansokuFlame ?? globalThis.kansokuTimeline)';

/** Waits for the first frame of a page. Not with `waitForFunction`: the page's policy forbids it to evaluate text. */
export async function isDrawn(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const look = () => (${COMPONENT}?.frameTimes.count > 0 ? done() : requestAnimationFrame(look));
    look();
  })`);
}

/** A kind of movement under its name. */
export type Movements = (page: Page) => Record<string, () => Promise<void>>;

/**
 * Opens a page file in a real Chromium, makes its movements from a point of the page, and prints the time to the first picture, a
 * table of the script time of frames, and the size of the heap. `ready` is the mark that the page sets at its first picture.
 */
export async function measurePage(
  file: string,
  ready: string,
  from: readonly [x: number, y: number],
  movements: Movements,
): Promise<void> {
  const browser = await launch(['--enable-precise-memory-info']);
  try {
    const { page } = await openPage(browser, pathToFileURL(file).href, { viewport: { width: 1600, height: 1000 } });
    await isDrawn(page);
    const first = Number(await page.evaluate(`performance.getEntriesByName('${ready}')[0].startTime`));
    const script = Number(await page.evaluate(`${COMPONENT}.frameTimes.last()[0]`));
    say(`first picture after ${Math.round(first)} ms; first frame ${script.toFixed(1)} ms of script`);
    say(FRAME_HEAD);
    await page.getByRole('application').focus();
    await page.mouse.move(...from);
    const all: number[] = [];
    for (const [name, move] of Object.entries(movements(page))) {
      await page.evaluate(`${COMPONENT}.frameTimes.clear()`);
      await move();
      const times: number[] = await page.evaluate(`${COMPONENT}.frameTimes.last()`);
      say(framesLine(name, times));
      all.push(...times);
    }
    say(framesLine('all', all));
    say(`JS heap ${(Number(await page.evaluate('performance.memory.usedJSHeapSize')) / 1e6).toFixed(0)} MB`);
  } finally {
    await browser.close();
  }
}

/** Does a step so often, and waits for the frame of each. */
export async function repeat(page: Page, times: number, step: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < times; i++) {
    await step(i);
    await page.evaluate(FRAME);
  }
}

/** The movements of the mouse that both pages know; `hoverFrom`: x of the first point that it hovers over. */
export function mouseMovements(page: Page, hoverFrom: number): ReturnType<Movements> {
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
    hover: () => repeat(page, 60, (i) => mouse.move(hoverFrom + i * 19, 150 + ((i * 53) % 300))),
    'scroll down': () => wheel(100, 0, 97),
  };
}

const FRAME_HEAD = `${'script ms a frame'.padEnd(18)} ${['n', 'p50', 'p95', 'max'].map((title, i) => title.padStart(i === 0 ? 5 : 7)).join(' ')}`;

/** Number, median, 95th percentile and maximum of milliseconds. */
function framesLine(name: string, times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN).toFixed(2);
  return `${name.padEnd(18)} ${String(times.length).padStart(5)} ${[at(0.5), at(0.95), at(1)].map((text) => text.padStart(7)).join(' ')}`;
}
