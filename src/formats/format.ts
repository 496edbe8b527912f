/** The interface of formats to all other rooms. */
import type { Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ByteSource, RandomSource } from '../bytes/byte-source.js';
import type { FileTree } from '../bytes/file-tree.js';
import type { JoinedSource } from '../bytes/joined/joined-source.js';
import type { EventCutter, EventReader } from '../models/event-types.js';
import type { HeapReader } from '../models/heap/heap.js';
import type { HeapDumper, OpenRecording } from '../models/open-recording.js';
import type { GeneratedCode } from '../models/program/code.js';
import type { Recording } from '../models/recording.js';
import type { LogKind } from './shared/logs/log-kind.js';

/** Result of a probe of the first bytes of an input. */
export interface Guess {
  /** 0: certainly not. Below `RECOGNISED`: some of its marks were found. 1: certain. */
  readonly confidence: number;
  /** Evidence, for messages: "a JSON object whose first keys are types and methods". */
  readonly because: string;
}

/** From this confidence on an input counts as recognised. */
export const RECOGNISED = 0.5;

/** No mark of the format was found. */
export const NO_GUESS: Guess = { confidence: 0, because: '' };

/** The start of an input, created once for all probes. */
export interface Head {
  /** File name without folders; a hint only. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The bytes as text, one character a byte. */
  readonly text: string;
  /** Whether `bytes` is the whole input. */
  readonly whole: boolean;
  /** Outline of a JSON object that was scanned further than `bytes`; probes use `outlineOf`, which chooses. */
  readonly outline?: JsonOutline;
}

/** Structure near the top of a JSON document; made by `json-outline.ts`. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word';

export interface JsonMark {
  readonly kind: JsonKind;
  /** The first characters of a string (one a byte, escapes as written) or all of a number or word; else empty. */
  readonly text: string;
}

export interface JsonOutline {
  /** Kind of the whole document; undefined if the bytes do not begin as a JSON object or array. */
  readonly root: 'object' | 'array' | undefined;
  /** First value seen at each path: `meta/version`, `threads[]/name`, `[]/ph`. Array elements share one path. */
  readonly marks: ReadonlyMap<string, JsonMark>;
  /** Keys of the outermost object in the order of the file. */
  readonly keys: readonly string[];
  /** From some byte on it was not JSON. `marks` has the part before. */
  readonly faulty: boolean;
  /** The outermost value was closed. */
  readonly ended: boolean;
  /** The end is followed by something other than whitespace: several values, or not JSON. */
  readonly trailing: boolean;
}

/** One recording of a tree: a folder with its files, or the files of one report side by side. */
export interface FileSet {
  /** Folder of the recording without a slash at its end; empty for the tree itself. */
  readonly folder: string;
  /** Paths of its members by role: a file name of the experiment, or a table such as `methods`. */
  readonly parts: ReadonlyMap<string, string>;
}

/** The recordings that a kind finds in a tree. */
export interface Claim {
  /** Name of such a recording. */
  readonly title: string;
  /** Evidence, for messages. */
  readonly because: string;
  /** In the order of their paths. */
  readonly recordings: readonly FileSet[];
}

/** The part of a file tree that a claim by names needs. */
export interface NamedMembers {
  readonly members: readonly { readonly path: string }[];
}

/**
 * Finds recordings that consist of several files of a tree, by file names and, if needed, content. The one with the member `wanted` is among
 * them, even if another one stands for it.
 */
export type ClaimSets = (tree: FileTree, wanted?: string) => Claim | undefined | Promise<Claim | undefined>;

/** How much is read of a set of files. */
export interface SetReading {
  /** Whether the residue has what the models have no place for, where the format can. */
  readonly details?: boolean | undefined;
}

/** For formats whose recordings are sets of files: `read` reads one, or `join` makes one source of its files, for all that the format can. */
export type SetFormat = SetNames &
  (
    | {
        /** Members that are opened are decompressed. */
        readonly read: (tree: FileTree, set: FileSet, work?: Work, how?: SetReading) => Promise<Recording>;
        readonly join?: undefined;
      }
    | { readonly join: (tree: FileTree, set: FileSet) => Promise<JoinedSource>; readonly read?: undefined }
  );

interface SetNames extends SetWriting {
  readonly claims: ClaimSets;
  /** Opens the copy of a program or library that a set contains, by the path of the original; undefined if it has none. */
  readonly copyOf?: (tree: FileTree, set: FileSet, path: string) => Promise<ByteSource | undefined>;
  /** All bodies of the functions with these names that were made at run time, as far as the set has them. */
  readonly generatedCode?: (
    tree: FileTree,
    set: FileSet,
    names: ReadonlySet<string>,
  ) => Promise<readonly GeneratedCode[]>;
  /** When it was recorded, in milliseconds since 1970, if that was on the given machine since it was started; else undefined. */
  readonly recordedHere?: (tree: FileTree, set: FileSet, here: Here) => Promise<number | undefined>;
  /** Whether its recorder has ended. Present if the files are readable while they are written; then they are read anew each time. */
  readonly ended?: (recording: Recording) => boolean;
}

/** A machine, and its clocks at one moment. */
export interface Here {
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds of the clock that experiments count by, which runs since the machine was started. */
  readonly monotonic: number;
}

/** How recordings are written as several files. */
export interface SetWriting {
  /** Names that end like this are those of sets to write, with `write`. */
  readonly extensions?: readonly string[];
  readonly write?: (recording: Recording, options: WriteOptions, output: string) => Promise<WrittenSet>;
  /** The path of a part of a set that is written as `output`; absent like the next where sets are not written. */
  readonly fileName?: (part: string, output: string) => string;
  /** The files are in a directory with the name of the output, which must be new. */
  readonly inFolder?: true;
  /** The path of the link to the latest such part. */
  readonly linkName?: (part: string, output: string) => string;
}

/** The files of a set, by part, and notes on omitted data. `dropped` is complete after all chunks were taken. */
export interface WrittenSet {
  readonly parts: ReadonlyMap<string, Iterable<Uint8Array>>;
  readonly dropped: readonly string[];
}

/** For formats with records that may be in a log. */
export interface InLogs {
  readonly kind: LogKind;
  /** Reads an input; where it is a log, with the records of the kinds `beside`. */
  readonly read: (source: ByteSource, work: Work | undefined, beside: readonly LogKind[]) => Promise<Recording>;
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

/**
 * A format with a reader. Other capabilities are optional: code outside `formats` tests for a capability, never for a
 * format by name, and only the format uses the residue of its recordings.
 */
export interface Format {
  readonly id: string;
  /** As in "a GraalVM PGO profile", without the article. */
  readonly title: string;
  /** Goes before the title; 'a' if not given, empty for a plural title. */
  readonly article?: 'a' | 'an' | '';
  readonly extensions: readonly string[];
  readonly probe: (head: Head) => Guess;
  /** How its files begin. Where they do and `probe` is certain, no other kind is asked: the others take milliseconds at each start. */
  readonly magic?: string | undefined;
  readonly read: (source: ByteSource, work?: Work) => Promise<Recording>;
  /** Its records may be in a log, among other lines and records of other formats. */
  readonly inLogs?: InLogs;
  /** Recordings that consist of several files. */
  readonly sets?: SetFormat;
  /**
   * Opens a recording that is still being written: `files` lists its files as they are now, each time anew. What they have is read when
   * it is opened and at each `refresh`. `foreseen`: only the types of events are read, and the events of types that these words name.
   */
  readonly growing?: (
    files: () => Promise<readonly RandomSource[]>,
    name: string,
    work?: Work,
    foreseen?: readonly string[],
  ) => Promise<OpenRecording>;
  /** Reads the graphs of heaps from the source of a recording, which stays open for it. Absent where they are recorded. */
  readonly heapReader?: (source: ByteSource, recording: Recording) => Promise<HeapReader>;
  /**
   * Reads only the types of events, their numbers and the metadata: a recording without a profile. Events that are `foreseen` may be read
   * in the same pass.
   */
  readonly outline?: (source: ByteSource, work?: Work, foreseen?: Foreseen) => Promise<OutlinedRecording>;
  /** Reads events of any type from the source of a recording, which stays open for it. */
  readonly eventReader?: (source: ByteSource) => EventReader;
  /** Writes chosen events of a recording as a file of this format, from its source, which stays open for it. */
  readonly eventCutter?: (source: ByteSource) => EventCutter;
  /** Makes dumps of JVMPI from the source of a recording, which stays open for it. */
  readonly heapDumper?: (source: ByteSource) => HeapDumper;
  /**
   * Can be written only from whole recordings of this format; parts and other recordings are rejected. `read`: only
   * recordings read from a file; `made`: also merged or repaired ones.
   */
  readonly writesOwn?: 'read' | 'made';
  /** Ids of other formats whose recordings, as read from a file, have all that `writesOwn` needs. */
  readonly alsoWrites?: readonly string[];
  /** Finds problems beyond those found while reading. */
  readonly check?: (recording: Recording) => Problems;
  /** Writes any recording that fits the format. */
  readonly write?: Writes;
  /** First words of the names of its reports in text: `call_tree` of `call_tree_<image>_<yyyyMMdd_HHmmss>.txt`. */
  readonly reports?: string;
  /** Writes the objects of heaps, from `Heap.recorded`; patterns choose which of them (`WriteOptions.expansion`). */
  readonly writesHeaps?: true;
  /** A written file has one number per stack: the values of one metric. */
  readonly oneMetric?: true;
  /** Where `WriteOptions.version` has a meaning: in files of the format, or only in its sets of files. */
  readonly versions?: 'files' | 'sets';
  /** Writes the undamaged part of a damaged recording as a valid file. */
  readonly salvage?: Writes;
  /** Files number their classes and functions (`fileId`); a merged recording gets new numbers. */
  readonly numbered?: true;
  /** Most types that the recorder keeps at one place; a note reports a merged recording with more. */
  readonly typesAtPlace?: { readonly most: number; readonly recorder: string };
  /** Parts of the file that the format does not explain. Empty for a recording that was not read from a file. */
  readonly unexplained?: (recording: Recording) => Unexplained;
  /** Kinds of entries of files, in their usual order. */
  readonly entryNames?: readonly EntryName[];
  /** Uncompressed size of the file of a recording. */
  readonly fileSize?: (recording: Recording) => number;
  /** Removes entries from a recording as read, with the classes and functions that only they used. Ids stay. */
  readonly subset?: (recording: Recording, subset: Subset) => Part;
  /**
   * Reads a written file and compares it, entry by entry, with the expected content. Throws an `Error` that names the
   * first difference. Returns the recording read.
   */
  readonly prove?: (written: ByteSource, expected: Expected, work?: Work) => Promise<Recording>;
}

/** A kind of entries. */
export interface EntryName {
  /** Its word in options. */
  readonly word: string;
  /** Kind of the event table that such entries are read into. */
  readonly kind: string;
  /** Plural name. */
  readonly many: string;
}

/** A kind of files that are written for other programs, and never read. */
export type Export = Omit<Format, 'probe' | 'read' | 'sets'> & { readonly sets?: SetWriting };

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
export interface Part {
  readonly recording: Recording;
  readonly entries: Subset['entries'];
  readonly classes: PartOfSymbols;
  readonly functions: PartOfSymbols;
}

/** Expected content of a written file: a whole recording, or a part of it. */
export interface Expected {
  readonly whole: Recording;
  readonly part?: Part;
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

/** Argument of a task in a thread: a pass over a file and the input of the pass. */
export interface FilePass {
  readonly path: string;
  readonly task: unknown;
}

/** Fills `target` from `offset` on, as far as there are bytes; returns how many. */
export type ReadAt = (offset: number, target: Uint8Array) => number | Promise<number>;

/** A promise, since writers are loaded when needed. */
export type Writes = (recording: Recording, options: WriteOptions) => Promise<Written>;

export interface WriteOptions {
  /** Version of the format to write; the recording's own if not given. */
  readonly version?: string;
  /** What a tree of objects shows only as text, for formats with `writesHeaps`. */
  readonly expansion?: Expansion;
  /** Id of the metric whose values are written, for formats with one number a stack; the first if not given. */
  readonly metric?: string;
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

/** The bytes of a file, in order, and notes on omitted data. `dropped` is complete after all chunks were taken. */
export interface Written {
  readonly chunks: Iterable<Uint8Array>;
  readonly dropped: readonly string[];
  /**
   * About how many bytes the chunks will have. Present where each stack is written whole, so that a file may be far larger
   * than its recording. Costs one pass over stacks and rows, and nothing is written for it.
   */
  readonly estimate?: () => number;
}

/** A kind of file that is recognised, but cannot be read yet. */
export interface KnownKind {
  readonly id: string;
  /** As in "a V8 heap snapshot", without the article. */
  readonly title: string;
  /** Goes before the title; 'a' if not given, empty for a plural title. */
  readonly article?: 'a' | 'an' | '';
  /** Advice: the tool that reads such a file, or the file to use instead. A whole sentence. */
  readonly advice?: string;
  readonly probe: (head: Head) => Guess;
  /** Paths of the recordings that such a file lists and stands for, from its folder on. */
  readonly lists?: (text: string) => readonly string[];
}

export function headOf(name: string, bytes: Uint8Array, whole: boolean): Head {
  return { name: name.slice(name.search(/[^/\\]*$/)), bytes, text: new TextDecoder('latin1').decode(bytes), whole };
}
