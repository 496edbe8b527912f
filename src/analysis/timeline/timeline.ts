/** The timeline of a recording: tracks of threads, of garbage collection, of ranges and of counters. */
import { stringAt } from '../../base/text.js';
import { GC_PHASE_EVENTS } from '../../models/events/gc.js';
import { THREAD, TIME } from '../../models/events/shared-fields.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../models/events/wait.js';
import type { Profile } from '../../models/profile/profile.js';
import { COUNTERS, RANGES } from '../../models/profile/tables.js';
import { threadLabel } from '../../models/profile/thread-label.js';
import type { Program } from '../../models/program/program.js';
import { columnOf, type Table } from '../../models/table.js';
import { threadLives } from '../threads/lives.js';
import { durationsOf } from '../time-span.js';
import { type Buckets, Lanes } from './lanes.js';
import { type WaitDetails, WaitDetailTable } from './wait-details.js';

export const TRACK_KINDS = ['gc', 'counter', 'range', 'thread'] as const;
export type TrackKind = (typeof TRACK_KINDS)[number];

/** What a lane has: the share of each bucket in a state, a number of samples, or values of a counter. */
export const LANE_MEASURES = ['share', 'samples', 'value'] as const;
export type LaneMeasure = (typeof LANE_MEASURES)[number];

export interface TimelineTrack {
  readonly kind: TrackKind;
  readonly name: string;
  /** When a thread started and ended, in ns; null if that was not recorded. */
  readonly start: number | null;
  readonly end: number | null;
}

export interface LaneState {
  readonly name: string;
  readonly measure: LaneMeasure;
}

export interface DrawnTimeline {
  readonly tracks: readonly TimelineTrack[];
  readonly states: readonly LaneState[];
  readonly lanes: Lanes;
  /** Threads with events in the time, also those without a track. */
  readonly threads: number;
  /** If lanes keep their rows. */
  readonly waits: WaitDetails | undefined;
}

/** `whole`: without the scope, for what belongs to no thread; `keepsRows`: lanes keep what their values are made of. */
export interface TimelineOf {
  readonly keepsRows?: boolean;
  readonly program: Program;
  readonly profile: Profile;
  readonly whole: Profile;
}

export function drawTimeline(of: TimelineOf, buckets: Buckets, mostThreads: number): DrawnTimeline {
  const drawing = new Drawing(of, buckets);
  drawing.collections();
  drawing.counters();
  drawing.ranges();
  const threads = drawing.threads(mostThreads);
  const { tracks, states, lanes } = drawing;
  return { tracks, states, lanes, threads, waits: drawing.waits?.finish() };
}

class Drawing {
  readonly tracks: TimelineTrack[] = [];
  readonly states: LaneState[] = [];
  readonly lanes: Lanes;
  readonly waits: WaitDetailTable | undefined;
  readonly #of: TimelineOf;

  constructor(of: TimelineOf, buckets: Buckets) {
    this.#of = of;
    this.lanes = new Lanes(buckets, of.keepsRows);
    if (of.keepsRows === true) this.waits = new WaitDetailTable(of.program, of.profile);
  }

  #track(kind: TrackKind, name: string, start: number | null = null, end: number | null = null): number {
    return this.tracks.push({ kind, name, start, end }) - 1;
  }

  #state(name: string, measure: LaneMeasure): number {
    const known = this.states.findIndex((state) => state.name === name && state.measure === measure);
    return known >= 0 ? known : this.states.push({ name, measure }) - 1;
  }

  /** Pauses stop all threads, so they are shown whatever the scope is. */
  collections(): void {
    const phases = GC_PHASE_EVENTS.of(this.#of.whole);
    if (phases === undefined || phases.level.every((level) => level !== 0)) return;
    const track = this.#track('gc', 'Garbage collection');
    const states = [this.#state('GC pause', 'share'), this.#state('GC concurrent', 'share')];
    const { time, duration, level, concurrent } = phases;
    const lane = Int32Array.from(level, (value, i) =>
      value === 0 && this.#isWithin(time[i], duration[i]) ? this.lanes.lane(track, states[concurrent[i]]) : -1,
    );
    this.lanes.addSpans({ lane, time, duration });
  }

  counters(): void {
    const { whole, program } = this.#of;
    if (whole.counters === undefined) return;
    const { track: names, time, value, length } = COUNTERS.rows(whole.counters);
    const least = this.#state('least', 'value');
    const most = this.#state('most', 'value');
    const tracks = new Map<number, number>();
    for (let i = 0; i < length; i++) {
      if (this.lanes.bucket(time[i]) < 0 || !Number.isFinite(value[i])) continue;
      const track = tracks.get(names[i]) ?? this.#track('counter', stringAt(program.names, names[i]));
      tracks.set(names[i], track);
      const lanes = [this.lanes.lane(track, least, Number.NaN), this.lanes.lane(track, most, Number.NaN)] as const;
      this.lanes.addReading(lanes, time[i], value[i]);
    }
  }

  /** Ranges without a thread; those of threads are states of them. */
  ranges(): void {
    const { whole, program } = this.#of;
    if (whole.ranges === undefined) return;
    const { track: names, thread, time, duration } = RANGES.rows(whole.ranges);
    const tracks = new Map<number, number>();
    const state = this.#state('lasting', 'share');
    const lane = Int32Array.from(time, (_, i) => {
      if (thread[i] >= 0 || !this.#isWithin(time[i], duration[i])) return -1;
      const track = tracks.get(names[i]) ?? this.#track('range', stringAt(program.names, names[i]));
      tracks.set(names[i], track);
      return this.lanes.lane(track, state);
    });
    this.lanes.addSpans({ lane, time, duration });
  }

  /** The threads with the most events; returns how many there are. */
  threads(most: number): number {
    const { profile, program } = this.#of;
    const tables = [...profile.events, ...(profile.ranges === undefined ? [] : [profile.ranges])].filter(isOfThreads);
    const counts = new Float64Array((profile.threads?.length ?? 0) + 1);
    for (const table of tables) this.#eachRow(table, (_, thread) => counts[thread + 1]++);
    const ranked = Int32Array.from(counts, (_, i) => i)
      .filter((i) => counts[i] > 0)
      .sort((a, b) => counts[b] - counts[a] || a - b);
    const shown = ranked.subarray(0, most === 0 ? ranked.length : most);
    const track = new Int32Array(counts.length).fill(-1);
    const lives = threadLives(this.#of.whole);
    for (const i of shown) {
      const name = i === 0 ? 'unknown thread' : threadLabel(profile, program, i - 1) || 'unnamed thread';
      track[i] = this.#track('thread', name, knownTime(lives?.start[i - 1]), knownTime(lives?.end[i - 1]));
    }
    for (const table of tables) this.#addTable(table, track);
    return ranked.length;
  }

  #addTable(table: Table, track: Int32Array): void {
    const durations = durationsOf(table);
    const stateOf = this.#statesOf(table, durations === undefined ? 'samples' : 'share');
    const lane = new Int32Array(table.length).fill(-1);
    this.#eachRow(table, (row, thread) => {
      if (track[thread + 1] >= 0) lane[row] = this.lanes.lane(track[thread + 1], stateOf(row));
    });
    const time = columnOf(table, TIME) ?? new Float64Array();
    if (durations !== undefined) {
      this.lanes.addSpans({ lane, time, duration: durations, detail: this.waits?.rowsOf(table) });
      return;
    }
    const counts = samplesOf(table);
    for (let row = 0; row < lane.length; row++) this.lanes.addSamples(lane[row], time[row], counts?.[row] ?? 1);
  }

  /** Waits by their reason, ranges by their track, all others by their kind. */
  #statesOf(table: Table, measure: LaneMeasure): (row: number) => number {
    const { program } = this.#of;
    if (table.kind === WAIT_EVENTS.kind) {
      const { reason } = WAIT_EVENTS.rows(table);
      const states = WAIT_REASONS.map((name) => () => this.#state(name, measure));
      return (row) => states[reason[row]]?.() ?? this.#state(table.title, measure);
    }
    if (table.kind === RANGES.kind) {
      const { track } = RANGES.rows(table);
      const states = new Map<number, number>();
      return (row) => {
        const known = states.get(track[row]) ?? this.#state(stringAt(program.names, track[row]), measure);
        states.set(track[row], known);
        return known;
      };
    }
    const state = this.#state(table.title, measure);
    return () => state;
  }

  /** Rows within the time, with their threads (-1 unknown). */
  #eachRow(table: Table, visit: (row: number, thread: number) => void): void {
    const time = columnOf(table, TIME);
    const thread = columnOf(table, THREAD);
    const durations = durationsOf(table);
    const known = this.#of.profile.threads?.length ?? 0;
    for (let row = 0; row < table.length; row++) {
      if (time === undefined || !this.#isWithin(time[row], durations?.[row] ?? 0)) continue;
      const id = thread?.[row] ?? -1;
      if (table.kind !== RANGES.kind || id >= 0) visit(row, id < known ? id : -1);
    }
  }

  #isWithin(time: number, duration: number): boolean {
    const { from, to } = this.lanes.buckets;
    return time <= to && time + Math.max(0, duration) >= from;
  }
}

function knownTime(time: number | undefined): number | null {
  return time === undefined || Number.isNaN(time) ? null : time;
}

/** Tables that say what threads did at a time: how long, or in samples. Phases of collections have a track of their own. */
function isOfThreads(table: Table): boolean {
  if (columnOf(table, TIME) === undefined || table.kind === GC_PHASE_EVENTS.kind) return false;
  const isOfThread = columnOf(table, THREAD) !== undefined;
  return samplesOf(table) !== undefined || (isOfThread && durationsOf(table) !== undefined);
}

function samplesOf(table: Table): ArrayLike<number> | undefined {
  const field = table.fields.find(({ unit }) => unit === 'samples');
  return field && columnOf(table, field);
}
