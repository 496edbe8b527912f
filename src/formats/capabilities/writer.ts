/** Writing recordings. Members that write are promises, since writers are loaded when needed. */
import type { Phrase } from '../../base/phrase.js';
import type { Work } from '../../base/progress.js';
import type { Recording } from '../../models/recording.js';

/** What a format writes: a profile or an object tree as one file, a recording as a set of files. At least one of them is present. */
export interface Writer {
  readonly file?: FileWriter;
  readonly objects?: ObjectWriter;
  readonly set?: SetWriter;
  /** First words of the names of its reports in text: `call_tree` of `call_tree_<image>_<yyyyMMdd_HHmmss>.txt`. */
  readonly reports?: string;
}

/** How a recording is written as one file. */
export interface FileWriter {
  /** Writes any recording that fits the format. */
  readonly write: WriteFile;
  /** Writes the undamaged part of a damaged recording as a valid file. */
  readonly salvage?: WriteFile;
  /** A written file has one number per stack: the values of one metric. */
  readonly oneMetric?: true;
  /** `WriteOptions.version` has a meaning. */
  readonly versions?: true;
  /** Only such recordings can be written. */
  readonly whole?: WholeRecordings;
}

export type WriteFile = (recording: Recording, options: WriteOptions) => Promise<Written>;

/** Whole recordings that have what a format needs and the models have no place for; parts of them and other recordings are rejected. */
export interface WholeRecordings {
  /** Ids of the formats whose recordings, as read from a file, have it. */
  readonly formats: readonly string[];
  /** Whether it can be made for merged or repaired recordings. */
  readonly made: boolean;
}

/** Writes the objects of the last heap, from `Heap.recorded`, as one file. A promise, since writers are loaded when needed. */
export type ObjectWriter = (recording: Recording, options: ObjectOptions) => Promise<Written>;

export interface ObjectOptions {
  /** What a tree of objects shows only as text. */
  readonly expansion?: Expansion;
  readonly work?: Work;
}

/**
 * Comma-separated patterns of types and roots whose objects a tree shows only as text, or with their fields although they would be
 * suppressed, as the options `ImageObjectTree…` of GraalVM Native Image.
 */
export interface Expansion {
  readonly suppressTypes?: string;
  readonly expandTypes?: string;
  readonly suppressRoots?: string;
  readonly expandRoots?: string;
}

/** How a recording is written as several files. */
export interface SetWriter {
  /** Names that end like this are those of sets to write. */
  readonly extensions: readonly string[];
  readonly write: (recording: Recording, options: WriteOptions, output: string) => Promise<WrittenSet>;
  /** The path of a part of a set that is written as `output`. */
  readonly fileName: (part: string, output: string) => string;
  /** The files are in a directory with the name of the output, which must be new. */
  readonly inFolder?: true;
  /** The path of the link to the latest such part. */
  readonly linkName?: (part: string, output: string) => string;
  /** `WriteOptions.version` has a meaning. */
  readonly versions?: true;
}

export interface WriteOptions {
  /** Version of the format to write; the recording's own if not given. */
  readonly version?: string;
  /** Id of the metric whose values are written, for formats with one number a stack; the first if not given. */
  readonly metric?: string;
  readonly work?: Work;
}

/** The bytes of a file, in order, and notes on omitted data. `dropped` is complete after all chunks were taken. */
export interface Written {
  readonly chunks: Iterable<Uint8Array>;
  readonly dropped: readonly Phrase[];
  /**
   * About how many bytes the chunks will have. Present where each stack is written whole, so that a file may be far larger
   * than its recording. Costs one pass over stacks and rows, and nothing is written for it.
   */
  readonly estimate?: () => number;
}

/** The files of a set, by part, and notes on omitted data. `dropped` is complete after all chunks were taken. */
export interface WrittenSet {
  readonly parts: ReadonlyMap<string, Iterable<Uint8Array>>;
  readonly dropped: readonly Phrase[];
}
