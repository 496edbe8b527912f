/**
 * What was read of a speedscope file as models: one table of events a kind of unit, one thread a name of a profile.
 * Times become nanoseconds since the earliest profile began.
 */
import type { ProblemLog } from '../../base/problems.js';
import type { Unit } from '../../base/units.js';
import { threadsNamed } from '../../models/profile/fields.js';
import type { Metric } from '../../models/profile/profile.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import { type Field, type Table, TableBuilder } from '../../models/table.js';
import type { DocumentReader } from './document.js';
import type { ReadProfile } from './profiles.js';

/** Nanoseconds in the units of time. */
const NANOSECONDS: Readonly<Record<string, number>> = {
  nanoseconds: 1,
  microseconds: 1e3,
  milliseconds: 1e6,
  seconds: 1e9,
};

const KINDS = ['time', 'bytes', 'weight'] as const;
type Kind = (typeof KINDS)[number];

const TITLES: Readonly<Record<Kind, string>> = { time: 'Time', bytes: 'Bytes', weight: 'Weight' };
const METRIC_UNITS: Readonly<Record<Kind, Unit>> = { time: 'ns', bytes: 'bytes', weight: 'none' };

/** Plain data of a recording that was read from a speedscope file: what the models have no place for. */
export interface SpeedscopeResidue {
  /** Columns by location, 0 where none is told. */
  readonly columns: Int32Array;
  /** Some profile was evented: where a function was left and entered again at once is not kept. */
  readonly evented: boolean;
}

/** The recording; `sound` is false where the wrapping was damaged. */
export function toRecording(name: string, document: DocumentReader, problems: ProblemLog, sound: boolean): Recording {
  const { rows, frames, program, told } = document;
  const dangling = rows.frames - frames.length;
  if (dangling > 0 && document.complete)
    problems.add({
      code: 'speedscope-dangling-frame',
      severity: 'error',
      offset: document.largestFrameAt,
      message: `frames up to ${rows.frames - 1} are used, and the file has ${frames.length}`,
    });
  if (frames.otherColumns > 0)
    problems.add({
      code: 'speedscope-column',
      severity: 'info',
      message: `frames that differ from another one in their column only (${frames.otherColumns}) count as the same place`,
    });
  const stacks = rows.stacks.finish((frame) => frames.location(frame));
  const names: string[] = [];
  const threadOf = rows.profiles.map((profile) => indexIn(names, profile.name ?? ''));
  const events = KINDS.flatMap((kind) => tableOf(kind, document, threadOf));
  const threads = threadsNamed(names.map((each) => program.name(each)));
  const residue: SpeedscopeResidue = {
    columns: frames.columns.finish(),
    evented: rows.profiles.some(({ type }) => type === 'evented'),
  };
  return {
    name,
    format: 'speedscope',
    metadata: metadataOf(told),
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

function metadataOf(told: ReadonlyMap<string, string>): MetadataEntry[] {
  return [...told].filter(([key]) => key !== '$schema').map(([key, value]) => ({ key, value }));
}

function kindOf(profile: ReadProfile): Kind {
  if (profile.unit === 'bytes') return 'bytes';
  return NANOSECONDS[profile.unit ?? ''] === undefined ? 'weight' : 'time';
}

/** The events of the profiles of one kind of unit; none where there is no such profile. */
function tableOf(kind: Kind, { rows }: DocumentReader, threadOf: readonly number[]): Table[] {
  const chosen = rows.profiles
    .map((profile, index) => ({ profile, index }))
    .filter(({ profile }) => kindOf(profile) === kind);
  if (chosen.length === 0) return [];
  const builder = new TableBuilder(kind, TITLES[kind], fieldsOf(kind));
  const origin = Math.min(...chosen.map(({ profile }) => beginning(profile, rows.time.values)));
  for (const { profile, index } of chosen) {
    const scale = NANOSECONDS[profile.unit ?? ''] ?? 1;
    for (let row = profile.from; row < profile.to; row++) {
      builder.add({
        stack: rows.stack.values[row],
        thread: threadOf[index] ?? -1,
        value: rows.value.values[row] * scale,
        ...(kind === 'time' ? { time: rows.time.values[row] * scale - origin } : {}),
      });
    }
  }
  return [builder.finish()];
}

/** In nanoseconds, for profiles of time. */
function beginning(profile: ReadProfile, times: Float64Array): number {
  const scale = NANOSECONDS[profile.unit ?? ''] ?? 1;
  const first = profile.from < profile.to ? times[profile.from] : Number.POSITIVE_INFINITY;
  return Math.min(profile.startValue ?? first, first) * scale;
}

function fieldsOf(kind: Kind): Field[] {
  const field = (key: string, title: string, holds: Field['holds'], unit: Unit, meaning: string): Field => ({
    key,
    title,
    holds,
    unit,
    meaning,
    ...(holds === 'number' ? { wide: true } : {}),
  });
  return [
    field('stack', 'Stack', 'stack', 'none', 'what was open'),
    field('thread', 'Thread', 'thread', 'none', 'the profile it stands in'),
    ...(kind === 'time' ? [field('time', 'Time', 'number', 'ns', 'when it began')] : []),
    field('value', TITLES[kind], 'number', METRIC_UNITS[kind], 'of the sample, or between two events'),
  ];
}

function metricOf(table: Table): Metric {
  const kind = KINDS.find((each) => each === table.kind) ?? 'weight';
  return { id: kind, title: TITLES[kind], unit: METRIC_UNITS[kind], nature: 'flow', table: kind, field: 'value' };
}
