/** Recordings that consist of several files. */
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { FileTree } from '../../bytes/file-tree.js';
import type { JoinedSource } from '../../bytes/joined/joined-source.js';
import type { GeneratedCode } from '../../models/program/code.js';
import type { Recording } from '../../models/recording.js';

/** One recording of a tree: a folder with its files, or the files of one report side by side. */
export interface FileSet {
  /** Folder of the recording without a slash at its end; empty for the tree itself. */
  readonly folder: string;
  /** Paths of its members by role: a file name of the experiment, or a table such as `methods`. */
  readonly parts: ReadonlyMap<string, string>;
}

/** The recordings that a format finds in a tree. */
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
 * Finds recordings that consist of several files of a tree, by file names and, if needed, content. If `wanted` is given, the set with this
 * member is returned even when a sibling would stand for the group.
 */
export type ClaimSets = (tree: FileTree, wanted?: string) => Claim | undefined | Promise<Claim | undefined>;

/** How much is read of a set of files. */
export interface SetReading {
  /** Whether the residue has what the models have no place for, where the format can. */
  readonly details?: boolean | undefined;
}

/** For formats whose recordings are sets of files: `read` reads one, or `join` makes one source of its files, for all that the format can. */
export type SetFormat = ClaimedSets &
  (
    | {
        /** Members that are opened are decompressed. */
        readonly read: (tree: FileTree, set: FileSet, work?: Work, how?: SetReading) => Promise<Recording>;
        readonly join?: undefined;
      }
    | { readonly join: (tree: FileTree, set: FileSet) => Promise<JoinedSource>; readonly read?: undefined }
  );

interface ClaimedSets {
  readonly claims: ClaimSets;
  /** Sets have copies of the recorded programs, or name the originals. */
  readonly programs?: SetPrograms;
  /** Whether its recorder has ended. Present if the files are readable while they are written; then they are read anew each time. */
  readonly ended?: (recording: Recording) => boolean;
}

/** The programs and libraries of a recording that is a set of files. */
export interface SetPrograms {
  /** Opens the copy of a program or library that a set contains, by the path of the original; undefined if it has none. */
  readonly copyOf: (tree: FileTree, set: FileSet, path: string) => Promise<ByteSource | undefined>;
  /** The file names of these copies, without folders. */
  readonly copyNames?: (set: FileSet) => Promise<readonly string[]>;
  /** All bodies of the functions with these names that were made at run time, as far as the set has them. */
  readonly generatedCode: (
    tree: FileTree,
    set: FileSet,
    names: ReadonlySet<string>,
  ) => Promise<readonly GeneratedCode[]>;
  /** Whether stubs of the dynamic linker count for the call, and outlined code for its origin, too, as its recorder's own tools have it. */
  readonly impliedCalls?: boolean;
  /** When it was recorded, in milliseconds since 1970, if that was on the given machine since it was started; else undefined. */
  readonly recordedHere: (tree: FileTree, set: FileSet, here: Here) => Promise<number | undefined>;
}

/** A machine, and its clocks at one moment. */
export interface Here {
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds of the clock that experiments count by, which runs since the machine was started. */
  readonly monotonic: number;
}
