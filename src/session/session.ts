/** Recordings that are open together, and the questions asked of them. */
import { withSpans } from '../analysis/events/span.js';
import { commonDepth } from '../analysis/scope/depth.js';
import { stepsBeside } from '../analysis/scope/moment.js';
import { namedRecording, namedSubject, needsNames } from '../analysis/scope/named.js';
import { scopedUse } from '../analysis/scope/scoped.js';
import { DamagedError, MissingError, UsageError } from '../base/errors.js';
import type { Work } from '../base/progress.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { Format } from '../formats/format.js';
import { type Cost, type Get, type OpenRecording, type Subject, subjectOf } from '../models/open-recording.js';
import type { CodeLibrary } from '../models/program/library.js';
import type { Recording } from '../models/recording.js';
import type { ScopeStep } from '../models/scope.js';
import { type OptionsOf, type ResultOf, VIEWS, type ViewName, type ViewOf } from '../views/index.js';
import type { Page, Side, ViewInput } from '../views/question.js';
import { Derived, type DerivedOptions } from './derived.js';
import { detect } from './inputs/detect.js';
import { inMemory } from './opened.js';
import { type OpeningOptions, openRecording } from './opening.js';

export interface Session {
  readonly sources: readonly OpenRecording[];
  /** The current recording of each source, as read: native places may have no names yet (`namedRecordings`). */
  readonly recordings: readonly Recording[];
  /** Classes and sources of the recorded program, if given. */
  readonly library: CodeLibrary;
  /** The values of stages that questions share. */
  readonly derived: Derived;
  /** Stops running work and closes all sources; answers stay valid. */
  close(): Promise<void>;
}

/** A question to a session. */
export interface Question<Name extends ViewName> {
  readonly view: Name;
  /** Index of the recording; the first if not given. */
  readonly recording?: number;
  /** Index of the base recording. */
  readonly base?: number;
  /** Indexes of further runs of the recording and of the base. */
  readonly runs?: readonly number[];
  readonly baseRuns?: readonly number[];
  readonly options?: OptionsOf<Name>;
  readonly scope?: readonly ScopeStep[];
  /** Scope of the base; that of the recording if not given. */
  readonly baseScope?: readonly ScopeStep[];
  readonly page?: Partial<Page>;
}

/** Default rows per page. */
export const USUAL_LIMIT = 20;

export interface SessionOptions extends OpeningOptions {
  /** The formats to try; all if not given. */
  readonly formats?: readonly Format[];
  readonly derived?: DerivedOptions;
}

/** Opens the sources together. Throws `UnreadableError` or `FormatError` for the first one that cannot be read. */
export async function openSession(sources: readonly ByteSource[], options: SessionOptions = {}): Promise<Session> {
  const { formats, derived } = options;
  const opened: OpenRecording[] = [];
  try {
    for (const source of sources)
      opened.push(await openRecording({ format: await detect(source, formats), source }, options));
  } catch (error) {
    for (const source of opened) await source.close();
    throw error;
  }
  return sessionOfOpen(opened, { ...(derived && { derived }) });
}

/** A session of recordings that are in memory already. */
export function sessionOf(recordings: readonly Recording[], library?: CodeLibrary): Session {
  return sessionOfOpen(recordings.map(inMemory), { ...(library && { library }) });
}

export interface OpenedWith {
  readonly library?: CodeLibrary;
  readonly derived?: DerivedOptions;
  /** Closes the resources of recordings and library. */
  readonly close?: () => Promise<void>;
}

/** A session of open recordings, which it closes. */
export function sessionOfOpen(sources: readonly OpenRecording[], options: OpenedWith = {}): Session {
  const derived = new Derived(options.derived);
  return {
    sources,
    get recordings() {
      return sources.map((source) => source.current().recording);
    },
    library: options.library ?? {},
    derived,
    close: async () => {
      await derived.saved();
      for (const source of sources) {
        derived.forget(source.id);
        await source.close();
      }
      await options.close?.();
    },
  };
}

/** One session with the recordings of several; it has the library of the first and closes all. */
export function joinSessions(first: Session, ...others: readonly Session[]): Session {
  const all = [first, ...others];
  return sessionOfOpen(
    all.flatMap(({ sources }) => sources),
    {
      library: first.library,
      close: async () => {
        for (const session of all) await session.close();
      },
    },
  );
}

/** The current recordings with the names of native places: functions, lines, inlined calls. */
export function namedRecordings({ sources, derived }: Session, work: Work = {}): Promise<readonly Recording[]> {
  return Promise.all(sources.map((source) => namedRecording(source, (use) => derived.get(use, work))));
}

/** Answers a question. The same recordings and question give the same result. */
export async function ask<Name extends ViewName>(
  session: Session,
  question: Question<Name>,
  work: Work = {},
): Promise<ResultOf<Name>> {
  const view = await viewOf(question.view);
  return asked(session, question, view, work, async (input, get) => {
    try {
      // Each view has its own result type, which the compiler cannot infer from the table of views.
      return (await view.ask(input, question.options ?? {}, get)) as ResultOf<Name>;
    } catch (error) {
      if (!(error instanceof MissingError) || input.recording.complete) throw error;
      throw new DamagedError(
        `${error.message} in the part that could be read`,
        'Part of the file could not be read: `check` shows why.',
      );
    }
  });
}

/** Additional cost to answer a question: memory, and time if stages announce it. */
export async function costOf<Name extends ViewName>(
  session: Session,
  question: Question<Name>,
  work: Work = {},
): Promise<Cost> {
  const view = await viewOf(question.view);
  return asked(session, question, view, work, (input) =>
    session.derived.cost(view.needs(input, question.options ?? {})),
  );
}

/** Runs `answer` with the input of a question, whose recordings are those of the moment at which it is asked. */
function asked<Name extends ViewName, Value>(
  session: Session,
  question: Question<Name>,
  view: ViewOf<ViewName>,
  work: Work,
  answer: (input: ViewInput, get: Get) => Value | Promise<Value>,
): Promise<Value> {
  const get: Get = (use) => session.derived.get(use, work);
  const subjects = session.sources.map((source) => subjectOf(source));
  return session.derived.during(subjects, async () =>
    answer(await inputOf(session, subjects, question, view, get, work), get),
  );
}

async function viewOf(name: ViewName): Promise<ViewOf<ViewName>> {
  if (!Object.hasOwn(VIEWS, name))
    throw new UsageError(`unknown view ${name}`, `Views: ${Object.keys(VIEWS).join(', ')}.`);
  return VIEWS[name]();
}

async function inputOf(
  { library }: Session,
  subjects: readonly Subject[],
  question: Question<ViewName>,
  { scopesItself, withoutNames }: { readonly scopesItself: boolean; readonly withoutNames: boolean },
  get: Get,
  work: Work,
): Promise<ViewInput> {
  type Steps = readonly ScopeStep[];
  const side = async (index: number, scope: Steps, compared: Steps, missing: string): Promise<Side> => {
    const subject = subjects[index];
    if (subject === undefined) throw new UsageError(missing);
    const isNamed = !withoutNames || needsNames(scope);
    const whole = isNamed ? await namedSubject(subject, get) : subject;
    const steps = await withSpans(whole, stepsBeside(whole.snapshot.recording, scope, compared), get);
    const applied = scopesItself ? steps.filter(({ kind }) => kind === 'dump') : steps;
    return { ...(await get(scopedUse({ ...whole, scope: applied }))), subject: { ...whole, scope: steps } };
  };
  const { scope = [], baseScope = scope, base, runs = [], baseRuns = [] } = question;
  const others = base === undefined ? scope : baseScope;
  const other = 'the session has no such base recording';
  const main = await side(question.recording ?? 0, scope, others, 'the session has no such recording');
  const compared = {
    main,
    base: base === undefined ? undefined : await side(base, baseScope, scope, other),
    runs: await Promise.all(runs.map((index) => side(index, scope, others, other))),
    baseRuns: await Promise.all(baseRuns.map((index) => side(index, baseScope, scope, other))),
  };
  const frames = commonDepth([main, compared.base ?? main, ...compared.runs, ...compared.baseRuns]);
  const within = async (one: Side): Promise<Side> => {
    if (frames === undefined || one.profile === undefined) return one;
    const subject: Subject = { ...one.subject, scope: [...one.subject.scope, { kind: 'depth', frames }] };
    return { ...(await get(scopedUse(subject))), subject };
  };
  return {
    ...(await within(main)),
    ...(compared.base === undefined ? {} : { base: await within(compared.base) }),
    runs: await Promise.all(compared.runs.map(within)),
    baseRuns: await Promise.all(compared.baseRuns.map(within)),
    page: { offset: 0, limit: USUAL_LIMIT, ...question.page },
    library,
    work,
  };
}
