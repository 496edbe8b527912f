/** Recordings whose files describe their types of events: the events are read when they are asked for. */
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { EventCutter, EventReader } from '../../models/event-types.js';
import type { Recording } from '../../models/recording.js';

export interface EventAccess {
  /**
   * Reads only the types of events, their numbers and the metadata: a recording without a profile. Events that are `foreseen` may be read
   * in the same pass.
   */
  readonly outline: (source: ByteSource, work?: Work, foreseen?: Foreseen) => Promise<OutlinedRecording>;
  /** Reads events of any type from the source of a whole recording, which stays open for it. Absent where only an outline has them. */
  readonly reader?: (source: ByteSource) => EventReader;
  /** Writes chosen events of a recording as a file of its format, from its source, which stays open for it. */
  readonly cutter?: (source: ByteSource) => EventCutter;
}

/** A recording without a profile, and the events of its source, which stays open for them. */
export interface OutlinedRecording {
  readonly recording: Recording;
  readonly events: EventReader;
}

/** The events that will be asked for. */
export interface Foreseen {
  /** Types of events: names, or last parts of names. */
  readonly words: readonly string[];
  /** How many of each, the first ones in the order of time; all if not given. */
  readonly most?: number | undefined;
}
