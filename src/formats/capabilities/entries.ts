/** Files that consist of entries, which are chosen, moved and added up one by one, and proved after writing. */
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';

export interface EntryAccess {
  /** Kinds of entries of files, in their usual order. */
  readonly kinds: readonly WritableEntryKind[];
  /** Whether files number their classes and functions (`fileId`); then a merged recording gets new numbers. */
  readonly numbered: boolean;
  /** Most types that the recorder keeps at one place; a note reports a merged recording with more. */
  readonly typesAtPlace: TypeLimit;
  /** Parts of the file that the format does not explain. Empty for a recording that was not read from a file. */
  readonly unexplained: (recording: Recording) => Unexplained;
  /** Uncompressed size of the file of a recording. */
  readonly fileSize: (recording: Recording) => number;
  /** Removes entries from a recording as read, with the classes and functions that only they used. Ids stay. */
  readonly subset: (recording: Recording, subset: Subset) => RecordingPart;
  /**
   * Reads a written file and compares it, entry by entry, with the expected content. Throws an `Error` that names the
   * first difference. Returns the recording read.
   */
  readonly prove: (written: ByteSource, expected: Expected, work?: Work) => Promise<Recording>;
}

export interface WritableEntryKind {
  /** Its word in options. */
  readonly word: string;
  /** Kind of the event table that such entries are read into. */
  readonly kind: string;
  /** Plural name. */
  readonly many: string;
}

export interface TypeLimit {
  readonly most: number;
  readonly recorder: string;
}

/** Parts that the format does not explain: they cannot be summed, moved or renamed. */
export interface Unexplained {
  /** Names of whole sections. */
  readonly sections: readonly string[];
  /** Number of elements in the other sections with unknown keys or rule violations. */
  readonly elements: number;
}

/** Which entries of a recording stay. */
export interface Subset {
  /** By word: 1 for each entry, by its number (`site`), that stays. Absent kinds stay whole. */
  readonly entries: ReadonlyMap<string, Uint8Array>;
  /** Words of the kinds that are removed completely, with unreadable elements. */
  readonly dropped: ReadonlySet<string>;
  /** Whether unexplained parts stay. */
  readonly unexplained: boolean;
}

/** A part of a recording, which is written like a whole one. */
export interface RecordingPart {
  readonly recording: Recording;
  readonly entries: Subset['entries'];
  readonly classes: PartOfSymbols;
  readonly functions: PartOfSymbols;
}

/** Expected content of a written file: a whole recording, or a part of it. */
export interface Expected {
  readonly whole: Recording;
  readonly part?: RecordingPart;
}

/** Classes or functions of a recording, and those that stay in a part of it. */
export interface PartOfSymbols {
  /** By row of the whole: 1 for those that stay. */
  readonly rows: Uint8Array;
  /** Number in the file, and number of these that stay. */
  readonly before: number;
  readonly after: number;
  /** Number that stay only because unexplained parts of the file may refer to them. */
  readonly perhaps: number;
}
