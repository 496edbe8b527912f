/** `timeline`: what threads, garbage collection and counters did over time, in equal parts of it. */
import { z } from 'zod';
import type { LaneRows } from '../../analysis/timeline/lane-rows.js';
import { timelineUse } from '../../analysis/timeline/stages.js';
import { LANE_MEASURES, TRACK_KINDS } from '../../analysis/timeline/timeline.js';
import type { WaitDetails } from '../../analysis/timeline/wait-details.js';
import { PackedColumn } from '../../base/base64.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { note } from '../../base/note.js';
import { phrase, thePage, theStep } from '../../base/phrase.js';
import { formatCount, plural, UNITS } from '../../base/units.js';
import { unitOfTrack } from '../../models/profile/tracks.js';
import { TIMELINE_OPTIONS } from '../../questions/options/recording.js';
import { float64, int32 } from '../flame/packed.js';
import { COMMON, common } from '../listing.js';
import { virtualWaitNotes } from '../metric-choice.js';
import { defineView } from '../question.js';
import { tableRows } from '../row-table.js';

export const timelineView = defineView({
  name: 'timeline',
  version: 2,
  title: 'Timeline',
  withoutNames: true,
  options: TIMELINE_OPTIONS,
  refuses: ['sort', 'offset'],
  shape: {
    ...COMMON,
    from: z.number().describe('start of the time, in ns since the recording began'),
    to: z.number().describe('its end'),
    buckets: z.number().int().describe('equal parts of the time'),
    threads: z.number().int().describe('threads with events in the time, also those without a track'),
    tracks: z.array(
      z.object({
        kind: z.enum(TRACK_KINDS),
        name: z.string(),
        unit: z.enum(UNITS).describe('of the values of a counter'),
        start: z.number().nullable().describe('when the thread started, in ns; null if that was not recorded'),
        end: z.number().nullable().describe('when it ended, in the same way'),
      }),
    ),
    states: z.array(
      z.object({
        name: z.string(),
        measure: z
          .enum(LANE_MEASURES)
          .describe(
            'share: part of the bucket in the state, 0 to 1; samples: number in the bucket; value: of a counter',
          ),
      }),
    ),
    lanes: z.object({
      length: z.number().int(),
      track: int32('lane', 'index into tracks'),
      state: int32('lane', 'index into states'),
      values: float64('lane and bucket', 'all buckets of the first lane, then those of the next; NaN is no value'),
    }),
    lane_rows: z
      .object({
        length: z.number().int(),
        first: int32('lane', 'its first row; one more, the number of rows, at the end'),
        from: float64('row', 'ns, ascending in a lane'),
        to: float64('row', 'ns; from for samples and readings'),
        value: float64(
          'row',
          'number of samples; the value, in the lane of the largest values; of a span the number of its events, more than 1 where some lie within another',
        ),
        detail: int32('row', 'of a wait its row in waits; else -1'),
      })
      .nullable()
      .describe('spans, samples and readings that the values are made of, if asked for'),
    waits: z
      .object({
        length: z.number().int(),
        lock: int32('row', 'class of the object waited for: index into texts, -1 unknown'),
        address: float64('row', 'its address, -1 unknown'),
        owner: int32('row', 'thread that held the lock before, or that notified: index into texts, -1 unknown'),
        stack: int32('row', 'innermost frame of the stack, -1 without one'),
        frames: z.object({
          length: z.number().int(),
          above: int32('frame', 'the frame of its caller, -1 at the outermost'),
          name: int32('frame', 'index into texts'),
        }),
        texts: z.array(z.string()),
      })
      .nullable()
      .describe('what waits were for, with the rows'),
  },
  needs: ({ subject, page }, { buckets, rows: keepsRows }) => ({
    timeline: timelineUse(subject, { buckets, keepsRows, mostThreads: page.limit }),
  }),
  answer: (input, { buckets }, { timeline }) => {
    const { hasTimes, span, drawn, values, rows, scopeNotes } = timeline;
    if (!hasTimes)
      throw new MissingError(`${input.recording.name} has no events with times`, {
        code: 'no-times',
        advice: 'Recordings of JDK Flight Recorder have them.',
      });
    if (span === undefined || drawn === undefined)
      throw new UsageError('nothing was recorded in this time', {
        code: 'nothing-in-time',
        advice: phrase`Choose another with ${theStep('time')}.`,
        action: { omitSteps: ['time'] },
      });
    const { tracks, states, lanes, threads } = drawn;
    const column = (laneValue: (lane: number) => number) =>
      new PackedColumn(Int32Array.from({ length: lanes.length }, (_, lane) => laneValue(lane)));
    const shownThreads = tracks.filter(({ kind }) => kind === 'thread').length;
    const notes =
      shownThreads < threads
        ? [
            note(
              'threads-left-out',
              phrase`${formatCount(shownThreads)} of ${plural(threads, 'thread')}, those with the most events (${thePage('limit', { value: 0 })} shows all).`,
              { action: { limit: 0 } },
            ),
          ]
        : [];
    return {
      ...common({ ...input, scopeNotes }, [...notes, ...virtualWaitNotes(input)]),
      from: span.from,
      to: span.to,
      buckets,
      threads,
      tracks: tableRows(
        tracks.map((track) => ({
          ...track,
          unit: track.kind === 'counter' ? unitOfTrack(track.name) : ('none' as const),
        })),
      ),
      states: [...states],
      lanes: {
        length: lanes.length,
        track: column((lane) => lanes.track(lane)),
        state: column((lane) => lanes.state(lane)),
        values: new PackedColumn(values),
      },
      lane_rows: packedRows(rows),
      waits: packedWaits(drawn.waits),
    };
  },
});

function packedRows(rows: LaneRows | undefined) {
  if (rows === undefined) return null;
  const { first, from, to, value, detail } = rows;
  return {
    length: from.length,
    first: new PackedColumn(first),
    from: new PackedColumn(from),
    to: new PackedColumn(to),
    value: new PackedColumn(value),
    detail: new PackedColumn(detail),
  };
}

function packedWaits(waits: WaitDetails | undefined) {
  if (waits === undefined) return null;
  const { length, lock, address, owner, stack, frames, texts } = waits;
  return {
    length,
    lock: new PackedColumn(lock),
    address: new PackedColumn(address),
    owner: new PackedColumn(owner),
    stack: new PackedColumn(stack),
    frames: { length: frames.length, above: new PackedColumn(frames.above), name: new PackedColumn(frames.name) },
    texts: [...texts],
  };
}
