/** Recordings that are open together, and the questions asked of them. */
import { contentHashUse } from '../analysis/content-hash.js';
import { withSpans } from '../analysis/events/span.js';
import { stepsForOther } from '../analysis/identity/other-side.js';
import { commonDepth } from '../analysis/scope/depth.js';
import { stepsBeside } from '../analysis/scope/moment.js';
import { namedRecording, namedSubject, needsNames } from '../analysis/scope/names/named.js';
import { refuseUnknownNames } from '../analysis/scope/names/unknown-names.js';
import { scopedUse } from '../analysis/scope/scoped.js';
import { defined } from '../base/defined.js';
import { MissingError, UsageError } from '../base/errors.js';
import type { Work } from '../base/progress.js';
import { uniqueName } from '../base/unique.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { Format } from '../formats/format.js';
import {
  type Cost,
  type Get,
  type OpenRecording,
  type Stage,
  type StageUse,
  type Subject,
  subjectOf,
  use,
} from '../models/open-recording.js';
import type { CodeLibrary } from '../models/program/library.js';
import type { Recording } from '../models/recording.js';
import type { ScopeStep } from '../models/scope.js';
import { unknownName } from '../questions/refusal.js';
import { parseQuestion, type QuestionData } from '../questions/schema.js';
import { isViewName, type OptionsOf, type ResultOf, VIEWS, type ViewName, type ViewOf } from '../views/index.js';
import { missingData } from '../views/missing-data.js';
import type { Page, Side, ViewInput } from '../views/question.js';
import { type ViewedQuestion, viewedQuestion } from './catalogued.js';
import { Derived, type DerivedOptions } from './derived.js';
import { detect } from './inputs/detect.js';
import { inMemory } from './opened.js';
import { type OpeningOptions, openRecording } from './opening.js';

export interface Session {
  readonly sources: readonly OpenRecording[];
  /** The id of each source in questions: `r1`, `r2` … in the order in which they were opened. */
  readonly ids: readonly string[];
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
  /** Id of the recording; the first if not given. */
  readonly recording?: string;
  /** Id of the base recording. */
  readonly base?: string;
  /** Ids of further runs of the recording and of the base. */
  readonly runs?: readonly string[];
  readonly baseRuns?: readonly string[];
  readonly options?: OptionsOf<Name>;
  readonly scope?: readonly ScopeStep[];
  /** Scope of the base; that of the recording if not given. */
  readonly baseScope?: readonly ScopeStep[];
  readonly page?: Partial<Page>;
}

/** A question by its name in the catalogue, which chooses the view. `options` are those of `questionNamed`. */
export interface CataloguedQuestion extends Omit<Question<ViewName>, 'view' | 'options'> {
  readonly question: string;
  /** What `base` is to the question, if it can be several things: by default a recording to compare with. */
  readonly comparison?: QuestionData['comparison'];
  readonly options?: Readonly<Record<string, unknown>>;
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
    ids: sources.map((_, place) => `r${place + 1}`),
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

/**
 * SHA-256 of all bytes of a recording, by its id (default: the first one), in lower-case hexadecimal: the same in every process and on every machine.
 * Its source is read again. Throws `UnreadableError` if that has changed meanwhile, `MissingError` for recordings without a source or that grow.
 */
export async function contentHash({ sources, ids, derived }: Session, id = ids[0], work: Work = {}): Promise<string> {
  const source = sources[ids.indexOf(id)];
  if (source === undefined) throw unknownRecording(id, ids);
  return derived.get(contentHashUse(subjectOf(source)), work);
}

/**
 * Answers a question. The same recordings and question give the same result. Throws `UsageError` for a question that does not fit its schema, or
 * that the recording cannot answer.
 */
export function ask<Name extends ViewName = ViewName>(
  session: Session,
  question: Question<Name> | CataloguedQuestion,
  work: Work = {},
): Promise<ResultOf<Name>> {
  return answered(session, question, work, async (view, options, input, get) => {
    try {
      // Each view has its own result type, which the compiler cannot infer from the table of views.
      return (await view.ask(input, options, get)) as ResultOf<Name>;
    } catch (error) {
      throw error instanceof MissingError ? missingData(error, input.recording) : error;
    }
  });
}

/**
 * The question to a view that a question of the catalogue leads to, of the recordings as they are now; a question to a view stays. Throws `UsageError` as
 * `ask` does.
 */
export function resolveQuestion(
  session: Session,
  question: Question<ViewName> | CataloguedQuestion,
): Promise<ViewedQuestion> {
  return viewedOf(session, question);
}

function viewedOf({ ids, recordings }: Session, asked: unknown): Promise<ViewedQuestion> {
  const recordingOf = (id = ids[0]): Recording => {
    const recording = recordings[ids.indexOf(id ?? '')];
    if (recording === undefined) throw unknownRecording(id, ids);
    return recording;
  };
  return viewedQuestion(parseQuestion(asked), recordingOf);
}

/** Additional cost to answer a question: memory, and time if stages announce it. */
export function costOf<Name extends ViewName>(
  session: Session,
  question: Question<Name> | CataloguedQuestion,
  work: Work = {},
): Promise<Cost> {
  return answered(session, question, work, (view, options, input) => session.derived.cost(view.needs(input, options)));
}

type Answering<Value> = (
  view: ViewOf<ViewName>,
  options: unknown,
  input: ViewInput,
  get: Get,
) => Value | Promise<Value>;

/** Runs `answer` with the input of a question, whose recordings are those of the moment at which it is asked. */
async function answered<Value>(session: Session, data: unknown, work: Work, answer: Answering<Value>): Promise<Value> {
  const question = await viewedOf(session, data);
  const { view: name, options = {} } = question;
  if (!isViewName(name)) throw unknownName('view', name, Object.keys(VIEWS));
  const get: Get = (use) => session.derived.get(use, work);
  const subjects = new Map(session.sources.map((source, place) => [session.ids[place], subjectOf(source)]));
  return session.derived.during([...subjects.values()], async () => {
    const view = await VIEWS[name]();
    const input = await inputOf(session, subjects, question, view, get, work);
    return answer(view, options, input, get);
  });
}

async function inputOf(
  { library }: Session,
  subjects: ReadonlyMap<string | undefined, Subject>,
  question: ViewedQuestion,
  view: Pick<ViewOf<ViewName>, 'scopesItself' | 'withoutNames'>,
  get: Get,
  work: Work,
): Promise<ViewInput> {
  const { main, base, runs, baseRuns } = await sidesOf(subjects, question, view, get);
  const frames = commonDepth([main, base ?? main, ...runs, ...baseRuns]);
  const within = async (side: Side): Promise<Side> => {
    if (frames === undefined || side.profile === undefined) return side;
    const subject: Subject = { ...side.subject, scope: [...side.subject.scope, { kind: 'depth', frames }] };
    return { ...(await get(scopedUse(subject))), subject };
  };
  return {
    ...(await within(main)),
    ...(base === undefined ? {} : { base: await within(base) }),
    runs: await Promise.all(runs.map(within)),
    baseRuns: await Promise.all(baseRuns.map(within)),
    kept: (key, bytes, make) => {
      const viewKey = JSON.stringify([question.view, question.options ?? {}, runs.length, libraryName(library), key]);
      return get(keptUse([main, base, ...runs, ...baseRuns], viewKey, bytes, make));
    },
    page: { offset: 0, limit: USUAL_LIMIT, ...defined(question.page ?? {}) },
    library,
    work,
  };
}

type Steps = readonly ScopeStep[];
/** The recording that handles in a step are of, if it is that of another side. */
type HolderOf = (step: ScopeStep) => Recording | undefined;

/** The recordings of a question, each within its scope. */
async function sidesOf(
  subjects: ReadonlyMap<string | undefined, Subject>,
  question: ViewedQuestion,
  { scopesItself, withoutNames }: Pick<ViewOf<ViewName>, 'scopesItself' | 'withoutNames'>,
  get: Get,
) {
  const side = async (id: string | undefined, scope: Steps, compared: Steps, holderOf?: HolderOf): Promise<Side> => {
    const subject = subjects.get(id);
    if (subject === undefined) throw unknownRecording(id, [...subjects.keys()]);
    const isNamed = !withoutNames || needsNames(scope);
    const whole = isNamed ? await namedSubject(subject, get) : subject;
    const { recording } = whole.snapshot;
    const ownScope = scope.flatMap((step, i) => {
      const holder = holderOf?.(step);
      return holder === undefined ? [step] : stepsForOther([step], holder, recording, scope.slice(0, i));
    });
    const steps = await withSpans(whole, stepsBeside(recording, ownScope, compared), get);
    const applied = scopesItself ? steps.filter(({ kind }) => kind === 'dump') : steps;
    return { ...(await get(scopedUse({ ...whole, scope: applied }))), subject: { ...whole, scope: steps } };
  };
  const { scope = [], baseScope = scope, base: baseId, runs = [], baseRuns = [] } = question;
  const others = baseId === undefined ? scope : baseScope;
  const main = await side(question.recording ?? [...subjects.keys()][0], scope, others);
  // Handles of a step that only the base has are of the base.
  const mainSteps = new Set(scope.map((step) => JSON.stringify(step)));
  const ofMain: HolderOf = (step) => (mainSteps.has(JSON.stringify(step)) ? main.recording : undefined);
  const base = baseId === undefined ? undefined : await side(baseId, baseScope, scope, ofMain);
  const ofBase: HolderOf = (step) => ofMain(step) ?? base?.recording;
  const sides = {
    main,
    base,
    runs: await Promise.all(runs.map((id) => side(id, scope, others, ofMain))),
    baseRuns: await Promise.all(baseRuns.map((id) => side(id, baseScope, scope, ofBase))),
  };
  // Views that scope events part by part do not know all names.
  const all = [main, ...(base === undefined ? [] : [base]), ...sides.runs, ...sides.baseRuns];
  if (!scopesItself)
    refuseUnknownNames(
      [...scope, ...baseScope],
      all.map(({ recording }) => recording),
    );
  return sides;
}

function unknownRecording(id: string | undefined, ids: readonly (string | undefined)[]): UsageError {
  if (id === undefined) return new UsageError('the session has no recording', { code: 'no-recording' });
  return new UsageError(`the session has no recording ${id}`, {
    code: 'no-recording',
    advice: ids.length === 0 ? 'None is open.' : `Its recordings: ${ids.join(', ')}.`,
  });
}

/** Names of libraries: their code may be in an answer. */
const libraryNames = new WeakMap<CodeLibrary, string>();

function libraryName(library: CodeLibrary): string {
  const name = libraryNames.get(library) ?? uniqueName('library');
  libraryNames.set(library, name);
  return name;
}

/** A part of an answer about these sides; `key` names it and the question. */
function keptUse<Value>(
  sides: readonly (Side | undefined)[],
  key: string,
  bytes: (value: Value) => number,
  make: (work: Work) => Value | Promise<Value>,
): StageUse<Value> {
  const stage: Stage<Value, string> = {
    name: 'part of an answer',
    version: 1,
    key: (name) => name,
    run: (_, __, ___, work) => make(work),
    bytes,
  };
  const subjects = sides.flatMap((side) => (side === undefined ? [] : [side.subject]));
  return use(stage, subjects, key);
}
