/** Shares of buckets against a count of each nanosecond. */
import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../base/errors.js';
import { runs } from '../../testing/amount.js';
import { Lanes } from './lanes.js';

describe('lanes', () => {
  test('have the share of each bucket, and overlapping spans once', () => {
    const lanes = new Lanes({ from: 0, to: 40, count: 4 });
    const lane = lanes.lane(0, 0);
    lanes.addSpans({ lane: [lane, lane, lane, -1], time: [5, 8, 30, 0], duration: [7, 10, 10, 40] });
    deepEqual([...lanes.values(lane)], [0.5, 0.8, 0, 1]);
  });

  test('clip spans that begin before, or end after, the time', () => {
    const lanes = new Lanes({ from: 100, to: 120, count: 2 });
    const lane = lanes.lane(3, 7);
    lanes.addSpans({ lane: [lane, lane], time: [50, 118], duration: [55, 1e15] });
    deepEqual([...lanes.values(lane)], [0.5, 0.2]);
    deepEqual([lanes.track(lane), lanes.state(lane)], [3, 7]);
    deepEqual(
      [99, 100, 119.9, 120, 121, Number.NaN].map((time) => lanes.bucket(time)),
      [-1, 0, 1, 1, -1, -1],
    );
  });

  test('skip what is no time', () => {
    const lanes = new Lanes({ from: 0, to: 10, count: 1 });
    const lane = lanes.lane(0, 0);
    const nan = Number.NaN;
    lanes.addSpans({ lane: [lane, lane, lane], time: [nan, 1, 2], duration: [5, nan, -1] });
    deepEqual([...lanes.values(lane)], [0]);
  });

  test('are refused before they fill the memory', () => {
    const lanes = new Lanes({ from: 0, to: 10, count: 1 << 23 });
    lanes.lane(0, 0);
    lanes.lane(1, 0);
    throws(() => lanes.lane(2, 0), UsageError);
  });

  test('add up to the time that any span covers', () => {
    const span = fc.record({ lane: fc.nat(2), time: fc.integer({ min: -20, max: 110 }), duration: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), fc.integer({ min: 1, max: 13 }), (spans, count) => {
        const lanes = new Lanes({ from: 0, to: 91, count }, true);
        for (const lane of [0, 1, 2]) equal(lanes.lane(lane, 0), lane);
        lanes.addSpans({
          lane: spans.map(({ lane }) => lane),
          time: spans.map(({ time }) => time),
          duration: spans.map(({ duration }) => duration),
        });
        const rows = lanes.rows();
        for (const lane of [0, 1, 2]) {
          let covered = 0;
          for (let at = 0; at < 91; at++)
            if (spans.some((one) => one.lane === lane && one.time <= at && at < one.time + one.duration)) covered++;
          const shares = lanes.values(lane);
          ok(shares.every((share) => share >= 0 && share <= 1));
          const sum = shares.reduce((all, share) => all + share, 0) * (91 / count);
          ok(Math.abs(sum - covered) < 1e-9, `${sum} of ${covered}`);
          let kept = 0;
          let events = 0;
          for (let i = rows?.first[lane] ?? 0; i < (rows?.first[lane + 1] ?? 0); i++) {
            kept += (rows?.to[i] ?? 0) - (rows?.from[i] ?? 0);
            events += rows?.value[i] ?? 0;
            if (i > (rows?.first[lane] ?? 0)) ok((rows?.from[i] ?? 0) >= (rows?.to[i - 1] ?? 0), 'no overlap');
          }
          equal(kept, covered);
          const inTime = spans.filter((one) => one.duration > 0 && one.time < 91 && one.time + one.duration > 0);
          equal(events, inTime.filter((one) => one.lane === lane).length, 'no event is lost');
        }
      }),
      runs(300),
    );
  });
});
