/** Sums and extremes by pixel against a second count of every nanosecond; times as text. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../src/testing/amount.js';
import { fillExtremes, fillSums } from './model.js';
import { type DrawnRow, drawnModel } from './testing/drawn-model.js';
import { moved, readSpan, selectionText, spanText, stretched, ticks } from './viewport.js';
import { factsOf, neighbour } from './words.js';

/** Disjoint spans within 0 to 240, ascending. */
const spans = fc
  .uniqueArray(fc.nat(240), { maxLength: 24 })
  .map((edges) => edges.sort((a, b) => a - b))
  .map((edges) => edges.flatMap((to, i): DrawnRow[] => (i % 2 === 1 ? [[edges[i - 1] ?? 0, to]] : [])));
const moments = fc
  .array(fc.tuple(fc.nat(240), fc.integer({ min: 1, max: 9 })), { maxLength: 30 })
  .map((rows) => rows.sort(([a], [b]) => a - b).map(([time, value]): DrawnRow => [time, time, value]));

/** Windows whose pixels are whole nanoseconds. */
const windows = fc
  .record({ from: fc.nat(200), pixels: fc.integer({ min: 1, max: 40 }), each: fc.integer({ min: 1, max: 30 }) })
  .map(({ from, pixels, each }) => ({ from, to: from + pixels * each, pixels, each }));

function laneOf(measure: 'share' | 'samples' | 'value', rows: readonly DrawnRow[]) {
  const before: DrawnRow[] = [[3, 3, 100]];
  const model = drawnModel(241, [
    {
      name: 't',
      lanes: [
        ['x', 'samples', before],
        ['y', measure, rows],
      ],
    },
  ]);
  const lane = model.tracks[0]?.lanes[1];
  return { rows: model.rows, lane };
}

describe('every pixel has the exact', () => {
  test('time of spans', () => {
    fc.assert(
      fc.property(spans, windows, (drawn, { each, ...window }) => {
        const { rows, lane } = laneOf('share', drawn);
        if (lane === undefined) return;
        const sums = new Float64Array(window.pixels);
        fillSums(rows, lane, window, sums);
        const expected = Array.from(sums, (_, pixel) => {
          let covered = 0;
          for (let at = 0; at < each; at++) {
            const time = window.from + pixel * each + at;
            if (drawn.some(([from, to]) => from <= time && time < to)) covered++;
          }
          return covered;
        });
        ok(
          expected.every((one, i) => Math.abs(one - sums[i]) < 1e-6),
          `${[...sums]} for ${expected}`,
        );
      }),
      runs(300),
    );
  });

  test('number of samples, and least and largest reading', () => {
    fc.assert(
      fc.property(moments, windows, (drawn, { each, ...window }) => {
        const inPixel = (time: number, pixel: number): boolean =>
          pixel === window.pixels - 1 && time === window.to
            ? true
            : Math.floor((time - window.from) / each) === pixel && time >= window.from;
        const values = Array.from({ length: window.pixels }, (_, pixel) =>
          drawn.flatMap(([time, , value = 0]) => (inPixel(time, pixel) ? [value] : [])),
        );
        const samples = laneOf('samples', drawn);
        const sums = new Float64Array(window.pixels);
        if (samples.lane === undefined) return;
        fillSums(samples.rows, samples.lane, window, sums);
        deepEqual(
          [...sums],
          values.map((each) => each.reduce((sum, one) => sum + one, 0)),
        );
        const { rows, lane } = laneOf('value', drawn);
        const [least, most] = [new Float64Array(window.pixels), new Float64Array(window.pixels)];
        if (lane === undefined) return;
        fillExtremes(rows, lane, window, least, most);
        deepEqual(
          [...least].map((one, i) => [one, most[i]]),
          values.map((each) => (each.length === 0 ? [Number.NaN, Number.NaN] : [Math.min(...each), Math.max(...each)])),
        );
      }),
      runs(300),
    );
  });
});

describe('times', () => {
  test('of a selection are those that the command line reads', () => {
    // A pixel of 21 ms: hundredths of a second are enough.
    equal(selectionText({ from: 7.8012e9, to: 9.94e9 }, 21e6), '7.80..9.94');
    equal(selectionText({ from: 1, to: 2001 }, 10), '0.00000000..0.00000200');
    deepEqual(readSpan('7.80..9.94'), { from: 7.8e9, to: 9.94e9 });
    deepEqual(
      [readSpan('9..9'), readSpan('9'), readSpan(undefined), readSpan('a..b')],
      [undefined, undefined, undefined, undefined],
    );
    equal(spanText({ from: 0, to: 1.25e9 }), '0..1.25');
  });

  test('of the axis are round', () => {
    deepEqual(
      ticks({ from: 0.9e9, to: 2.1e9 }, 5).map(({ text }) => text),
      ['1.0 s', '1.5 s', '2.0 s'],
    );
    deepEqual(
      ticks({ from: 0, to: 100 }, 2).map(({ time }) => Math.round(time)),
      [0, 50, 100],
    );
  });

  test('in view stay within the recording; what is zoomed around stays', () => {
    const all = { from: 0, to: 1000 };
    deepEqual(moved(all, -50, 200), { from: 0, to: 200 });
    deepEqual(moved(all, 950, 200), { from: 800, to: 1000 });
    deepEqual(moved(all, 10, 5000), all);
    deepEqual(moved(all, 500, 1), { from: 500, to: 600 });
    deepEqual(stretched(all, { from: 200, to: 800 }, 350, 0.5), { from: 275, to: 575 });
  });
});

test('facts of a place, and what is next on a track', () => {
  const model = drawnModel(1e9, [
    {
      name: 'main',
      lanes: [
        [
          'park',
          'share',
          [
            [1e8, 3e8],
            [4e8, 4.5e8],
            [4.6e8, 4.7e8],
          ],
        ],
        ['Samples', 'samples', [[2e8, 2e8, 3]]],
      ],
    },
    {
      name: 'Heap used',
      kind: 'counter',
      lanes: [
        [
          'most',
          'value',
          [
            [1e8, 1e8, 2000],
            [2e8, 2e8, 1000],
          ],
        ],
      ],
    },
    { name: 'helper', start: 5e7, end: 7e8, lanes: [['park', 'share', [[1e8, 2e8]]]] },
  ]);
  const [main, heap, helper] = model.tracks;
  if (main === undefined || heap === undefined || helper === undefined) throw new Error('three tracks are drawn');
  const texts = (...[track, from, to]: [typeof main, number, number]) =>
    factsOf(model, track, { from, to })
      .slice(1)
      .map(({ title, text }) => `${title} ${text}`);
  deepEqual(texts(main, 1.5e8, 2.5e8), ['Time 0.1 to 0.3 s', 'parked 200.00 ms from 0.100000 s', 'Samples 3']);
  deepEqual(texts(helper, 5e8, 6e8), ['Time 0.5 to 0.6 s', 'Started 0.050 s', 'Ended 0.700 s']);
  deepEqual(texts(main, 4e8, 5e8), ['Time 0.4 to 0.5 s', 'parked 60.00 %, 2 times']);
  deepEqual(texts(main, 5e8, 6e8), ['Time 0.5 to 0.6 s']);
  deepEqual(texts(heap, 0, 1e9), ['Time 0 to 1 s', 'Value 1.00 KB to 2.00 KB']);
  deepEqual(texts(heap, 5e8, 6e8), ['Time 0.5 to 0.6 s', 'Last before 1.00 KB at 0.200 s']);
  deepEqual(neighbour(model, main, -1, 1), { from: 1e8, to: 3e8 });
  deepEqual(neighbour(model, main, 1e8, 1), { from: 2e8, to: 2e8 });
  deepEqual(neighbour(model, main, 4e8, -1), { from: 2e8, to: 2e8 });
  deepEqual(neighbour(model, main, 1e8, -1), undefined);
  deepEqual(neighbour(model, main, Number.POSITIVE_INFINITY, -1), { from: 4.6e8, to: 4.7e8 });
});
