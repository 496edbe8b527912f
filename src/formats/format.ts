/** What every format is to the rest of the house. */
import type { Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { FileTree } from '../bytes/file-tree.js';
import type { OpenRecording } from '../models/open-recording.js';
import type { Recording } from '../models/recording.js';
import type { LogKind } from './shared/log-kind.js';

/** What a probe makes of the first bytes of an input. */
export interface Guess {
  /** 0: certainly not. Below `RECOGNISED`: some of its marks are there. 1: beyond doubt. */
  readonly confidence: number;
  /** What was seen, for messages: "a JSON object whose first keys are types and methods". */
  readonly because: string;
}

/** From this confidence on an input counts as recognised. */
export const RECOGNISED = 0.5;

/** No mark of the format was seen. */
export const NO_GUESS: Guess = { confidence: 0, because: '' };

/** The start of an input, made once for all probes. */
export interface Head {
  /** File name without folders; a hint only. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The bytes as text, one character a byte. */
  readonly text: string;
  /** Whether `bytes` is the whole input. */
  readonly whole: boolean;
  /** Outline of a JSON object that was scanned further than `bytes`; probes ask `outlineOf`, which knows. */
  readonly outline?: JsonOutline;
}

/** What stands near the top of a JSON document; made by `json-outline.ts`. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word';

export interface JsonMark {
  readonly kind: JsonKind;
  /** The first characters of a string (one a byte, escapes as written) or all of a number or word; else empty. */
  readonly text: string;
}

export interface JsonOutline {
  /** Kind of the whole document; undefined where the bytes do not begin as JSON object or array. */
  readonly root: 'object' | 'array' | undefined;
  /** First value seen at each path: `meta/version`, `threads[]/name`, `[]/ph`. Array elements share one path. */
  readonly marks: ReadonlyMap<string, JsonMark>;
  /** Keys of the outermost object in the order of the file. */
  readonly keys: readonly string[];
  /** From some byte on it was not JSON. What came before is in `marks`. */
  readonly faulty: boolean;
  /** The outermost value was closed. */
  readonly ended: boolean;
  /** After the end came something else than white space: several values, or no JSON at all. */
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
  /** What such a recording is called. */
  readonly title: string;
  /** What was seen, for messages. */
  readonly because: string;
  /** In the order of their paths. */
  readonly recordings: readonly FileSet[];
}

/** The little of a file tree that a claim by names needs. */
export interface NamedMembers {
  readonly members: readonly { readonly path: string }[];
}

/** Finds recordings that lie in several files of a tree, by their names and, where that is not enough, their content. */
export type ClaimSets = (tree: FileTree) => Claim | undefined | Promise<Claim | undefined>;

/** For formats whose recordings are sets of files. */
export interface SetFormat {
  readonly claims: ClaimSets;
  readonly read: (tree: FileTree, set: FileSet, work?: Work) => Promise<Recording>;
}

/** For formats whose records may stand in a log. */
export interface InLogs {
  readonly kind: LogKind;
  /** Reads an input; where it is a log, with the records of the kinds `beside`. */
  readonly read: (source: ByteSource, work: Work | undefined, beside: readonly LogKind[]) => Promise<Recording>;
}

/**
 * A format that is read. What it can do beyond reading is optional: code outside `formats` asks for a capability, never for
 * a format by name, and only the format looks into the residue of its recordings.
 */
export interface Format {
  readonly id: string;
  /** As in "a GraalVM PGO profile", without the article. */
  readonly title: string;
  /** Goes before the title; 'a' where it is not given, none for a title in the plural. */
  readonly article?: 'a' | 'an' | '';
  readonly extensions: readonly string[];
  readonly probe: (head: Head) => Guess;
  readonly read: (source: ByteSource, work?: Work) => Promise<Recording>;
  /** Its records may stand in a log, among other lines and records of other formats. */
  readonly inLogs?: InLogs;
  /** Recordings that lie in several files. */
  readonly sets?: SetFormat;
  /** Opens a recording that goes on reading its source: for later stages, or because it grows. `read` is for all else. */
  readonly open?: (source: ByteSource, work?: Work) => Promise<OpenRecording>;
  /**
   * Written only from recordings of this format, and whole: a part of one, or another one, is refused. `read`: only as it was
   * read from a file; `made`: also as it was merged or repaired.
   */
  readonly writesOwn?: 'read' | 'made';
  /** Finds what is wrong with what was read, beyond the problems met while reading. */
  readonly check?: (recording: Recording) => Problems;
  /** Writes a recording that has what the format can hold. */
  readonly write?: (recording: Recording, options: WriteOptions) => Written;
  /** A written file has one number a stack: the values of one metric. */
  readonly oneMetric?: true;
  /** Writes of a damaged recording what is whole, as a file without faults. */
  readonly salvage?: (recording: Recording, options: WriteOptions) => Written;
  /** Files number their classes and functions (`fileId`); a recording made of several gets new numbers. */
  readonly numbered?: true;
  /** Most types that the recorder keeps at one place: a merged recording may have more, and then a note says so. */
  readonly typesAtPlace?: { readonly most: number; readonly recorder: string };
  /** What the file had that the format does not explain. Nothing, where no file stands behind the recording. */
  readonly unexplained?: (recording: Recording) => Unexplained;
  /** Kinds of entries that files are made of, in their usual order. */
  readonly entryNames?: readonly EntryName[];
  /** Bytes of the file, unpacked, that a recording was read from. */
  readonly fileSize?: (recording: Recording) => number;
  /** Takes entries out of a recording as it was read, with the classes and functions that only they named. Ids stay. */
  readonly subset?: (recording: Recording, subset: Subset) => Part;
  /**
   * Reads a written file and compares it, entry by entry, with what it was to hold. Throws an `Error` that names the first
   * difference. Returns what was read.
   */
  readonly prove?: (written: ByteSource, expected: Expected, work?: Work) => Promise<Recording>;
}

/** A kind of entries. */
export interface EntryName {
  /** What stands for it in options. */
  readonly word: string;
  /** Kind of the event table that such entries are read into. */
  readonly kind: string;
  /** What several of them are called. */
  readonly many: string;
}

/** What the format of a file does not explain: it cannot be added up, moved or renamed. */
export interface Unexplained {
  /** Names of whole sections. */
  readonly sections: readonly string[];
  /** Number of elements, in the other sections, with unknown keys or against the rules. */
  readonly elements: number;
}

/** Which entries of a recording stay. */
export interface Subset {
  /** By word: 1 for each entry, by its number (`site`), that stays. Absent kinds stay whole. */
  readonly entries: ReadonlyMap<string, Uint8Array>;
  /** Words of the kinds of which nothing stays, not even elements that could not be read. */
  readonly dropped: ReadonlySet<string>;
  /** Whether what the format does not explain stays. */
  readonly unexplained: boolean;
}

/** A part of a recording, to be written like the whole. */
export interface Part {
  readonly recording: Recording;
  readonly entries: Subset['entries'];
  readonly classes: PartOfSymbols;
  readonly functions: PartOfSymbols;
}

/** What a written file was to hold: all of a recording, or the part that was taken from it. */
export interface Expected {
  readonly whole: Recording;
  readonly part?: Part;
}

/** Classes or functions of a recording, and those that stay in a part of it. */
export interface PartOfSymbols {
  /** By row of the whole: 1 for those that stay. */
  readonly rows: Uint8Array;
  /** How many the file lists, and how many of these stay. */
  readonly before: number;
  readonly after: number;
  /** How many stay only because unexplained parts of the file may name them. */
  readonly perhaps: number;
}

export interface WriteOptions {
  /** Version of the format to write; the recording's own where it is not given. */
  readonly version?: string;
  /** Id of the metric whose values are written, for formats with one number a stack; the first where it is not given. */
  readonly metric?: string;
  readonly work?: Work;
}

/** The bytes of a file, in order, and what it could not hold. `dropped` is complete once all chunks were taken. */
export interface Written {
  readonly chunks: Iterable<Uint8Array>;
  readonly dropped: readonly string[];
  /**
   * About how many bytes the chunks will have. Present where each stack is written whole, so that a file may be far larger
   * than what it is made of. Costs one pass over stacks and rows, and nothing is written for it.
   */
  readonly estimate?: () => number;
}

/** A kind of file that is recognised and named, but not read yet. */
export interface KnownKind {
  readonly id: string;
  /** As in "a V8 heap snapshot", without the article. */
  readonly title: string;
  /** Goes before the title; 'a' where it is not given, none for a title in the plural. */
  readonly article?: 'a' | 'an' | '';
  /** What the user can do with such a file: the tool that reads it, the file to give instead. A whole sentence. */
  readonly advice?: string;
  readonly probe: (head: Head) => Guess;
  /** Where such recordings lie in several files. */
  readonly claims?: ClaimSets;
}

export function headOf(name: string, bytes: Uint8Array, whole: boolean): Head {
  return { name: name.slice(name.search(/[^/\\]*$/)), bytes, text: new TextDecoder('latin1').decode(bytes), whole };
}
