/** Everything one input told us. Plain data without methods, so that it can be cached and sent between threads. */
import type { Problems } from '../base/problems.js';
import type { HeapGraph } from './heap/heap-graph.js';
import type { Locks } from './locks/locks.js';
import type { Profile } from './profile/profile.js';
import type { Program } from './program/program.js';

/** A fact about the recording itself: version, date, command line. */
export interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

export interface Recording {
  /** The input's name as the user wrote it. */
  readonly name: string;
  /** Id of the format it was read with, such as `iprof`. */
  readonly format: string;
  readonly metadata: readonly MetadataEntry[];
  /** Entries of each part of the file, under the file's own names and in its order. */
  readonly sections: readonly { readonly name: string; readonly entries: number }[];
  readonly program: Program;
  readonly profile?: Profile;
  readonly locks?: Locks;
  /** One for each heap dump in the input, in its order; each tells which of the dumps of the recording it is of. */
  readonly heaps?: readonly HeapGraph[];
  readonly problems: Problems;
  /** False where input was lost: the answers are true of a part of it only. */
  readonly complete: boolean;
  /** What the file had beyond the models, for writing it back. Only the format that made it knows its shape. */
  readonly residue: unknown;
}
