/**
 * A timeline result with its rows, as the page draws it: tracks with lanes, and prefix sums over the rows of each lane.
 *
 *   lane   rows first ≤ i < end     from[i] ≤ to[i], ascending
 *   sums[i]                         time (spans) or number (samples) of the rows before i in its lane
 *
 * 8 bytes a row beside the result. How much of any time a state lasted is the difference of two sums, however many rows there are.
 */
import { float64Values, int32Values } from '../../src/base/base64.js';
import { UsageError } from '../../src/base/errors.js';
import { printable } from '../../src/base/text.js';
import type { Unit } from '../../src/base/units.js';
import { NATIVE_SAMPLE_EVENTS, WALL_SAMPLE_EVENTS } from '../../src/models/events/thread-samples.js';
import { WAIT_REASONS } from '../../src/models/events/wait.js';
import type { Fact } from '../../src/pictures/flame/words.js';
import { lookOf, stateWords, type TimelineResult } from '../../src/pictures/timeline/picture.js';
import { waitFacts } from './wait-facts.js';

/** What a lane is drawn as. */
export interface LaneModel {
  readonly measure: 'share' | 'samples' | 'value';
  /** The state in words: `blocked by a monitor`. */
  readonly words: string;
  /** What it says of a thread: samples of one that ran, time in which it was blocked by a monitor or waited for something else. */
  readonly activity: 'ran' | 'blocked' | 'waited' | undefined;
  /** As CSS writes it. */
  readonly colour: string;
  /** Its rows. */
  readonly first: number;
  readonly end: number;
}

export interface TrackModel {
  readonly kind: TimelineResult['tracks'][number]['kind'];
  readonly name: string;
  readonly unit: Unit;
  /** When a thread started and ended; null if that was not recorded. */
  readonly start: number | null;
  readonly end: number | null;
  readonly lanes: readonly LaneModel[];
}

export interface DrawnRows {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly value: Float64Array;
  /** Of waits: what they were for; else -1. */
  readonly detail: Int32Array;
  readonly sums: Float64Array;
}

export interface TimelineModel {
  /** Nanoseconds since the recording began. */
  readonly from: number;
  readonly to: number;
  readonly tracks: readonly TrackModel[];
  readonly rows: DrawnRows;
  /** By detail of a row: lock, owner, stack. */
  readonly waits: (detail: number) => readonly Fact[];
}

const BLOCKED: (typeof WAIT_REASONS)[number] = 'enter';
const WAITS: ReadonlySet<string> = new Set(WAIT_REASONS);
/** Samples of threads that may not run. */
const NOT_RUNNING: ReadonlySet<string> = new Set([NATIVE_SAMPLE_EVENTS, WALL_SAMPLE_EVENTS].map(({ title }) => title));

function activityOf({ name, measure }: TimelineResult['states'][number]): LaneModel['activity'] {
  if (measure === 'samples') return NOT_RUNNING.has(name) ? undefined : 'ran';
  if (name === BLOCKED) return 'blocked';
  return WAITS.has(name) ? 'waited' : undefined;
}

/** Throws `UsageError` if the result has no rows. */
export function timelineModel(result: TimelineResult): TimelineModel {
  const { lane_rows: packed, lanes, states } = result;
  if (packed === null) throw new UsageError('it carries no spans');
  const [first, track, state] = [int32Values(packed.first), int32Values(lanes.track), int32Values(lanes.state)];
  const value = float64Values(packed.value);
  const rows = {
    from: float64Values(packed.from),
    to: float64Values(packed.to),
    value,
    detail: int32Values(packed.detail),
  };
  const byTrack = result.tracks.map((): LaneModel[] => []);
  const sums = new Float64Array(value.length);
  for (let lane = 0; lane < lanes.length; lane++) {
    const known = states[state[lane]];
    const [begin, end] = [first[lane], first[lane + 1]];
    if (known === undefined || begin === end) continue;
    const { measure, name } = known;
    byTrack[track[lane]]?.push({
      ...{ measure, words: printable(stateWords(name)), colour: lookOf(known).colour },
      activity: activityOf(known),
      ...{ first: begin, end },
    });
    let sum = 0;
    for (let i = begin; i < end; i++) {
      sums[i] = sum;
      sum += measure === 'samples' ? value[i] : rows.to[i] - rows.from[i];
    }
  }
  const tracks = result.tracks
    .map((track, i) => ({ ...track, name: printable(track.name), lanes: byTrack[i] ?? [] }))
    .filter((one) => one.lanes.length > 0);
  return { from: result.from, to: result.to, tracks, rows: { ...rows, sums }, waits: waitFacts(result.waits) };
}

/** Part of the time on some pixels: nanoseconds. */
export interface DrawnTime {
  readonly from: number;
  readonly to: number;
  readonly pixels: number;
}

/** The first row of a lane, from `at` on, that does not begin before a time. Few steps where it is near. */
export function rowAt({ from }: DrawnRows, { end }: LaneModel, at: number, time: number): number {
  let low = at;
  let step = 1;
  while (low + step < end && from[low + step] < time) {
    low += step;
    step *= 2;
  }
  let high = Math.min(end, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (from[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the rows before `at` are worth until a time: the time that they last, or their number of samples. */
function sumUntil({ from, to, value, sums }: DrawnRows, lane: LaneModel, at: number, time: number): number {
  if (at === lane.first) return 0;
  const last = at - 1;
  return sums[last] + (lane.measure === 'samples' ? value[last] : Math.min(to[last], time) - from[last]);
}

/**
 * By pixel: the nanoseconds in a state, or the number of samples. The last pixel has what is at the end of the time. Cost: as many steps as
 * pixels or rows in the window, whichever are fewer.
 */
export function fillSums(rows: DrawnRows, lane: LaneModel, window: DrawnTime, sums: Float64Array): void {
  const first = rowAt(rows, lane, lane.first, window.from);
  const end = rowAt(rows, lane, first, nextAfter(window.to));
  if (end - first > window.pixels) fillByPixel(rows, lane, window, sums, first);
  else if (lane.measure === 'samples') fillSamples(rows, window, sums, first, end);
  else fillSpans(rows, window, sums, Math.max(lane.first, first - 1), end);
}

/** Differences of the sums at the edges of pixels. */
function fillByPixel(
  rows: DrawnRows,
  lane: LaneModel,
  { from, to, pixels }: DrawnTime,
  sums: Float64Array,
  first: number,
): void {
  const step = (to - from) / pixels;
  let at = first;
  let before = sumUntil(rows, lane, at, from);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const time = pixel + 1 < pixels ? from + (pixel + 1) * step : nextAfter(to);
    at = rowAt(rows, lane, at, time);
    const now = sumUntil(rows, lane, at, Math.min(time, to));
    sums[pixel] = Math.max(0, now - before);
    before = now;
  }
}

function fillSamples(
  rows: DrawnRows,
  { from, to, pixels }: DrawnTime,
  sums: Float64Array,
  first: number,
  end: number,
): void {
  const perTime = pixels / (to - from);
  sums.fill(0, 0, pixels);
  for (let i = first; i < end; i++)
    sums[Math.min(pixels - 1, Math.floor((rows.from[i] - from) * perTime))] += rows.value[i];
}

/** Adds the parts of each span to the pixels that it touches. */
function fillSpans(
  rows: DrawnRows,
  { from, to, pixels }: DrawnTime,
  sums: Float64Array,
  first: number,
  end: number,
): void {
  const step = (to - from) / pixels;
  sums.fill(0, 0, pixels);
  for (let i = first; i < end; i++) {
    const [start, stop] = [Math.max(from, rows.from[i]), Math.min(to, rows.to[i])];
    if (stop <= start) continue;
    const left = Math.min(pixels - 1, Math.floor((start - from) / step));
    const right = Math.min(pixels - 1, Math.floor((stop - from) / step));
    if (left === right) sums[left] += stop - start;
    else {
      sums[left] += from + (left + 1) * step - start;
      sums.fill(step, left + 1, right);
      sums[right] += stop - (from + right * step);
    }
  }
}

/** By pixel: the least and the largest value that was read; NaN without one. */
export function fillExtremes(
  rows: DrawnRows,
  lane: LaneModel,
  { from, to, pixels }: DrawnTime,
  least: Float64Array,
  most: Float64Array,
): void {
  const step = (to - from) / pixels;
  let at = rowAt(rows, lane, lane.first, from);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const end = rowAt(rows, lane, at, pixel + 1 < pixels ? from + (pixel + 1) * step : nextAfter(to));
    least[pixel] = Number.NaN;
    most[pixel] = Number.NaN;
    for (; at < end; at++) {
      if (!(least[pixel] <= rows.value[at])) least[pixel] = rows.value[at];
      if (!(most[pixel] >= rows.value[at])) most[pixel] = rows.value[at];
    }
  }
}

/** A time just above one: what happened at the end of a window belongs to it. */
function nextAfter(time: number): number {
  return time + Math.max(1e-6, Math.abs(time) * Number.EPSILON);
}

/** The largest value of a lane. */
export function largest({ value }: DrawnRows, { first, end }: LaneModel): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = first; i < end; i++) most = Math.max(most, value[i]);
  return most;
}
