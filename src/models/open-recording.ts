/**
 * A recording that is open, and what is made of it in stages.
 *
 *   source ──read──► snapshot 0, 1, … (recordings)      subject: a snapshot within a scope
 *                                                          │
 *   stage(parameters) ──bound to subjects──► use ──get──► value, made once and kept for a while
 *
 * A `Recording` is plain data; an `OpenRecording` keeps its source open while a later stage may ask for it. Formats make
 * them, the session runs and closes them. What no file holds is the value of a stage: stacks within a scope, values along
 * stacks, the classes of a path, names joined over several recordings.
 */
import type { Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import { uniqueName } from '../base/unique.js';
import type { Recording } from './recording.js';
import { type ScopeStep, scopeKey } from './scope.js';
import type { ColumnCodec } from './stage-store.js';

/** What is known of a recording at one moment. Row ids never change from one snapshot to the next. */
export interface Snapshot {
  /** From 0 on. */
  readonly id: number;
  /** Whether this is all there will be. */
  readonly final: boolean;
  readonly recording: Recording;
}

export interface OpenRecording {
  /** Unlike that of any other open recording of this process. */
  readonly id: string;
  /** Names what was read: equal where the content is, also in another process. Absent where nothing was found to name it by. */
  readonly content?: string;
  current(): Snapshot;
  /** The snapshots after the current one, as they come. Absent where the recording does not grow. */
  readonly follow?: (signal: AbortSignal) => AsyncIterable<Snapshot>;
  /** Finds what is wrong with a snapshot beyond the problems met while reading. */
  readonly check?: (recording: Recording) => Problems;
  /** Whether the source it was read from is still read: it stays open until `close`. */
  readonly keepsSource: boolean;
  close(): Promise<void>;
}

/** What a question is about: a snapshot of a recording within a scope. */
export interface Subject {
  readonly source: OpenRecording;
  readonly snapshot: Snapshot;
  readonly scope: readonly ScopeStep[];
}

/** What a stage is expected to need, announced before it runs. */
export interface Cost {
  /** Memory at its peak, its value included. */
  readonly bytes: number;
  /** Where there is a measured rate to tell it by. */
  readonly seconds?: number;
}

/** Gives the value of another stage that the asking one `needs`; throws for one that it does not. */
export type Get = <Value>(use: Use<Value>) => Promise<Value>;

/** How a value is made of subjects and parameters. Stages hold nothing: the session keeps their values. */
export interface Stage<Value, Parameters> {
  /** Unique; messages name the stage by it. */
  readonly name: string;
  /** Raised whenever equal subjects and parameters may give another value. */
  readonly version: number;
  /** Names the parameters: equal where the value is. Class paths and the like are named by their content. */
  key(parameters: Parameters): string;
  /** The other stages that it gets values of. */
  needs?(of: readonly Subject[], parameters: Parameters): readonly Use<unknown>[];
  /** Nothing worth announcing where it is absent. */
  cost?(of: readonly Subject[], parameters: Parameters): Cost;
  run(of: readonly Subject[], parameters: Parameters, get: Get, work: Work): Value | Promise<Value>;
  /** Memory that the value holds beyond what its subjects hold. */
  bytes(value: Value): number;
  /** Present where the value is worth a file: it is kept for later processes. */
  readonly columns?: ColumnCodec<Value>;
}

/** A stage with its subjects and parameters: all that is needed to get the value. */
export interface Use<Value> {
  readonly stage: string;
  /** Names stage, version, subjects and parameters. */
  readonly key: string;
  /** The same by the contents of the subjects, with how the value is kept; absent where it is not. */
  readonly kept?: { readonly key: string; readonly columns: ColumnCodec<Value> };
  readonly of: readonly Subject[];
  needs(): readonly Use<unknown>[];
  cost(): Cost;
  run(get: Get, work: Work): Value | Promise<Value>;
  bytes(value: Value): number;
}

/** Binds a stage to its subjects and parameters. */
export function use<Value, Parameters>(
  stage: Stage<Value, Parameters>,
  of: readonly Subject[],
  parameters: Parameters,
): Use<Value> {
  const keyBy = (name: (source: OpenRecording) => string | undefined): string => {
    const subjects = of.map(({ source, snapshot, scope }) => [name(source), snapshot.id, scopeKey(scope)]);
    return JSON.stringify([stage.name, stage.version, subjects, stage.key(parameters)]);
  };
  const { columns } = stage;
  const isKept = of.every(({ source, snapshot }) => source.content !== undefined && snapshot.final);
  return {
    stage: stage.name,
    key: keyBy(({ id }) => id),
    ...(columns && isKept && { kept: { key: keyBy(({ content }) => content), columns } }),
    of,
    needs: () => stage.needs?.(of, parameters) ?? [],
    cost: () => stage.cost?.(of, parameters) ?? { bytes: 0 },
    run: (get, work) => stage.run(of, parameters, get, work),
    bytes: (value) => stage.bytes(value),
  };
}

/** The subject of a recording as it is now. */
export function subjectOf(source: OpenRecording, scope: readonly ScopeStep[] = []): Subject {
  return { source, snapshot: source.current(), scope };
}

/** A recording that is whole in memory: it does not grow and needs its source no more. */
export function openedRecording(
  recording: Recording,
  { check, content }: Pick<OpenRecording, 'check' | 'content'> = {},
): OpenRecording {
  const snapshot: Snapshot = { id: 0, final: true, recording };
  return {
    id: uniqueName('recording'),
    current: () => snapshot,
    ...(check && { check }),
    ...(content !== undefined && { content }),
    keepsSource: false,
    close: () => Promise.resolve(),
  };
}
