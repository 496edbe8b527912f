/**
 * The events of some types as tables in the order of their times, and the same within a scope. They are read from the
 * source where the recording describes its own types, and are tables of its profile otherwise.
 */

import { inTimeOrder } from '../../base/columns/order.js';
import { sequence } from '../../base/columns/packed.js';
import type { Note } from '../../base/note.js';
import { hasErrors } from '../../base/problems.js';
import type { EventsRead } from '../../models/event-types.js';
import { TIME } from '../../models/events/shared-fields.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { columnsOfRows, rowParts, withColumns } from '../../models/packed-columns.js';
import type { Profile } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';
import { columnOf, type Field, keyIn, selectRows, type Table } from '../../models/table.js';
import { stepsForOther } from '../identity/other-side.js';
import { absentValueNotes } from '../scope/absent-values.js';
import { applyScope } from '../scope/scope.js';
import { type KnownType, readsEvents, typesOf } from './event-types.js';

export interface RecordedEvents {
  readonly program: Program;
  /** Its events are those of the types, one table each, in their order; types without events have none. */
  readonly profile: Profile;
  /** Something of them could not be read; opening does not find all of it. */
  readonly isPartial: boolean;
}

/**
 * Number of an event among those of its type in the order of time, from 1 on: the same in every scope. Events of a recording that grows
 * are numbered as they were read, so that numbers stay.
 */
export const NUMBER = {
  key: '#',
  title: '#',
  holds: 'row',
  unit: 'none',
  meaning: 'number among the events of its type, in the order of time',
} as const satisfies Field;

/** Words of numbers that are truth values. */
export const TRUTH: readonly string[] = ['false', 'true'];

const recordedStage: Stage<RecordedEvents, readonly string[]> = {
  name: 'events',
  version: 1,
  key: (types) => JSON.stringify(types),
  run: async ([subject], types, _, work) => {
    const { source, snapshot } = subject;
    const { program, profile } = snapshot.recording;
    const isRead = readsEvents(subject);
    const read = isRead ? await source.events?.read(types, work) : profile && { program, profile };
    const known = new Map(typesOf(subject).map((type) => [type.name, type]));
    const tables = types.flatMap((type) => read?.profile.events.filter(({ kind }) => kind === type) ?? []);
    const grows = source.refresh !== undefined;
    const upTo = (table: Table): Table => (grows ? firstRows(table, known.get(table.kind)?.count ?? 0) : table);
    return {
      program: read?.program ?? program,
      profile: {
        ...(read?.profile ?? EMPTY),
        metrics: [],
        events: tables.map((table) => inOrder(isRead ? withWords(upTo(table), known.get(table.kind)) : table, grows)),
      },
      isPartial: isPartial(read),
    };
  },
  bytes: bytesOf,
};

/** Whether something of these events could not be read. */
export function isPartial(read: Partial<EventsRead> | undefined): boolean {
  return read?.problems !== undefined && hasErrors(read.problems);
}

function lengthOf({ events }: Profile): number {
  return events.reduce((sum, { length }) => sum + length, 0);
}

const BYTES = 8;

function bytesOf({ profile }: RecordedEvents): number {
  return profile.events.reduce((sum, { length, fields }) => sum + length * fields.length * BYTES, 0);
}

const EMPTY: Profile = {
  stacks: { length: 0, parent: new Int32Array(0), location: new Int32Array(0), ending: new Uint8Array(0) },
  events: [],
  metrics: [],
};

/** The events of these types, all of them, whatever the scope of the subject. */
export function recordedUse(subject: Subject, types: readonly string[]): StageUse<RecordedEvents> {
  return use(recordedStage, [{ ...subject, scope: [] }], types);
}

/** Numbers that stand for truth values and letters get their words. */
export function withWords(table: Table, type: KnownType | undefined): Table {
  const words = new Map(type?.fields.map((field) => [field.name, wordsOf(field.type)]));
  return {
    ...table,
    fields: table.fields.map((field) => {
      const names = words.get(field.key);
      return names === undefined ? field : { ...field, names };
    }),
  };
}

function wordsOf(type: string): readonly string[] | undefined {
  if (type === 'boolean') return TRUTH;
  return type === 'char' ? Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)) : undefined;
}

/** The recording may have grown since the question was asked. */
function firstRows(table: Table, count: number): Table {
  return table.length <= count
    ? table
    : selectRows(
        table,
        Int32Array.from({ length: count }, (_, row) => row),
      );
}

/** In the order of time, with numbers of this order, or of the order before. Columns that are in order stay packed. */
function inOrder(table: Table, keepsNumbers: boolean): Table {
  const times = isInOrder(table) ? undefined : columnOf(table, TIME);
  const order = times && inTimeOrder(times);
  const columns = order === undefined ? table.columns : columnsOfRows(table.columns, order);
  const numbers = order !== undefined && keepsNumbers ? order.map((row) => row + 1) : sequence(1, table.length);
  return {
    ...table,
    fields: [...table.fields, NUMBER],
    columns: withColumns(columns, { [NUMBER.key]: numbers }),
  };
}

/** Whether the times of a table, if it has any, are in order; for certain. */
function isInOrder(table: Table): boolean {
  let last = Number.NEGATIVE_INFINITY;
  for (const { length, columns } of rowParts(table, [keyIn(table, TIME)])) {
    const [times] = columns;
    for (let i = 0; times !== undefined && i < length; i++) {
      if (!(times[i] >= last)) return false;
      last = times[i];
    }
  }
  return true;
}

export interface ScopedEvents extends RecordedEvents {
  /** Types that the scope could not be applied to. */
  readonly unscoped: ReadonlySet<string>;
  /** Events of all types before the scope, in the profile or not. */
  readonly total: number;
  /** Where no event is left: the words of its filters that no event has. */
  readonly absentNotes: readonly Note[];
}

const scopedStage: Stage<ScopedEvents, readonly string[]> = {
  name: 'events in scope',
  version: 2,
  key: (types) => JSON.stringify(types),
  needs: ([subject], types) => [recordedUse(subject, types)],
  run: async ([subject], types, get) => {
    const recorded = await get(recordedUse(subject, types));
    const { program, profile } = recorded;
    const total = lengthOf(profile);
    if (subject.scope.length === 0 || profile.events.length === 0)
      return { ...recorded, unscoped: new Set(), total, absentNotes: [] };
    const steps = stepsForOther(subject.scope, subject.snapshot.recording, { program, profile });
    const scoped = applyScope(program, profile, steps);
    const absentNotes = lengthOf(scoped.profile) === 0 ? absentValueNotes(program, profile, steps) : [];
    return { ...recorded, ...scoped, total, absentNotes };
  },
  bytes: bytesOf,
};

/** The events of these types within the scope of the subject. */
export function eventsUse(subject: Subject, types: readonly string[]): StageUse<ScopedEvents> {
  return use(scopedStage, [subject], types);
}

/** The first events of each type in the order of time; all of them where that costs no more. */
const earliestStage: Stage<ScopedEvents, { readonly types: readonly string[]; readonly most: number }> = {
  name: 'first events',
  version: 1,
  key: (parameters) => JSON.stringify(parameters),
  needs: ([subject], { types }) => [recordedUse(subject, types)],
  run: async ([subject], { types, most }, get, work) => {
    const read = readsEvents(subject) ? await subject.source.events?.earliest?.(types, most, work) : undefined;
    if (read === undefined) {
      const recorded = await get(recordedUse(subject, types));
      return { ...recorded, unscoped: new Set(), total: lengthOf(recorded.profile), absentNotes: [] };
    }
    const { program, profile, totals } = read;
    const known = new Map(typesOf(subject).map((type) => [type.name, type]));
    const events = profile.events.map((table) => inOrder(withWords(table, known.get(table.kind)), false));
    const total = [...totals.values()].reduce((sum, count) => sum + count, 0);
    const first = { ...profile, metrics: [], events };
    return { program, profile: first, isPartial: isPartial(read), unscoped: new Set(), total, absentNotes: [] };
  },
  bytes: bytesOf,
};

/** At least the first `most` events of each of these types in the order of time, whatever the scope of the subject. */
export function earliestUse(subject: Subject, types: readonly string[], most: number): StageUse<ScopedEvents> {
  return use(earliestStage, [{ ...subject, scope: [] }], { types, most });
}
