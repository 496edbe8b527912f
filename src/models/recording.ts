/** The content of one input. Plain data without methods, so that it can be cached and sent between threads. */
import type { Problems } from '../base/problems.js';
import type { CallGraph } from './callgraph/call-graph.js';
import type { ReasonTable } from './callgraph/reason-table.js';
import type { EventType } from './event-types.js';
import type { Heap } from './heap/heap.js';
import type { Locks } from './locks/locks.js';
import type { RecordedProcess } from './processes.js';
import type { Profile } from './profile/profile.js';
import type { Program } from './program/program.js';
import type { Table } from './table.js';

/** A fact about the recording itself: version, date, command line. */
export interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

/** When a recording was made. */
export interface RecordingClock {
  /** Its time 0, in ms since 1970, UTC. */
  readonly start: number;
  /** From its start to its end, ns. */
  readonly length: number;
  /** What the clock of the machine was ahead of UTC, in ms; absent if unknown. */
  readonly zoneOffset?: number;
}

export interface Recording {
  /** The input's name as the user wrote it. */
  readonly name: string;
  /** Id of its format, such as `iprof`. */
  readonly format: string;
  readonly metadata: readonly MetadataEntry[];
  /** Absent if the recorder does not say when it began, or for how long it recorded. */
  readonly clock?: RecordingClock;
  /** Entries of each part of the file, under the file's own names and in its order. */
  readonly sections: readonly { readonly name: string; readonly entries: number }[];
  /** Of formats that describe their own events: all types, those without events too. */
  readonly eventTypes?: readonly EventType[];
  readonly program: Program;
  readonly profile?: Profile;
  readonly locks?: Locks;
  /** Which method may call which, as an analysis reported it. */
  readonly callGraph?: CallGraph;
  /** Why an analysis found parts of the program reachable. */
  readonly reasons?: ReasonTable;
  /** One for each heap dump in the input, in its order; each has the number of its dump. */
  readonly heaps?: readonly Heap[];
  /** How sampled objects are held (`REFERENCES`), of recordings without whole heaps. */
  readonly references?: Table;
  /** Each kind of events and the locks number their dumps by themselves; otherwise equal numbers are one moment. */
  readonly dumpsByKind?: true;
  readonly problems: Problems;
  /** The processes that it is of, where the recorder describes them; threads name them by their numbers. */
  readonly processes?: readonly RecordedProcess[];
  /** False if a part of the input was lost: answers cover only the rest. */
  readonly complete: boolean;
  /** Data of the file beyond the models, for writing it back. Only its format knows the shape. */
  readonly residue: unknown;
}
