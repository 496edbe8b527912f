/** Recordings that are open together, and the questions asked of them. */

import { applyScope, type ScopeStep, scopeLocks } from '../analysis/scope/scope.js';
import { DamagedError, MissingError, UsageError } from '../base/errors.js';
import { joinProblems, type Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import { formatCount, plural } from '../base/units.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { Format } from '../formats/format.js';
import { FORMATS } from '../formats/registry.js';
import type { Profile } from '../models/profile/profile.js';
import type { Recording } from '../models/recording.js';
import { column, hasField, lastDump } from '../models/table.js';
import { type OptionsOf, type ResultOf, VIEWS, type ViewName } from '../views/index.js';
import type { CodeLibrary, Page, Subject, ViewInput } from '../views/question.js';
import { detect } from './detect.js';

export interface Session {
  readonly recordings: readonly Recording[];
  /** Classes and sources of what was recorded, where they were given. */
  readonly library?: CodeLibrary;
  /** Lets go of what the library keeps open; absent where it keeps nothing. */
  readonly close?: () => Promise<void>;
}

/** A question to a session. */
export interface Question<Name extends ViewName> {
  readonly view: Name;
  /** Index of the recording; the first one where it is not given. */
  readonly recording?: number;
  /** Index of the recording that it is compared with. */
  readonly base?: number;
  /** Indexes of further runs of what the recording, and what the base, is one run of. */
  readonly runs?: readonly number[];
  readonly baseRuns?: readonly number[];
  readonly options?: OptionsOf<Name>;
  readonly scope?: readonly ScopeStep[];
  /** Scope of the base; the same as of the recording where it is not given. */
  readonly baseScope?: readonly ScopeStep[];
  readonly page?: Partial<Page>;
}

/** Rows of a page where the question does not say. */
export const USUAL_LIMIT = 20;

export interface SessionOptions {
  readonly work?: Work;
  /** How a format's reader is called; the cache of this machine puts itself here. */
  readonly read?: (format: Format, source: ByteSource) => Promise<Recording>;
}

/** Opens the sources together. Throws `UnreadableError` or `FormatError` for the first that cannot be read at all. */
export async function openSession(sources: readonly ByteSource[], options: SessionOptions = {}): Promise<Session> {
  const { work = {}, read = (format, source) => format.read(source, work) } = options;
  const recordings: Recording[] = [];
  for (const source of sources) recordings.push(await read(await detect(source), source));
  return { recordings };
}

/** Answers a question. The same recordings and question give the same result. */
export async function ask<Name extends ViewName>(
  session: Session,
  question: Question<Name>,
  work: Work = {},
): Promise<ResultOf<Name>> {
  const recording = session.recordings[question.recording ?? 0];
  if (recording === undefined) throw new UsageError('the session has no such recording');
  const view = Object.hasOwn(VIEWS, question.view) ? VIEWS[question.view] : undefined;
  if (view === undefined) {
    throw new UsageError(`there is no view ${question.view}`, `Views: ${Object.keys(VIEWS).join(', ')}.`);
  }
  const steps = question.scope ?? [];
  const scoped = scopeOf(recording, steps);
  const baseSteps = question.baseScope ?? steps;
  const subject = (index: number, of: readonly ScopeStep[]): Subject => {
    const other = session.recordings[index];
    if (other === undefined) throw new UsageError('the session has no such recording to compare with');
    return { recording: other, profile: scopeOf(other, of).profile, dump: dumpOf(of) };
  };
  const input: Omit<ViewInput, 'code'> = {
    recording,
    ...scoped,
    ...(question.base === undefined ? {} : { base: subject(question.base, baseSteps) }),
    runs: (question.runs ?? []).map((index) => subject(index, steps)),
    baseRuns: (question.baseRuns ?? []).map((index) => subject(index, baseSteps)),
    dump: dumpOf(steps),
    page: { offset: 0, limit: USUAL_LIMIT, ...question.page },
    problems: () => allProblems(recording),
    work,
  };
  try {
    // Each view makes its own result type; the compiler cannot follow that through the table of views.
    return (await view.ask(input, question.options ?? {}, session.library ?? {})) as ResultOf<Name>;
  } catch (error) {
    if (!(error instanceof MissingError) || recording.complete) throw error;
    throw new DamagedError(
      `${error.message}, as far as it could be read`,
      'Not all of it could be read: `check` says why.',
    );
  }
}

/** The recording within a scope, as it is written to a file; itself where there are no steps. */
export function withinScope(
  recording: Recording,
  steps: readonly ScopeStep[],
): { readonly recording: Recording; readonly notes: readonly string[] } {
  if (steps.length === 0) return { recording, notes: [] };
  if (recording.profile === undefined) throw new MissingError(`${recording.name} has no events to select from`);
  const { profile, scopeNotes, unscoped } = scopeOf(recording, steps);
  const left = unscoped.size === 0 ? [] : [`Written without regard to the scope: ${[...unscoped].join(', ')}.`];
  // What the file had beyond the models is of all its events.
  const scoped: Recording = { ...recording, ...(profile === undefined ? {} : { profile }), residue: undefined };
  return { recording: scoped, notes: [...scopeNotes, ...left] };
}

function scopeOf(
  recording: Recording,
  steps: readonly ScopeStep[],
): Pick<ViewInput, 'profile' | 'locks' | 'unscoped' | 'scopeNotes'> {
  const { program, profile } = recording;
  const seen = recording.locks && scopeLocks(recording.locks, steps);
  const locks = seen?.locks;
  const unscoped: ReadonlySet<string> = new Set(seen?.scoped === false ? ['locks'] : []);
  if (profile === undefined || steps.length === 0) return { profile, locks, unscoped, scopeNotes: [] };
  refuseMissingDump(recording, dumpOf(steps));
  const beside = (recording.heaps?.length ?? 0) + (locks?.snapshots.length ?? 0);
  const scoped = applyScope(program, profile, steps, beside);
  const count = (tables: Profile['events']): number =>
    tables.reduce((sum, table) => sum + (scoped.unscoped.has(table.kind) ? 0 : table.length), 0);
  const kept = formatCount(count(scoped.profile.events));
  const note = `Within the scope: ${kept} of ${plural(count(profile.events), 'event')}; shares are of these.`;
  return { profile: scoped.profile, locks, unscoped: new Set([...scoped.unscoped, ...unscoped]), scopeNotes: [note] };
}

/** A dump that the recording has not is no empty answer. One without any dumps is refused by the scope itself. */
function refuseMissingDump(recording: Recording, dump: number | undefined): void {
  if (dump === undefined) return;
  const tables = recording.profile?.events.filter((table) => hasField(table, 'dump')) ?? [];
  const last = tables.reduce((most, table) => Math.max(most, lastDump(column(table, 'dump'))), -1);
  const count = Math.max(last + 1, recording.heaps?.length ?? 0, recording.locks?.snapshots.length ?? 0);
  if (count > 0 && (dump < 1 || dump > count))
    throw new UsageError(`${recording.name} has no dump ${dump}`, `It has ${plural(count, 'dump')}, the first is 1.`);
}

/** The dump that the steps ask for; a usage error where they ask for two. */
function dumpOf(steps: readonly ScopeStep[]): number | undefined {
  const numbers = new Set(steps.flatMap((step) => (step.kind === 'dump' ? [step.number] : [])));
  if (numbers.size > 1) throw new UsageError('one dump at a time can be asked for');
  return [...numbers][0];
}

const checked = new WeakMap<Recording, Problems>();

/** Problems met while reading and those that only a check finds; the check runs once a recording. */
export function allProblems(recording: Recording): Problems {
  const known = checked.get(recording);
  if (known !== undefined) return known;
  const check = FORMATS.find((format) => format.id === recording.format)?.check;
  const problems = check === undefined ? recording.problems : joinProblems(recording.problems, check(recording));
  checked.set(recording, problems);
  return problems;
}
