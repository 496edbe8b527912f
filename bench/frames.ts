/** Movements of a page, and the script time of its frames, for the benches of pages. */
import type { Page } from 'playwright-core';

const FRAME = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Does a step so often, and waits for the frame of each. */
export async function repeat(page: Page, times: number, step: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < times; i++) {
    await step(i);
    await page.evaluate(FRAME);
  }
}

export const FRAME_HEAD = `${'script ms a frame'.padEnd(18)} ${['n', 'p50', 'p95', 'max'].map((title, i) => title.padStart(i === 0 ? 5 : 7)).join(' ')}`;

/** Number, median, 95th percentile and maximum of milliseconds. */
export function framesLine(name: string, times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN).toFixed(2);
  return `${name.padEnd(18)} ${String(times.length).padStart(5)} ${[at(0.5), at(0.95), at(1)].map((text) => text.padStart(7)).join(' ')}`;
}
