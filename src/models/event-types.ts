/**
 * The event types of a recording that describes itself, such as those of JDK Flight Recorder: names, fields and units come from the
 * file. Events of known types are in the profile as well; those of any type are read when asked for.
 */
import type { Note } from '../base/note.js';
import type { Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { Unit } from '../base/units.js';
import type { Profile } from './profile/profile.js';
import type { Program } from './program/program.js';
import type { Field } from './table.js';

export interface EventTypeField {
  /** Its key in the table of the events: fields of fields have dots, `heapSpace.used`. */
  readonly name: string;
  /** For people; empty if the file has none. */
  readonly label: string;
  readonly description: string;
  /** Name of its type in the file: `long`, `java.lang.Class`. */
  readonly type: string;
  readonly unit: Unit;
  /** What must accompany sums of its values. */
  readonly remark?: Note;
}

export interface EventType {
  /** `jdk.ExecutionSample`; those of JDK 9 are spelled so, too. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** From the general to the particular: `Java Virtual Machine`, `GC`, `Phases`. */
  readonly category: readonly string[];
  /** Number of events, and their bytes in the file. */
  readonly count: number;
  readonly bytes: number;
  readonly fields: readonly EventTypeField[];
}

/** Events of some types, with all their fields. */
export interface EventsRead {
  readonly program: Program;
  /**
   * An event table for each type with events, in the order of the question: its kind is the name of the type, its fields those of the
   * file. Times are nanoseconds since the recording began; NaN is an unknown time, -1 an unknown row.
   */
  readonly profile: Profile;
  /** What could not be read: opening does not find all of it, since it reads no constants. */
  readonly problems?: Problems;
}

/** The first events of some types in the order of time. */
export interface EarliestRead extends EventsRead {
  /** By name of the type: how many events can be read at all. */
  readonly totals: ReadonlyMap<string, number>;
}

/** Reads events from the source of an open recording. */
export interface EventReader {
  /**
   * The events of the types with these names; names without events have no table. One pass over the file. Of a recording that grows they
   * are those of its current snapshot, each after those of the snapshots before.
   */
  read(types: readonly string[], work?: Work): Promise<EventsRead>;
  /**
   * The first `most` events of each of these types in the order of time, equal times in the order of the file; for less than `read`
   * costs. Undefined if only reading all of them can tell which these are. Absent where nothing is saved.
   */
  readonly earliest?: (types: readonly string[], most: number, work?: Work) => Promise<EarliestRead | undefined>;
  /**
   * All events, part after part in the order of the file, each valid until the next one: for what needs no part twice. One pass.
   * `shared`: only these fields, for less than all of them cost.
   */
  parts(work?: Work, shared?: readonly Field[]): AsyncIterable<EventsRead>;
}

/** A part of a recording to be written. */
export interface EventCut {
  /** Names of the types that stay; all if not given. */
  readonly types?: ReadonlySet<string>;
  /**
   * Chooses the events that stay; all do if it is not given. It gets the events of one part of the file after another, in the order of the
   * file, and returns by type a byte for each: 0 for those that are left out. Types that it does not return stay whole.
   */
  readonly keep?: (events: EventsRead) => ReadonlyMap<string, Uint8Array>;
  /** Whether texts that look like secrets stay. */
  readonly secrets: boolean;
}

/** A file with a part of the events of a recording, in the format of the recording. */
export interface CutFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Complete after all chunks were taken. */
  readonly report: CutReport;
}

export interface CutReport {
  /** By name of the type: number of events, and of those that were written. */
  readonly events: ReadonlyMap<string, { readonly before: number; readonly after: number }>;
  /** Notes on what else was not written. */
  readonly dropped: readonly string[];
  /** Texts that were replaced, since they look like secrets. */
  readonly hidden: number;
  /** What could not be read, and is not written. */
  readonly problems: Problems;
}

/** Writes a part of a recording from its source: events that stay are the same bytes. */
export type EventCutter = (cut: EventCut, work?: Work) => Promise<CutFile>;
