/** The timeline of a recording within its scope, as a stage. */
import type { Note } from '../../base/note.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { scopedUse } from '../scope/scoped.js';
import { type TimeSpan, timeSpan } from '../time-span.js';
import type { LaneRows } from './lane-rows.js';
import { type DrawnTimeline, drawTimeline } from './timeline.js';

/** How a timeline is drawn. */
export interface TimelineChoice {
  /** Equal parts of the time. */
  readonly buckets: number;
  /** Lanes keep what their values are made of. */
  readonly keepsRows: boolean;
  /** Threads with a track; 0 for all. */
  readonly mostThreads: number;
}

export interface RecordedTimeline {
  /** Whether the recording has events with times. */
  readonly hasTimes: boolean;
  /** The time within the scope, and what happened in it; undefined if nothing did. */
  readonly span: TimeSpan | undefined;
  readonly drawn: DrawnTimeline | undefined;
  /** Lane by lane the value of each bucket. */
  readonly values: Float64Array;
  readonly rows: LaneRows | undefined;
  readonly scopeNotes: readonly Note[];
}

const timelineStage: Stage<RecordedTimeline, TimelineChoice> = {
  name: 'timeline',
  version: 1,
  key: ({ buckets, keepsRows, mostThreads }) => JSON.stringify([buckets, keepsRows, mostThreads]),
  needs: ([subject]) => [scopedUse(anytime(subject))],
  run: async ([subject], { buckets, keepsRows, mostThreads }, get) => {
    const { recording, profile, scopeNotes } = await get(scopedUse(anytime(subject)));
    const whole = recording.profile;
    const span = timeSpan(whole, subject.scope);
    const hasTimes = timeSpan(whole, []) !== undefined;
    const source = whole && profile && { program: recording.program, profile, whole, keepsRows };
    const drawn = source && span && drawTimeline(source, { ...span, count: buckets }, mostThreads);
    const values = new Float64Array((drawn?.lanes.length ?? 0) * buckets);
    for (let lane = 0; lane * buckets < values.length; lane++)
      values.set(drawn?.lanes.values(lane) ?? [], lane * buckets);
    return { hasTimes, span, drawn, values, rows: drawn?.lanes.rows(), scopeNotes };
  },
  // The lanes have the values, too.
  bytes: ({ values, rows }) => 2 * values.byteLength + (rows === undefined ? 0 : rows.from.length * BYTES_A_ROW),
};

/** Three columns of eight bytes, twice: the lanes keep theirs. */
const BYTES_A_ROW = 48;

/** Waits that began before the time last into it: the time is applied to the lanes, and only there. */
function anytime(subject: Subject): Subject {
  return { ...subject, scope: subject.scope.filter(({ kind }) => kind !== 'time') };
}

/** The timeline of a subject. */
export function timelineUse(subject: Subject, choice: TimelineChoice): StageUse<RecordedTimeline> {
  return use(timelineStage, [subject], choice);
}
