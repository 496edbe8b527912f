import type { Page } from 'playwright-core';

/** Waits for the first frame of a flame page. Not with `waitForFunction`: the page's policy forbids it to evaluate text. */
export async function isDrawn(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const look = () => (globalThis.kansokuFlame?.frameTimes.count > 0 ? done() : requestAnimationFrame(look));
    look();
  })`);
}
