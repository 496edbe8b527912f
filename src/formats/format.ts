/** What every format is to the rest of the house. */
import type { Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { FileTree } from '../bytes/file-tree.js';
import type { OpenRecording } from '../models/open-recording.js';
import type { Recording } from '../models/recording.js';

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

/** A format that is read. */
export interface Format {
  readonly id: string;
  /** As in "a GraalVM PGO profile", without the article. */
  readonly title: string;
  /** Goes before the title; 'a' where it is not given, none for a title in the plural. */
  readonly article?: 'a' | 'an' | '';
  readonly extensions: readonly string[];
  readonly probe: (head: Head) => Guess;
  readonly read: (source: ByteSource, work?: Work) => Promise<Recording>;
  /** Recordings that lie in several files. */
  readonly sets?: SetFormat;
  /** Opens a recording that goes on reading its source: for later stages, or because it grows. `read` is for all else. */
  readonly open?: (source: ByteSource, work?: Work) => Promise<OpenRecording>;
  /** Written only from a recording that was read with this format, and whole: a part of it, or another one, is refused. */
  readonly writesOwn?: true;
  /** Finds what is wrong with what was read, beyond the problems met while reading. */
  readonly check?: (recording: Recording) => Problems;
  /** Writes a recording that has what the format can hold. */
  readonly write?: (recording: Recording, options: WriteOptions) => Written;
  /** A written file has one number a stack: the values of one metric. */
  readonly oneMetric?: true;
  /** Writes of a damaged recording what is whole, as a file without faults. */
  readonly salvage?: (recording: Recording, options: WriteOptions) => Written;
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
