import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CALL_EVENTS } from '../models/events/call.js';
import { SAMPLE_EVENTS } from '../models/events/sample.js';
import { TIME_EVENTS } from '../models/events/time.js';
import { runs, SEED } from '../testing/amount.js';
import { bisected } from '../testing/bisected-interval.js';
import { picture } from '../testing/pictures/picture.js';
import { Random } from '../testing/random.js';
import { intervalOf } from './interval.js';
import { samplingOf } from './sampling-error.js';

describe('intervals of sampled numbers', () => {
  test('are those of the definition, hold the value, and scale with the unit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.nat(100_000),
        fc.integer({ min: 1, max: 1e7 }),
        (n, k, step) => {
          const value = Math.min(k, n);
          const [low, high] = bisected(value / n, n);
          const found = intervalOf(value * step, { samples: n, total: n * step });
          assert.ok(found !== undefined && found.low <= value * step && value * step <= found.high);
          assert.ok(Math.abs(found.low / (n * step) - low) < 1e-9 && Math.abs(found.high / (n * step) - high) < 1e-9);
          // What is not the value has the rest of the total.
          const rest = intervalOf((n - value) * step, { samples: n, total: n * step });
          assert.ok(Math.abs((rest?.low ?? NaN) + found.high - n * step) < 1e-6 * n * step);
        },
      ),
      runs(300),
    );
  });

  test('hold the truth in about 95 of 100 recordings', () => {
    const random = new Random(SEED);
    for (const [truth, samples] of [
      [0.5, 100],
      [0.05, 400],
      [0.01, 1000],
    ] as const) {
      let held = 0;
      const recordings = 2000;
      for (let i = 0; i < recordings; i++) {
        let value = 0;
        for (let sample = 0; sample < samples; sample++) if (random.bits() / 2 ** 32 < truth) value++;
        const { low = 1, high = 0 } = intervalOf(value, { samples, total: samples }) ?? {};
        if (low <= truth * samples && truth * samples <= high) held++;
      }
      assert.ok(held / recordings > 0.92 && held / recordings < 0.98, `${truth} of ${samples}: ${held / recordings}`);
    }
  });

  test('are of samples and of times of a known period, never of exact counts', () => {
    const { profile } = picture(`
      @count  3  7
              a  b
    `);
    const [table] = profile.events;
    const of = (kind: string) => ({ ...profile, events: table === undefined ? [] : [{ ...table, kind }] });
    const field = { field: 'count' };
    const samples = SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Samples' });
    assert.deepEqual(samplingOf(samples, of('sample')), { samples: 10, total: 10 });
    const time = { ...TIME_EVENTS.metric('spent', { id: 'time', title: 'Time' }), ...field };
    assert.equal(samplingOf(time, of('time')), undefined);
    assert.deepEqual(samplingOf({ ...time, period: { value: 0.5, unit: 'ns' } }, of('time')), {
      samples: 20,
      total: 10,
    });
    assert.equal(samplingOf(CALL_EVENTS.metric('count', { id: 'calls', title: 'Calls' }), of('call')), undefined);
    assert.equal(intervalOf(11, { samples: 10, total: 10 }), undefined);
  });
});
