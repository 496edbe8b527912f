/**
 * The event types of a recording that describes itself, such as those of JDK Flight Recorder: names, fields and units come from the
 * file. Events of known types are in the profile as well; those of any type are read when asked for.
 */
import type { Work } from '../base/progress.js';
import type { Unit } from '../base/units.js';
import type { Profile } from './profile/profile.js';
import type { Program } from './program/program.js';

export interface EventTypeField {
  /** Its key in the table of the events: fields of fields have dots, `heapSpace.used`. */
  readonly name: string;
  /** For people; empty if the file has none. */
  readonly label: string;
  readonly description: string;
  /** Name of its type in the file: `long`, `java.lang.Class`. */
  readonly type: string;
  readonly unit: Unit;
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
}

/** Reads events from the source of an open recording. */
export interface EventReader {
  /** The events of the types with these names; names without events have no table. One pass over the file. */
  read(types: readonly string[], work?: Work): Promise<EventsRead>;
}
