/** The timeline page in a real Chromium: its numbers, keyboard, selection, address. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { BrowserContextOptions } from 'playwright-core';
import { keptBrowser, openPage } from '../../scripts/testing/browser.js';
import { hasProgram } from '../../scripts/testing/programs.js';
import { memorySource } from '../../src/bytes/byte-source.js';
import { timelineHtml } from '../../src/cli/render/timeline-html.js';
import { runCommand } from '../../src/cli/testing/run-command.js';
import type { TimelineResult } from '../../src/pictures/timeline/picture.js';
import { ask, openSession } from '../../src/session/session.js';
import { temporaryFolder } from '../../src/testing/byte-sources.js';
import { ROOT } from '../../src/testing/shared-data.js';
import { goBack } from '../shared/testing/address.js';
import { drawnModel, drawnResult } from './testing/drawn-model.js';
import { type ThreadOrder, tracksInView } from './track-order.js';

/** 2 s: main is parked, blocked and sampled; 60 workers sleep, one after the other. */
const WORKERS = Array.from({ length: 60 }, (_, i) => ({
  name: `worker-${i}`,
  lanes: [['sleep', 'share', [[i * 3e7, (i + 1) * 3e7]]]] as const,
}));
const DRAWN = drawnResult(2e9, [
  { name: 'Garbage collection', kind: 'gc', lanes: [['GC pause', 'share', [[5e8, 5.1e8]]]] },
  {
    name: "main <it's>",
    lanes: [
      [
        'park',
        'share',
        [
          [1e8, 6e8],
          [1.2e9, 1.3e9],
        ],
      ],
      ['enter', 'share', [[7e8, 7.5e8]]],
      ['Samples', 'samples', [[6.5e8, 6.5e8, 2]]],
    ],
  },
  ...WORKERS,
]);

async function opened(
  t: TestContext,
  options: { result?: TimelineResult; hash?: string; context?: BrowserContextOptions } = {},
) {
  const file = join(await temporaryFolder(t), 'page.html');
  writeFileSync(file, timelineHtml(options.result ?? DRAWN, ['--focus', 'a']));
  const context = { viewport: { width: 1000, height: 600 }, ...options.context };
  const browser = await openPage(await keptBrowser(), pathToFileURL(file).href + (options.hash ?? ''), context);
  t.after(() => browser.close());
  const { page } = browser;
  await page.waitForFunction(() => performance.getEntriesByName('timeline-ready').length > 0);
  const frame = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await frame();
  const box = await page.getByRole('application').boundingBox();
  if (box === null) throw new Error('the canvas has no place');
  const names = Math.round(Math.min(220, box.width * 0.35));
  return {
    ...browser,
    frame,
    /** The place of a time in seconds on a track of the whole time. */
    place: (seconds: number, track: number) => ({
      x: box.x + names + (seconds / 2) * (box.width - names),
      y: box.y + 24 + track * 26 + 12,
    }),
    press: async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    },
    details: (): Promise<Record<string, string>> =>
      page.evaluate(() =>
        Object.fromEntries(
          [...document.querySelectorAll('.page-details [data-key]')].map((row) => [
            row.querySelector('dt')?.textContent ?? '',
            row.querySelector('dd')?.textContent ?? '',
          ]),
        ),
      ),
    spoken: () => page.evaluate(() => document.querySelector('[aria-live]')?.textContent ?? ''),
    command: () => page.evaluate(() => document.querySelector('.timeline-command')?.textContent ?? ''),
    words: () => page.evaluate(() => document.querySelector('.timeline-words')?.textContent ?? ''),
    window: () =>
      page.evaluate(() => {
        const { from = 0, to = 0 } = globalThis.kansokuTimeline?.window ?? {};
        return [from, to];
      }),
  };
}

describe('the command', () => {
  const CHURN = join(ROOT, 'examples/jfr/churn-g1.jfr.gz');

  it('writes a page with the rows of the view', async (t) => {
    const file = join(await temporaryFolder(t), 'out.html');
    const { status, stderr } = await runCommand(['timeline', CHURN, '--time', '0.1..0.3', '-o', file]);
    equal(status, 0, stderr);
    match(stderr, /out\.html: \d+ tracks, /);
    const [, packed = ''] = /id="timeline-data">([^<]*)</.exec(readFileSync(file, 'utf8')) ?? [];
    const carried: TimelineResult & { scopeWords: string[] } = JSON.parse(
      gunzipSync(Buffer.from(packed, 'base64')).toString('utf8'),
    );
    deepStrictEqual([carried.from, carried.to], [1e8, 3e8]);
    deepStrictEqual(carried.scopeWords, ['--time', '0.1..0.3']);
    const session = await openSession([memorySource(CHURN, gunzipSync(readFileSync(CHURN)))]);
    const options = { buckets: 1, rows: true };
    const scope = [{ kind: 'time', from: 1e8, to: 3e8 }] as const;
    const asked = await ask(session, { view: 'timeline', options, scope, page: { limit: 0 } });
    deepStrictEqual(carried.lane_rows, JSON.parse(JSON.stringify(asked.lane_rows)));
    ok((carried.lane_rows?.length ?? 0) > 0);
  });

  it('refuses what a page cannot be', async () => {
    for (const [words, said] of [
      [['-o', 'out.txt'], /out\.txt: unknown output extension/],
      [['-o', 'out.html', '--json'], /-o writes a file/],
      [['-o', 'out.html', '--width', '50'], /a page has no --width/],
    ] as const) {
      const { status, stderr } = await runCommand(['timeline', CHURN, ...words]);
      equal(status, 2);
      match(stderr, said);
    }
  });
});

describe('the page', () => {
  it('loads nothing else, and has the numbers of what the pointer is on', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const { page, place, details, frame, requests, complaints } = await opened(t);
    const { x, y } = place(0.3, 1);
    await page.mouse.move(x, y);
    await frame();
    const { Name, parked } = await details();
    deepStrictEqual([Name, parked], ["main <it's>", '500.00 ms from 0.100000 s']);
    const sample = place(0.65, 1);
    await page.mouse.move(sample.x, sample.y);
    equal((await details()).Samples, '2');
    const empty = place(1.8, 1);
    await page.mouse.move(empty.x, empty.y);
    deepStrictEqual(Object.keys(await details()), ['Name', 'Time']);
    equal(requests.length, 1);
    deepStrictEqual(complaints, []);
  });

  it('is drawn where the spans are', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const { page, place } = await opened(t);
    const colourAt = async (seconds: number, track: number): Promise<string> => {
      const { x, y } = place(seconds, track);
      return page.evaluate(
        ([left, top]) => {
          const canvas = document.querySelector('canvas');
          const { x: dx = 0, y: dy = 0 } = canvas?.getBoundingClientRect() ?? {};
          const pixel = canvas?.getContext('2d')?.getImageData((left ?? 0) - dx, (top ?? 0) - dy, 1, 1).data;
          return pixel === undefined ? '' : [...pixel.slice(0, 3)].map((one) => one.toString(16)).join('');
        },
        [x, y - 4],
      );
    };
    equal(await colourAt(0.3, 1), '8e7cc3');
    equal(await colourAt(0.72, 1), 'c62828');
    equal(await colourAt(1.8, 1), 'f1f1f4');
    equal(await colourAt(0.015, 2), '9fb4c7');
    equal(await colourAt(0.045, 2), 'f1f1f4');
    equal(await colourAt(0.045, 3), '9fb4c7');
  });
});

describe('a selection', () => {
  it('is dragged, shown as options of the command line, zoomed to, kept in the address and restored by it', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const { page, place, words, command, window } = await opened(t);
    const [from, to] = [place(0.5, 1), place(1, 1)];
    await page.mouse.click(from.x, from.y);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
    equal(await words(), '--time 0.500..1.000');
    equal(await command(), 'kansoku flame drawn.jfr --focus a --time 0.500..1.000 -o flame.html');
    await page.getByLabel('this thread only').check();
    equal(await words(), "--time 0.500..1.000 --thread '^main <it'\\''s>$'");
    await page.getByRole('button', { name: 'Zoom to the selected time' }).click();
    deepStrictEqual(await window(), [5e8, 1e9]);
    await page.waitForFunction(() => location.hash.includes('time='));
    const hash = await page.evaluate(() => location.hash);
    const again = await opened(t, { hash });
    deepStrictEqual(await again.window(), [5e8, 1e9]);
    match(await again.words(), /^--time 0\.5\.\.1$/);
    await page.keyboard.press('Escape');
    equal(await words(), 'nothing; drag to select');
    await goBack(page);
    match(await words(), /^--time/);
  });
});

describe('the keyboard', () => {
  it('walks tracks and spans, zooms, selects and returns; each step is announced', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const { page, press, spoken, window, words } = await opened(t);
    await press('ArrowDown');
    match(await spoken(), /^main <it's>, Time 0 to 2 s, parked 30\.00 %, 2 times, blocked by a monitor 50\.00 ms/);
    await press('ArrowRight', 'ArrowRight');
    match(await spoken(), /Samples 2$/);
    await press('ArrowRight');
    match(await spoken(), /blocked by a monitor 50\.00 ms from 0\.700000 s$/);
    await press('Enter');
    deepStrictEqual(await window(), [6.5e8, 8e8]);
    await press('[', ']');
    match(await words(), /^--time 0\.7000\.\.0\.7500$/);
    await press('ArrowRight');
    const [from = 0, to = 0] = await window();
    ok(from < 1.25e9 && to > 1.25e9, 'what is reached is in view');
    await press('Escape', 'Escape');
    deepStrictEqual(await window(), [0, 2e9]);
    equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'application');
  });

  it('searches threads, and scrolls to the focused one', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const { page, press, details } = await opened(t);
    await press('PageDown', 'PageDown', 'PageDown', 'PageDown');
    equal((await details()).Name, 'worker-38');
    ok((await page.evaluate(() => document.querySelector('.timeline-scroller')?.scrollTop ?? 0)) > 400);
    await press('/');
    await page.keyboard.type('WORKER-5');
    equal(await page.evaluate(() => document.querySelector('.page-found')?.textContent), '11 found');
    await press('Enter', 'PageDown', 'PageDown');
    equal((await details()).Name, 'worker-59');
  });
});

describe('threads', () => {
  it('are ordered by name, what they ran, and how long they were blocked or waited', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const { page, press, details } = await opened(t);
    const order = async (title: string): Promise<(string | undefined)[]> => {
      await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: title });
      await press('/', 'Enter', 'Home');
      const names: (string | undefined)[] = [];
      for (let i = 0; i < 60; i++) await press('ArrowUp');
      for (let i = 0; i < 3; i++) {
        await press('ArrowDown');
        names.push((await details()).Name);
      }
      return names;
    };
    deepStrictEqual(await order('by name'), ["main <it's>", 'worker-0', 'worker-1']);
    deepStrictEqual(await order('most samples of running first'), ["main <it's>", 'worker-0', 'worker-1']);
    deepStrictEqual(await order('waiting longest first'), ["main <it's>", 'worker-0', 'worker-1']);
    await page.waitForFunction(() => location.hash.includes('order=waited'));
  });

  it('have the order of sums of their spans and samples, names in the order of their numbers', () => {
    const model = drawnModel(100, [
      { name: 'Heap', kind: 'counter', lanes: [['most', 'value', [[1, 1, 5]]]] },
      {
        name: 'w-10',
        lanes: [
          ['park', 'share', [[0, 50]]],
          ['Samples', 'samples', [[60, 60, 1]]],
        ],
      },
      {
        name: 'w-9',
        lanes: [
          [
            'enter',
            'share',
            [
              [0, 10],
              [20, 30],
            ],
          ],
          ['Wall-clock samples', 'samples', [[60, 60, 9]]],
        ],
      },
      {
        name: 'v',
        lanes: [
          [
            'Samples',
            'samples',
            [
              [1, 1, 2],
              [5, 5, 2],
            ],
          ],
          ['enter', 'share', [[0, 60]]],
        ],
      },
    ]);
    const names = (order: ThreadOrder, search = ''): string =>
      tracksInView(model, search, order)
        .map((id) => model.tracks[id]?.name)
        .join(' ');
    equal(names('events'), 'Heap w-10 w-9 v');
    equal(names('name'), 'Heap v w-9 w-10');
    equal(names('ran'), 'Heap v w-10 w-9');
    equal(names('blocked'), 'Heap v w-9 w-10');
    equal(names('waited'), 'Heap v w-10 w-9');
    equal(names('waited', 'W-'), 'Heap w-10 w-9');
  });
});

describe('people with assistive technology', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark'] as const)
    it(`find no accessibility problem by axe, ${colorScheme}`, async (t) => {
      if (!hasProgram(t, 'chromium')) return;
      const { page, press } = await opened(t, { context: { colorScheme } });
      await press('ArrowDown', 'ArrowRight', '[');
      await page.evaluate(axe);
      const violations: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
        'axe.run().then(({ violations }) => violations)',
      );
      deepStrictEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      );
    });
});
