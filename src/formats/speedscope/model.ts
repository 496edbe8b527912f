/**
 * Converts a speedscope file to the models: one table of events per kind of unit, one thread per profile name. Times
 * become nanoseconds since the earliest profile began.
 */
import { dictionary } from '../../base/dictionary.js';
import type { ProblemLog } from '../../base/problems.js';
import { TIME_EVENTS } from '../../models/events/time.js';
import { BYTES_EVENTS, WEIGHT_EVENTS } from '../../models/events/weight.js';
import type { Metric } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import type { Table } from '../../models/table.js';
import type { DocumentReader } from './document.js';
import type { ReadProfile } from './profiles.js';

/** Nanoseconds in the units of time. */
const NANOSECONDS = dictionary<number>({
  nanoseconds: 1,
  microseconds: 1e3,
  milliseconds: 1e6,
  seconds: 1e9,
});

const TIMES = TIME_EVENTS.having(['thread', 'time']);
const BYTES = BYTES_EVENTS.having(['thread']);
const WEIGHTS = WEIGHT_EVENTS.having(['thread']);

/** Tables of events by unit of the profiles. */
const METRICS = {
  time: TIMES.metric('spent', { id: 'time', title: 'Time' }),
  bytes: BYTES.metric('bytes', { id: 'bytes', title: 'Bytes' }),
  weight: WEIGHTS.metric('weight', { id: 'weight', title: 'Weight' }),
} as const;
const KINDS = ['time', 'bytes', 'weight'] as const;
type Kind = (typeof KINDS)[number];

/** Plain data of a recording that was read from a speedscope file: data without a place in the models. */
export interface SpeedscopeResidue {
  /** Columns by location, 0 if unknown. */
  readonly columns: Int32Array;
  /** Some profile was evented: a return with an immediate second call is not kept. */
  readonly evented: boolean;
}

/** The recording; `sound` is false if the container was damaged. */
export function toRecording(name: string, document: DocumentReader, problems: ProblemLog, sound: boolean): Recording {
  const { rows, frames, program, metadata } = document;
  const dangling = rows.frames - frames.length;
  if (dangling > 0 && document.complete)
    problems.add({
      code: 'speedscope-dangling-frame',
      severity: 'error',
      offset: document.largestFrameAt,
      message: `frames up to ${rows.frames - 1} are used, but the file has only ${frames.length}`,
    });
  if (frames.otherColumns > 0)
    problems.add({
      code: 'speedscope-column',
      severity: 'info',
      message: `${frames.otherColumns} frames differ from another one only in their column; they count as the same place`,
    });
  const stacks = rows.stacks.finish((frame) => frames.location(frame));
  const names: string[] = [];
  const threadOf = rows.profiles.map((profile) => indexIn(names, profile.name ?? ''));
  const events = KINDS.flatMap((kind) => tableOf(kind, document, threadOf));
  const threads = THREADS.table({ name: Int32Array.from(names, (each) => program.name(each)) });
  const residue: SpeedscopeResidue = {
    columns: frames.columns.finish(),
    evented: rows.profiles.some(({ type }) => type === 'evented'),
  };
  return {
    name,
    format: 'speedscope',
    metadata: metadataOf(metadata),
    sections: [
      { name: 'profiles', entries: rows.profiles.length },
      { name: 'shared.frames', entries: frames.length },
    ],
    program: program.finish(),
    profile: { stacks, events, metrics: events.map(metricOf), threads },
    problems: problems.finish(),
    complete: sound && document.complete && dangling <= 0,
    residue,
  };
}

function indexIn(names: string[], name: string): number {
  const known = names.indexOf(name);
  return known >= 0 ? known : names.push(name) - 1;
}

function metadataOf(found: ReadonlyMap<string, string>): MetadataEntry[] {
  return [...found].filter(([key]) => key !== '$schema').map(([key, value]) => ({ key, value }));
}

function kindOf(profile: ReadProfile): Kind {
  if (profile.unit === 'bytes') return 'bytes';
  return NANOSECONDS[profile.unit ?? ''] === undefined ? 'weight' : 'time';
}

/** The events of the profiles of one kind of unit; none if there is no such profile. */
function tableOf(kind: Kind, { rows }: DocumentReader, threadOf: readonly number[]): Table[] {
  const chosen = rows.profiles
    .map((profile, index) => ({ profile, index }))
    .filter(({ profile }) => kindOf(profile) === kind);
  if (chosen.length === 0) return [];
  const origin = Math.min(...chosen.map(({ profile }) => beginning(profile, rows.time.values)));
  const [times, bytes, weights] = [TIMES.builder(), BYTES.builder(), WEIGHTS.builder()];
  for (const { profile, index } of chosen) {
    const scale = NANOSECONDS[profile.unit ?? ''] ?? 1;
    for (let row = profile.from; row < profile.to; row++) {
      const place = { stack: rows.stack.values[row], thread: threadOf[index] ?? -1 };
      const value = rows.value.values[row] * scale;
      if (kind === 'time') times.add({ ...place, time: rows.time.values[row] * scale - origin, spent: value });
      else if (kind === 'bytes') bytes.add({ ...place, bytes: value });
      else weights.add({ ...place, weight: value });
    }
  }
  return [(kind === 'time' ? times : kind === 'bytes' ? bytes : weights).finish()];
}

/** In nanoseconds, for profiles of time. */
function beginning(profile: ReadProfile, times: Float64Array): number {
  const scale = NANOSECONDS[profile.unit ?? ''] ?? 1;
  const first = profile.from < profile.to ? times[profile.from] : Number.POSITIVE_INFINITY;
  return Math.min(profile.startValue ?? first, first) * scale;
}

function metricOf(table: Table): Metric {
  return METRICS[KINDS.find((kind) => METRICS[kind].table === table.kind) ?? 'weight'];
}
