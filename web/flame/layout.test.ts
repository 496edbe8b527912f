/** The layout and its drawing, against naive walks over all nodes. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type FlameLayout,
  layout,
  NARROWEST,
  placeAt,
  SIBLING_ORDERS,
  spans,
  type WidthWindow,
} from '../../src/pictures/flame/layout.js';
import { type FlamePicture, flamePicture } from '../../src/pictures/flame/picture.js';
import { ask } from '../../src/session/session.js';
import { runs } from '../../src/testing/amount.js';
import { picture } from '../../src/testing/pictures/picture.js';
import { picturedSession } from '../../src/testing/pictures/pictured-session.js';
import { drawn, plainEvents } from '../../src/testing/pictures/random-picture.js';

const RUNS = runs(200);

async function pictureOf(text: string): Promise<FlamePicture> {
  return flamePicture(await ask(picturedSession(picture(text)), { view: 'flame' }));
}

/** A layout of one level with these gaps and widths; `spans` and `placeAt` need no more. */
function level(boxes: readonly (readonly [gap: number, width: number])[]): FlameLayout {
  const x = new Float64Array(boxes.length);
  const width = new Float64Array(boxes.length);
  let at = 0;
  boxes.forEach(([gap, wide], i) => {
    at += gap;
    x[i] = at;
    width[i] = wide;
    at += wide;
  });
  const identity = Int32Array.from(boxes, (_, i) => i);
  const children = new Int32Array(boxes.length + 1).fill(boxes.length);
  return { order: identity, placeOf: identity, children, x, width, levels: Int32Array.of(0, boxes.length) };
}

interface Span {
  readonly first: number;
  readonly last: number;
  readonly left: number;
  readonly right: number;
}

function drawnSpans(of: FlameLayout, window: WidthWindow): Span[] {
  const found: Span[] = [];
  spans(of, 0, window, (first, last, left, right) => found.push({ first, last, left, right }));
  return found;
}

/** Few sizes, powers of two and thirds: boxes exactly as wide as the limit are common. */
const size = fc.oneof(
  fc.constantFrom(0, 0.25, 0.5, 1, 2),
  fc.integer({ min: 0, max: 90 }).map((n) => n / 30),
);
const boxes = fc.array(
  fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: size }), size),
  {
    maxLength: 60,
  },
);
const windows = fc.record({ from: size.map((n) => n * 4), scale: size.map((n) => n + 0.1), pixels: fc.nat(40) });

describe('layout', () => {
  it('puts children inside their parent, in order, without overlap, as wide as their totals', async () => {
    await fc.assert(
      fc.asyncProperty(
        plainEvents,
        fc.boolean(),
        fc.constantFrom(...SIBLING_ORDERS),
        async (events, inverted, order) => {
          const flame = flamePicture(
            await ask(picturedSession(drawn(events)), { view: 'flame', options: { inverted } }),
          );
          const placed = layout(flame, order);
          deepStrictEqual(
            [...placed.order].sort((a, b) => a - b),
            [...flame.parent.keys()],
          );
          for (let node = 0; node < flame.length; node++) {
            const place = placed.placeOf[node];
            equal(placed.order[place], node);
            equal(placed.width[place], flame.total[node]);
            let left = placed.x[place];
            let weight = Infinity;
            const found: number[] = [];
            for (let child = placed.children[place]; child < placed.children[place + 1]; child++) {
              found.push(placed.order[child]);
              equal(flame.parent[placed.order[child]], node);
              equal(placed.x[child], left);
              left += placed.width[child];
              if (order === 'weight') ok(placed.width[child] <= weight);
              weight = placed.width[child];
            }
            ok(left <= placed.x[place] + placed.width[place]);
            const expected = [...flame.parent.keys()].filter((one) => flame.parent[one] === node);
            deepStrictEqual(order === 'name' ? found : found.sort((a, b) => a - b), expected);
          }
        },
      ),
      RUNS,
    );
  });

  it('keeps children inside even with negative counts of a damaged recording', async () => {
    const flame = await pictureOf('@count -5 4 3\n       a  a b\n       c  d');
    const placed = layout(flame, 'name');
    deepStrictEqual(
      Array.from(placed.order, (node) => [flame.total[node], placed.x[node], placed.width[node]]),
      [
        [2, 0, 7],
        [-1, 0, 4],
        [3, 4, 3],
        [-5, 0, 0],
        [4, 0, 4],
      ],
    );
  });

  it('makes room for vanished nodes', async () => {
    const session = picturedSession(
      picture('@count 3 1\n       a a\n         b'),
      picture('@count 3 2\n       a a\n         c'),
    );
    const flame = flamePicture(await ask(session, { view: 'flame', base: 'r2' }));
    deepStrictEqual([...layout(flame, 'name').width], [6, 6, 1, 2]);
  });
});

describe('spans', () => {
  it('show every box that is wide enough, once, where it is; and the narrow ones of a cell together', () => {
    fc.assert(
      fc.property(boxes, windows, (list, window) => {
        const placed = level(list);
        const found = drawnSpans(placed, window);
        const left = (place: number): number => (placed.x[place] - window.from) * window.scale;
        const right = (place: number): number => left(place) + placed.width[place] * window.scale;
        const isWide = (place: number): boolean => right(place) - left(place) >= NARROWEST;
        let before = -1;
        for (const span of found) {
          ok(span.first > before && span.last >= span.first);
          before = span.last;
          equal(span.left, left(span.first));
          ok(Math.abs(span.right - right(span.last)) < 1e-9);
          ok(span.first === span.last || left(span.last) - span.left <= NARROWEST + 1e-9, 'a run is in one cell');
          if (span.first !== span.last)
            for (let place = span.first; place <= span.last; place++)
              ok(!isWide(place), 'no wide box is hidden in a run');
        }
        const covered = (place: number): boolean => found.some(({ first, last }) => first <= place && place <= last);
        list.forEach((_, place) => {
          const isSeen = right(place) > 1e-9 && left(place) < window.pixels && placed.width[place] > 0;
          if (isSeen) ok(covered(place), `box ${place} is seen`);
          if (right(place) <= -1e-9 || left(place) >= window.pixels) ok(!covered(place) || !isWide(place));
        });
      }),
      runs(2000),
    );
  });

  it('cost steps for pixels, not for nodes', () => {
    const placed = level(Array.from({ length: 1_000_000 }, () => [0, 1] as const));
    const found = drawnSpans(placed, { from: 0, scale: 100 / 1_000_000, pixels: 100 });
    equal(found.length, 200);
    deepStrictEqual([found[0]?.first, found.at(-1)?.last], [0, 999_999]);
    const zoomed = drawnSpans(placed, { from: 500_000, scale: 10, pixels: 100 });
    deepStrictEqual(
      zoomed.map(({ first }) => first),
      Array.from({ length: 10 }, (_, i) => 500_000 + i),
    );
  });
});

describe('placeAt', () => {
  it('finds the box over a point', () => {
    fc.assert(
      fc.property(
        boxes,
        size.map((n) => n * 10),
        (list, at) => {
          const placed = level(list);
          const expected = list.findIndex(
            (_, place) => placed.x[place] <= at && at < placed.x[place] + placed.width[place],
          );
          equal(placeAt(placed, 0, at), expected);
        },
      ),
      runs(2000),
    );
    equal(placeAt(level([[0, 1]]), 1, 0), -1);
    equal(placeAt(level([[0, 1]]), -1, 0), -1);
  });
});
