/** Pixels of levels against sums over all boxes, column by column; and what is under the pointer. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { areasOf, paintLevel } from './areas.js';
import type { FlameLayout, WidthWindow } from './layout.js';
import { heaviestOf, stretchAt } from './stretch.js';

const WHITE = -1;
const channels = (pixel: number): number[] => [0, 8, 16].map((shift) => (pixel >>> shift) & 255);

interface Box {
  readonly gap: number;
  readonly width: number;
  readonly colour: number;
}

/** A layout of one level. */
function level(boxes: readonly Box[]): FlameLayout {
  const x = new Float64Array(boxes.length);
  const width = Float64Array.from(boxes, (box) => box.width);
  let at = 0;
  boxes.forEach((box, i) => {
    x[i] = at + box.gap;
    at += box.gap + box.width;
  });
  const identity = Int32Array.from(boxes, (_, i) => i);
  const children = new Int32Array(boxes.length + 1).fill(boxes.length);
  return { order: identity, placeOf: identity, children, x, width, levels: Int32Array.of(0, boxes.length) };
}

function painted(placed: FlameLayout, boxes: readonly Box[], window: WidthWindow): Int32Array {
  const areas = areasOf(placed, (place) => (boxes[place]?.colour ?? 0) | -0x1000000, WHITE);
  const target = new Int32Array(window.pixels).fill(WHITE);
  paintLevel(areas, placed, 0, window, target, 0, (place, start, stop) =>
    target.fill(areas.pixels[place], start, stop),
  );
  return target;
}

/** Channels of a column: the background, and each box by its overlap. */
function naive(placed: FlameLayout, boxes: readonly Box[], { from, scale }: WidthWindow, column: number): number[] {
  const mean = [255, 255, 255];
  boxes.forEach((box, i) => {
    const left = Math.max(column, (placed.x[i] - from) * scale);
    const right = Math.min(column + 1, (placed.x[i] + box.width - from) * scale);
    channels(box.colour).forEach((value, channel) => {
      mean[channel] = (mean[channel] ?? 0) + Math.max(0, right - left) * (value - 255);
    });
  });
  return mean;
}

const size = fc.oneof(
  fc.constantFrom(0, 0.01, 0.25, 1, 2, 7),
  fc.integer({ min: 0, max: 90 }).map((n) => n / 30),
);
const box = fc.record({
  gap: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: size }),
  width: size,
  colour: fc.nat(0xffffff),
});
const boxLists = fc.array(box, { maxLength: 60 });
const windows = fc.record({
  from: size.map((n) => n * 4),
  scale: size.map((n) => n + 0.1),
  pixels: fc.integer({ min: 1, max: 40 }),
});

describe('paintLevel', () => {
  it('leaves the background behind a box without a width whose edge is rounded', () => {
    const boxes = [
      { gap: 0, width: 1.9333333333333333, colour: 0 },
      { gap: 0, width: 0, colour: 0 },
    ];
    const [, second] = painted(level(boxes), boxes, { from: 1.6, scale: 3, pixels: 2 });
    equal(second, WHITE);
  });

  it('makes each pixel the mean of what it covers', () => {
    fc.assert(
      fc.property(boxLists, windows, (boxes, window) => {
        const placed = level(boxes);
        painted(placed, boxes, window).forEach((pixel, column) => {
          const expected = naive(placed, boxes, window, column);
          channels(pixel).forEach((value, channel) => {
            ok(Math.abs(value - (expected[channel] ?? 0)) <= 0.51, `column ${column}: ${channels(pixel)}, ${expected}`);
          });
        });
      }),
      runs(2000),
    );
  });

  it('shows 57 % where 57 % reach, however many boxes there are', () => {
    const boxes = Array.from({ length: 100_000 }, () => ({ gap: 0.43, width: 0.57, colour: 0 }));
    const pixels = painted(level(boxes), boxes, { from: 0, scale: 200 / 100_000, pixels: 200 });
    deepStrictEqual(new Set(Array.from(pixels, (pixel) => channels(pixel).join())), new Set(['110,110,110']));
  });
});

describe('stretchAt', () => {
  it('finds all boxes near the pointer that are too narrow, up to a wide one or a gap', () => {
    fc.assert(
      fc.property(boxLists, windows, fc.nat(400), (boxes, window, tenths) => {
        const placed = level(boxes);
        const at = tenths / 10;
        const left = (place: number): number => (placed.x[place] - window.from) * window.scale;
        const right = (place: number): number => left(place) + placed.width[place] * window.scale;
        const wide = boxes.findIndex((_, i) => left(i) <= at && at < right(i) && right(i) - left(i) >= 1 + 1e-9);
        const found = stretchAt(placed, 0, window, at);
        if (wide >= 0) {
          deepStrictEqual(found, { first: wide, last: wide });
          return;
        }
        if (found === undefined) {
          ok(!boxes.some((_, i) => left(i) < at - 1e-9 && at + 1e-9 < right(i)), 'nothing is there');
          return;
        }
        const { first, last } = found;
        for (let place = first; place <= last; place++) {
          ok(right(place) - left(place) < 1 + 1e-9);
          ok(right(place) >= at - 5 && left(place) <= at + 5);
          if (place > first) ok(left(place) - right(place - 1) < 1 + 1e-9);
        }
        const heaviest = heaviestOf(placed, found);
        for (let place = first; place <= last; place++) ok(placed.width[place] <= placed.width[heaviest]);
      }),
      runs(1000),
    );
  });

  it('reaches four pixels to each side', () => {
    const placed = level(Array.from({ length: 1000 }, () => ({ gap: 0, width: 1, colour: 0 })));
    deepStrictEqual(stretchAt(placed, 0, { from: 0, scale: 0.1, pixels: 100 }, 50), { first: 460, last: 539 });
    equal(stretchAt(placed, 1, { from: 0, scale: 0.1, pixels: 100 }, 50), undefined);
  });
});
