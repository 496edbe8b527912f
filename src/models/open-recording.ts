/**
 * An open recording, and the values that stages derive from it.
 *
 *   source ──read──► snapshot 0, 1, … (recordings)      subject: a snapshot within a scope
 *                                                          │
 *   stage(parameters) ──bound to subjects──► use ──get──► value, made once and kept for a while
 *
 * A `Recording` is plain data; an `OpenRecording` keeps its source open, since a later stage may ask for it. Formats
 * create them, the session runs and closes them. Derived data is the value of a stage: stacks within a scope, values
 * along stacks, the classes of a path, names joined over several recordings.
 */
import { defined } from '../base/defined.js';
import type { Phrase } from '../base/phrase.js';
import type { Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import { uniqueName } from '../base/unique.js';
import type { EventCutter, EventReader } from './event-types.js';
import type { HeapReader } from './heap/heap.js';
import type { ProgramFiles } from './program/program-files.js';
import type { Recording } from './recording.js';
import { type ScopeStep, scopeKey } from './scope.js';
import type { ColumnCodec } from './stage-store.js';

/** The state of a recording at one moment. Row ids never change from one snapshot to the next. */
export interface Snapshot {
  /** From 0 on. */
  readonly id: number;
  /** Whether the recording is complete. */
  readonly final: boolean;
  /** Whether native places have their names: functions, lines and inlined calls. They do, too, if their `OpenRecording` has no `files.naming`. */
  readonly named?: true;
  readonly recording: Recording;
}

/** See `heapDump` of `OpenRecording`. Level 0: objects and their kinds, 1: with references, 2: with all values. */
export type HeapDumper = (
  dump: number,
  level: 0 | 1 | 2,
  byteOrder: 'big' | 'little',
  work?: Work,
) => Promise<Uint8Array>;

/** What is read of the source of a recording later. */
export interface SourceAccess {
  /** Reads the graphs of its heaps. Absent if they are in the recording. */
  readonly heaps?: HeapReader;
  /** Reads the events of any of its `eventTypes`. */
  readonly events?: EventReader;
  /** Writes a part of it in its own format. */
  readonly cut?: EventCutter;
  /** Makes the bytes of JVMPI's HEAP_DUMP of a heap, by its number. Absent where the source has no such dumps. */
  readonly heapDump?: HeapDumper;
  /** The files of its programs. Absent if it has none. */
  readonly files?: ProgramFiles | undefined;
}

export interface OpenRecording extends SourceAccess {
  /** Unique among the open recordings of this process. */
  readonly id: string;
  /** Identifies the content on this machine, for copies that are kept: equal for equal content, also in another process. Absent if unknown. */
  readonly content?: string;
  /** SHA-256 of all its bytes (session/content-hash.ts), which are read again for it. Absent without a source, and while it grows. */
  readonly contentHash?: (work?: Work) => Promise<string>;
  current(): Snapshot;
  /** Reads what was added: the next snapshot, or the current one if there is nothing. Absent if the recording does not grow. */
  readonly refresh?: (work?: Work) => Promise<Snapshot>;
  /** Finds problems of a snapshot beyond those found while reading. */
  readonly check?: (recording: Recording) => Problems;
  close(): Promise<void>;
}

/** The subject of a question: a snapshot of a recording within a scope. */
export interface Subject {
  readonly source: OpenRecording;
  readonly snapshot: Snapshot;
  readonly scope: readonly ScopeStep[];
}

/** Expected cost of a stage, announced before it runs. */
export interface Cost {
  /** Memory at its peak, its value included. */
  readonly bytes: number;
  /** If a measured rate is known. */
  readonly seconds?: number;
  /** What works with less memory. */
  readonly instead?: Phrase;
}

/** Returns the value of another stage that the calling stage `needs`; throws for an undeclared one. */
export type Get = <Value>(use: StageUse<Value>) => Promise<Value>;

/** How a value is computed from subjects and parameters. Stages have no state: the session keeps their values. */
export interface Stage<Value, Parameters> {
  /** Unique; used in messages. */
  readonly name: string;
  /** Increase it whenever equal subjects and parameters may give another value. */
  readonly version: number;
  /** Identifies the parameters: equal for equal values. Class paths and the like are named by their content. */
  key(parameters: Parameters): string;
  /** The other stages whose values it uses. */
  needs?(of: readonly Subject[], parameters: Parameters): readonly StageUse<unknown>[];
  /** Absent if negligible. */
  cost?(of: readonly Subject[], parameters: Parameters): Cost;
  run(of: readonly Subject[], parameters: Parameters, get: Get, work: Work): Value | Promise<Value>;
  /** Memory of the value beyond that of its subjects. */
  bytes(value: Value): number;
  /** Present if the value is worth a file for later processes. */
  readonly columns?: ColumnCodec<Value>;
  /** Whether the value is only passed to those who wait for it, because they keep its parts. */
  readonly passing?: true;
}

/** A stage with its subjects and parameters: everything needed to get the value. */
export interface StageUse<Value> {
  readonly stage: string;
  /** Identifies stage, version, subjects and parameters. */
  readonly key: string;
  /** The same by the contents of the subjects, with the codec of the value; absent if it is not kept. */
  readonly kept?: { readonly key: string; readonly columns: ColumnCodec<Value> };
  readonly of: readonly Subject[];
  readonly passing: boolean;
  needs(): readonly StageUse<unknown>[];
  cost(): Cost;
  run(get: Get, work: Work): Value | Promise<Value>;
  bytes(value: Value): number;
}

/** Binds a stage to its subjects and parameters. */
export function use<Value, Parameters>(
  stage: Stage<Value, Parameters>,
  of: readonly Subject[],
  parameters: Parameters,
): StageUse<Value> {
  const keyBy = (name: (source: OpenRecording) => string | undefined): string => {
    const subjects = of.map(({ source, snapshot: { id, named }, scope }) => [
      name(source),
      named ? `${id} named` : id,
      scopeKey(scope),
    ]);
    return JSON.stringify([stage.name, stage.version, subjects, stage.key(parameters)]);
  };
  const { columns } = stage;
  const isKept = of.every(({ source, snapshot }) => source.content !== undefined && snapshot.final);
  return {
    stage: stage.name,
    key: keyBy(({ id }) => id),
    ...(columns && isKept && { kept: { key: keyBy(({ content }) => content), columns } }),
    of,
    passing: stage.passing === true,
    needs: () => stage.needs?.(of, parameters) ?? [],
    cost: () => stage.cost?.(of, parameters) ?? { bytes: 0 },
    run: (get, work) => stage.run(of, parameters, get, work),
    bytes: (value) => stage.bytes(value),
  };
}

/** The subject of a recording in its current state. */
export function subjectOf(source: OpenRecording, scope: readonly ScopeStep[] = []): Subject {
  return { source, snapshot: source.current(), scope };
}

/** A recording that is completely in memory: it does not grow and no longer needs its source. */
export function openedRecording(
  recording: Recording,
  {
    check,
    content,
    contentHash,
    ...access
  }: Pick<OpenRecording, 'check' | 'content' | 'contentHash'> & SourceAccess = {},
): OpenRecording {
  const snapshot: Snapshot = { id: 0, final: true, recording };
  return {
    ...defined({ check, content, contentHash }),
    ...access,
    id: uniqueName('recording'),
    current: () => snapshot,
    close: () => Promise.resolve(),
  };
}
