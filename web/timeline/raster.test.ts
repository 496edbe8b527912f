/** Pixels of tracks against the spans themselves. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pixelOf, Raster } from './raster.js';
import { type DrawnTrack, drawnModel } from './testing/drawn-model.js';

const HEIGHT = 51;
const [TRACK, BACKGROUND] = ['#f0f0f0', '#ffffff'];
const COLOURS = {
  background: pixelOf(BACKGROUND),
  track: pixelOf(TRACK),
  counter: pixelOf('#0000ff'),
  counterPale: pixelOf('#00ff00'),
};

/** The channels of each pixel of a column, from the top. */
function drawn(to: number, width: number, track: DrawnTrack, window = { from: 0, to }) {
  const bitmap = { width, height: HEIGHT, pixels: new Uint32Array(width * HEIGHT) };
  const raster = new Raster(bitmap, 1, COLOURS);
  raster.clear();
  const model = drawnModel(to, [track]);
  for (const one of model.tracks) raster.draw(model.rows, one, window, 0);
  return (x: number): string[] =>
    Array.from({ length: HEIGHT }, (_, y) => {
      const pixel = bitmap.pixels[y * width + x] ?? 0;
      const rgb = ((pixel & 0xff) << 16) | (pixel & 0xff00) | ((pixel >> 16) & 0xff);
      return `#${rgb.toString(16).padStart(6, '0')}`;
    });
}

/** How much of a column has a colour, in pixels: mixed pixels by their share of the way from the track's colour. */
function heightOf(column: readonly string[], colour: string): number {
  const red = (text: string): number => Number.parseInt(text.slice(1, 3), 16);
  return column.slice(0, 21).reduce((sum, one) => sum + (red(one) - red(TRACK)) / (red(colour) - red(TRACK)), 0);
}

const BLOCKED = '#c62828';
const PARKED = '#8e7cc3';

describe('a track', () => {
  test('has heights by the share of each pixel, exact below a pixel', () => {
    // Pixels of 100: whole, 25 %, 37 % in three parts, nothing.
    const rows = [
      [0, 100],
      [110, 135],
      [200, 210],
      [220, 240],
      [290, 297],
    ] as const;
    const column = drawn(400, 4, { name: 't', lanes: [['enter', 'share', rows]] });
    deepEqual(column(0), [...Array(21).fill(BLOCKED), ...Array(HEIGHT - 21).fill(BACKGROUND)]);
    ok(Math.abs(heightOf(column(1), BLOCKED) - 0.25 * 21) < 0.1);
    ok(Math.abs(heightOf(column(2), BLOCKED) - 0.37 * 21) < 0.1);
    equal(column(1)[20], BLOCKED, 'from below');
    deepEqual(column(3).slice(0, 21), Array(21).fill(TRACK), 'nothing where nothing was recorded');
  });

  test('has ground while its thread lived', () => {
    const lived = { name: 't', start: 100, end: 250, lanes: [['enter', 'share', [[110, 120]]]] } as const;
    const column = drawn(400, 4, lived);
    const grounds = [0, 1, 2, 3].map((x) => column(x)[0]);
    deepEqual(grounds, [BACKGROUND, TRACK, TRACK, BACKGROUND]);
    deepEqual(drawn(400, 4, lived, { from: 250, to: 400 })(3)[0], BACKGROUND);
  });

  test('stacks states; their parts of one pixel add up', () => {
    const column = drawn(100, 1, {
      name: 't',
      lanes: [
        ['enter', 'share', [[0, 50]]],
        ['park', 'share', [[50, 100]]],
      ],
    })(0);
    deepEqual(column.slice(0, 10), Array(10).fill(PARKED));
    deepEqual(column.slice(11, 21), Array(10).fill(BLOCKED));
    // The eleventh is half of each, without any of the track's colour.
    equal(column[10], '#aa5276');
  });

  test('shows faintly what is lower than a pixel', () => {
    const column = drawn(1e6, 1, { name: 't', lanes: [['enter', 'share', [[5, 6]]]] })(0);
    const height = heightOf(column, BLOCKED);
    ok(height > 0.7 && height < 0.8, `${height}`);
  });

  test('has samples below the states, as high as their part of the most in view', () => {
    const track: DrawnTrack = {
      name: 't',
      lanes: [
        [
          'Samples',
          'samples',
          [
            [10, 10, 7],
            [110, 110, 1],
            [310, 310, 14],
          ],
        ],
      ],
    };
    const green = '#2e7d32';
    const heights = (window?: { from: number; to: number }): number[] => {
      const column = drawn(400, 4, track, window);
      return [0, 1, 2, 3].map((x) => column(x).filter((one) => one === green).length);
    };
    deepEqual(heights(), [3, 1, 0, 7]);
    deepEqual(heights({ from: 0, to: 40 }), [0, 7, 0, 0], 'a part of the time');
  });

  test('of a counter is a line from reading to reading, pale below, on a scale of round values', () => {
    const rows = [
      [50, 50, 10],
      [150, 150, 20],
      [350, 350, 0],
    ] as const;
    const column = drawn(400, 8, { name: 'Heap', kind: 'counter', lanes: [['most', 'value', rows]] });
    const count = (x: number, colour: string): number => column(x).filter((one) => one === colour).length;
    // 20 is the top of the scale: 46 pixels high.
    equal(count(0, '#0000ff') + count(0, '#00ff00'), 0, 'nothing before the first reading');
    equal(column(3).indexOf('#0000ff'), 0, 'the largest of all is at the top');
    // From 15 at 100 to 20 at 150.
    const filled = (x: number): number => count(x, '#0000ff') + count(x, '#00ff00');
    deepEqual(
      [filled(1), filled(2), filled(3), filled(4)].map((height) => Math.round(height / 11.5)),
      [3, 4, 4, 3],
    );
    ok(count(5, '#0000ff') >= 5, 'steep parts are drawn from end to end');
    equal(filled(7) <= 2, true, 'at 0, and nothing behind the last reading');
  });
});
