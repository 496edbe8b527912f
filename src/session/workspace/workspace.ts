/**
 * The port of all fronts: recordings are opened, asked and closed by id, and nothing of a session is seen but plain data. A carrier decides where the
 * work is done: in this thread (`direct.node.ts`) or in one of its own (`worker.node.ts`); answers are the same.
 *
 *   open ──► facts with ids ──► ask(question about ids) ──► result
 */
import { UsageError } from '../../base/errors.js';
import type { Phrase } from '../../base/phrase.js';
import type { Work } from '../../base/progress.js';
import type { Cost, Snapshot } from '../../models/open-recording.js';
import type { Metric } from '../../models/profile/profile.js';
import { isDrawable } from '../../models/profile/usual-metric.js';
import type { DebugPlaces } from '../../models/program/debug-files.js';
import type { Recording } from '../../models/recording.js';
import { type RecordingTraits, traitsOf } from '../../questions/catalogue/traits.js';
import type { AnalysisRequest } from '../../questions/options/analysis.js';
import type { ResultOf, ViewName } from '../../views/index.js';
import type { ViewedQuestion } from '../catalogued.js';
import type { OpeningOptions } from '../opening.js';
import type { CataloguedQuestion, Question } from '../session.js';
import type { AnswerableQuestions } from './answerable.js';

/** What fronts decide by, without the recording itself. */
export interface RecordingFacts {
  /** In questions: stays the same as long as the recording is open, and is not given again. */
  readonly id: string;
  readonly name: string;
  readonly format: string;
  /** Number of the snapshot, from 0 on, and whether it is the last one. */
  readonly snapshot: number;
  readonly final: boolean;
  /** False if a part of the input was lost. */
  readonly complete: boolean;
  /** Numbers of problems, by code. */
  readonly problems: Readonly<Record<string, number>>;
  readonly metadata: Recording['metadata'];
  readonly sections: Recording['sections'];
  /** The models that it has. */
  readonly models: readonly RecordingModel[];
  readonly metrics: readonly MetricFacts[];
  /** What the choice of a view depends on (`questions/catalogue`). */
  readonly traits: RecordingTraits;
  /** Kinds of events with the number of them. */
  readonly events: Readonly<Record<string, number>>;
}

export interface MetricFacts {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** How a flame graph can show it. */
  readonly flames: readonly ('top-down' | 'inverted')[];
}

export const RECORDING_MODELS = ['profile', 'locks', 'heaps', 'call-graph', 'reasons', 'event-types'] as const;
export type RecordingModel = (typeof RECORDING_MODELS)[number];

/** How recordings are opened: plain data. */
export interface OpenRequest {
  /** Files, directories, archives; `-` is standard input; `A+B` is one recording of the experiments A and B, and `A+` of all in A. */
  readonly names: readonly string[];
  /** Use cached copies, and keep new ones. */
  readonly cache?: boolean;
  /** The recording is still being written: one name, which `subscribe` follows. */
  readonly follow?: boolean;
  readonly library?: {
    readonly classes?: readonly string[];
    readonly oldClasses?: readonly string[];
    readonly sources?: readonly string[];
  };
  /** Where files of debug information, and programs of the recorded machine, are looked for. */
  readonly debug?: DebugPlaces;
  /** How much is read at opening: see `OpeningOptions`. */
  readonly extent?: OpeningOptions['extent'];
  /** How class files among the names are analysed, which are recordings then: see `ANALYSIS_OPTIONS`. */
  readonly analysis?: AnalysisRequest;
}

export interface OpenWork extends Work {
  /** Receives messages for the user. */
  readonly announce?: (message: Phrase) => void;
}

export interface Workspace {
  /** Opens inputs together: all or none. Throws as `openInputs` does. */
  open(request: OpenRequest, work?: OpenWork): Promise<readonly RecordingFacts[]>;
  /** Of the current snapshot. Throws `UsageError` if no recording has the id. */
  facts(id: string): Promise<RecordingFacts>;
  /** Those that are open, in the order of opening. */
  list(): Promise<readonly RecordingFacts[]>;
  /** Throws as `ask` of a session does; the signal's reason within 100 ms of an abort. */
  ask<Name extends ViewName>(question: Question<Name> | CataloguedQuestion, work?: Work): Promise<ResultOf<Name>>;
  cost<Name extends ViewName>(question: Question<Name> | CataloguedQuestion, work?: Work): Promise<Cost>;
  /** The question to a view that a question of the catalogue leads to: what actions of notes and errors change. */
  resolve(question: Question<ViewName> | CataloguedQuestion, work?: Work): Promise<ViewedQuestion>;
  /** The questions that the current snapshot can answer: see `answerableQuestions`. Throws `UsageError` if no recording has the id. */
  questions(id: string): Promise<AnswerableQuestions>;
  /** The content hash of a recording: see `contentHash` of sessions. */
  contentHash(id: string, work?: Work): Promise<string>;
  /**
   * Calls back with the facts of each new snapshot, until the last one or until the returned function is called. Throws `UsageError` if no recording
   * has the id.
   */
  subscribe(id: string, listener: (facts: RecordingFacts) => void): () => void;
  /** Stops questions about the recording and releases what it has. */
  close(id: string): Promise<void>;
  /** Closes all recordings; no call may follow. */
  end(): Promise<void>;
}

export function unknownId(id: string, ids: readonly string[]): UsageError {
  return new UsageError(`no recording has the id ${id}`, {
    code: 'no-recording',
    advice: ids.length === 0 ? 'None is open.' : `Open: ${ids.join(', ')}.`,
  });
}

function metricFacts(metric: Metric): MetricFacts {
  const { id, title, unit } = metric;
  const topDown = isDrawable(metric, false) ? (['top-down'] as const) : [];
  return { id, title, unit, flames: [...topDown, ...(isDrawable(metric, true) ? (['inverted'] as const) : [])] };
}

/** The facts of a snapshot. */
export function factsOf(id: string, { id: snapshot, final, recording }: Snapshot): RecordingFacts {
  const { name, format, complete, problems, metadata, sections, profile } = recording;
  const parts: Record<RecordingModel, unknown> = {
    profile,
    locks: recording.locks,
    heaps: recording.heaps,
    'call-graph': recording.callGraph,
    reasons: recording.reasons,
    'event-types': recording.eventTypes,
  };
  return {
    id,
    name,
    format,
    snapshot,
    final,
    complete,
    problems: { ...problems.counts },
    metadata,
    sections,
    models: RECORDING_MODELS.filter((model) => parts[model] !== undefined),
    metrics: (profile?.metrics ?? []).map(metricFacts),
    traits: traitsOf(recording),
    events: Object.fromEntries((profile?.events ?? []).map(({ kind, length }) => [kind, length])),
  };
}
