/** Times of the clock as times of a recording. */
import { equal, match, ok, throws } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Recording, RecordingClock } from '../../models/recording.js';
import { runs } from '../../testing/amount.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { timeOfDay, timeStepOf } from './time-of-day.js';

const recordingOf = (clock: RecordingClock): Recording => ({ ...drawnRecording(picture('a')), clock });

function stepOf(clock: RecordingClock, ...[first, last]: (string | undefined)[]) {
  const step = timeStepOf(recordingOf(clock), { kind: 'clock', from: first, to: last });
  ok(step.kind === 'time');
  return step;
}

/** 2026-11-28, 23:59:58 in a zone two hours ahead of UTC; for ten seconds. */
const OVER_MIDNIGHT = { start: Date.UTC(2026, 10, 28, 21, 59, 58), length: 10e9, zoneOffset: 7_200_000 };

describe('times of day', () => {
  test('are those of the zone of the recording, on the day on which it was made', () => {
    equal(stepOf(OVER_MIDNIGHT, '23:59:59').from, 1e9);
    equal(stepOf(OVER_MIDNIGHT, '00:00:03.250').from, 5.25e9, 'on the next day');
    equal(stepOf(OVER_MIDNIGHT, '0:00').from, 2e9);
    equal(stepOf(OVER_MIDNIGHT, undefined, '00:00:01').to, 3e9);
    equal(stepOf(OVER_MIDNIGHT, '22:00:01Z').from, 3e9);
    equal(stepOf(OVER_MIDNIGHT, '2026-11-29T00:00:01').from, 3e9);
    equal(stepOf(OVER_MIDNIGHT, '2026-11-28 17:00:01-05:00').from, 3e9);
    equal(stepOf(OVER_MIDNIGHT, '2026-11-29').from, 2e9);
    equal(stepOf(OVER_MIDNIGHT, '23:59:00').from, 0, 'before the start');
  });

  test('are said with their zone', () => {
    match(
      stepOf(OVER_MIDNIGHT, '23:59:59', '00:00:01').words ?? '',
      /^From 23:59:59\.000 to 00:00:01\.000, UTC\+02:00$/,
    );
    const { zoneOffset: _, ...unknown } = OVER_MIDNIGHT;
    match(stepOf(unknown, '21:59:59').words ?? '', /UTC, since its zone is unknown$/);
  });

  for (const text of ['', 'x', '24:00', '12:60', '12', '2026-13-01', '12:00+1', '12:00:99'])
    test(`are not ${text === '' ? 'nothing' : text}`, () => {
      throws(() => stepOf(OVER_MIDNIGHT, text), /is no time/);
    });

  test('need a recording that says when it began', () => {
    throws(
      () => timeStepOf(drawnRecording(picture('a')), { kind: 'clock', from: '12:00' }),
      /does not say when it began/,
    );
  });

  test('name the moment that they were written for', () => {
    const clocks = fc.record({
      start: fc.integer({ min: 0, max: 4e12 }),
      length: fc.integer({ min: 1, max: 20 * 3600 }).map((seconds) => seconds * 1e9),
      zoneOffset: fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => quarters * 900_000),
    });
    fc.assert(
      fc.property(clocks, fc.double({ min: 0, max: 1, noNaN: true }), (clock, share) => {
        const ms = Math.floor((clock.length * share) / 1e6);
        equal(stepOf(clock, timeOfDay(clock, ms * 1e6)).from, ms * 1e6);
      }),
      runs(500),
    );
  });
});
