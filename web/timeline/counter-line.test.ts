/** Lines of counters against a line through all readings, and scales. */
import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../src/testing/amount.js';
import { counterScale, fillLine } from './counter-line.js';
import { drawnModel } from './testing/drawn-model.js';

/** The value of the line at a time; NaN outside of the readings. */
function lineAt(readings: readonly (readonly [number, number])[], time: number): number {
  for (const [i, [at, value]] of readings.entries()) {
    if (at === time) return value;
    const [next, later] = readings[i + 1] ?? [Number.NaN, 0];
    if (at < time && time < next) return value + ((later - value) * (time - at)) / (next - at);
  }
  return Number.NaN;
}

describe('the line of a counter', () => {
  test('has in each pixel the lowest and highest of the edges and the readings between them', () => {
    const reading = fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 50 }));
    const window = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(
        fc.uniqueArray(reading, { selector: ([time]) => time, minLength: 1, maxLength: 12 }),
        window,
        fc.integer({ min: 1, max: 16 }),
        (unsorted, [start, length], pixels) => {
          const readings = unsorted.sort(([a], [b]) => a - b);
          const rows = readings.map(([time, value]) => [time, time, value] as const);
          const model = drawnModel(100, [{ name: 'n', kind: 'counter', lanes: [['most', 'value', rows]] }]);
          const lane = model.tracks[0]?.lanes[0];
          if (lane === undefined) throw new Error('no lane');
          const [low, high] = [new Float64Array(pixels), new Float64Array(pixels)];
          fillLine(model.rows, lane, { from: start, to: start + length, pixels }, low, high);
          for (let pixel = 0; pixel < pixels; pixel++) {
            const edge = (at: number): number => (at === pixels ? start + length : start + at * (length / pixels));
            const [begin, end] = [edge(pixel), edge(pixel + 1)];
            const values = [
              lineAt(readings, begin),
              ...(readings.some(([time]) => time < end) ? [lineAt(readings, end)] : []),
              ...readings.flatMap(([time, value]) =>
                time >= begin && (time < end || (time === end && pixel + 1 === pixels)) ? [value] : [],
              ),
            ].filter((value) => !Number.isNaN(value));
            const expected = values.length === 0 ? [NaN, NaN] : [Math.min(...values), Math.max(...values)];
            for (const [i, one] of [low[pixel], high[pixel]].entries())
              ok(Object.is(one, expected[i]) || Math.abs(one - (expected[i] ?? NaN)) < 1e-9, `${one} ${expected[i]}`);
          }
        },
      ),
      runs(500),
    );
  });

  test('has a scale of round values up to the largest', () => {
    deepEqual(counterScale(123), { top: 150, lines: [0, 50, 100, 150] });
    deepEqual(counterScale(200), { top: 200, lines: [0, 100, 200] });
    deepEqual(counterScale(1), { top: 1, lines: [0, 0.5, 1] });
    deepEqual(counterScale(0), { top: 0, lines: [0] });
  });
});
