/** Models from rows, for the tests beside. */
import { PackedColumn } from '../../../src/base/base64.js';
import type { TimelineResult } from '../../../src/pictures/timeline/picture.js';
import { type TimelineModel, timelineModel } from '../model.js';

type Measure = TimelineResult['states'][number]['measure'];
/** When, until when, and how many samples, the value of a counter, or how many events a span has. */
export type DrawnRow = readonly [from: number, to: number, value?: number];

export interface DrawnTrack {
  readonly name: string;
  readonly kind?: TimelineResult['tracks'][number]['kind'];
  readonly start?: number;
  readonly end?: number;
  readonly lanes: readonly (readonly [state: string, measure: Measure, rows: readonly DrawnRow[]])[];
}

/** A result from 0 to `to` nanoseconds; rows of a lane ascend and do not overlap. */
export function drawnResult(to: number, tracks: readonly DrawnTrack[]): TimelineResult {
  const lanes = tracks.flatMap(({ lanes }, track) =>
    lanes.map(([name, measure, rows]) => ({ track, name, measure, rows })),
  );
  const rows = lanes.flatMap((lane) => lane.rows);
  const first = [0];
  for (const lane of lanes) first.push((first.at(-1) ?? 0) + lane.rows.length);
  const column = (value: (row: DrawnRow) => number) => new PackedColumn(Float64Array.from(rows, value));
  return {
    type: 'timeline',
    version: 2,
    recording: 'drawn.jfr',
    complete: true,
    notes: [],
    from: 0,
    to,
    buckets: 1,
    threads: tracks.length,
    tracks: tracks.map(({ name, kind = 'thread', start = null, end = null }) => ({
      ...{ kind, name, start, end },
      unit: kind === 'counter' ? 'bytes' : 'none',
    })),
    states: lanes.map(({ name, measure }) => ({ name, measure })),
    lanes: {
      length: lanes.length,
      track: new PackedColumn(Int32Array.from(lanes, ({ track }) => track)),
      state: new PackedColumn(Int32Array.from(lanes, (_, i) => i)),
      values: new PackedColumn(new Float64Array(lanes.length)),
    },
    waits: null,
    lane_rows: {
      length: rows.length,
      first: new PackedColumn(Int32Array.from(first)),
      from: column(([from]) => from),
      to: column(([, end]) => end),
      value: column(([, , value = 1]) => value),
      detail: new PackedColumn(new Int32Array(rows.length).fill(-1)),
    },
  };
}

export function drawnModel(to: number, tracks: readonly DrawnTrack[]): TimelineModel {
  return timelineModel(drawnResult(to, tracks));
}
