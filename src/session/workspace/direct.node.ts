/** The workspace in the thread that asks. */
import { UsageError } from '../../base/errors.js';
import type { Phrase } from '../../base/phrase.js';
import type { Work } from '../../base/progress.js';
import type { Cost, OpenRecording } from '../../models/open-recording.js';
import type { ResultOf, ViewName } from '../../views/index.js';
import type { ViewedQuestion } from '../catalogued.js';
import { Derived, type DerivedOptions } from '../derived.js';
import { openGrowing } from '../growing.node.js';
import { keptWith, openInputs } from '../open.node.js';
import {
  ask,
  type CataloguedQuestion,
  contentHash,
  costOf,
  type Question,
  resolveQuestion,
  type Session,
} from '../session.js';
import { type AnswerableQuestions, answerableQuestions } from './answerable.js';
import {
  factsOf,
  type OpenRequest,
  type OpenWork,
  type RecordingFacts,
  unknownId,
  type Workspace,
} from './workspace.js';

/** Milliseconds between two looks at a recording that is followed: a JVM writes once a second. */
const REFRESH_MS = 1000;

/** The recordings that were opened together, and what they share. */
interface Group {
  readonly session: Session;
  left: number;
}

interface OpenEntry {
  readonly id: string;
  readonly source: OpenRecording;
  readonly group: Group;
}

export interface DirectOptions {
  readonly derived?: DerivedOptions;
  /** Whether derived values of large files are kept on disk; true if not given. */
  readonly cache?: boolean;
  /** Receives messages for the user about values that are kept. */
  readonly announce?: (message: Phrase) => void;
}

export function directWorkspace(options: DirectOptions = {}): Workspace {
  return new DirectWorkspace(options);
}

class DirectWorkspace implements Workspace {
  readonly #entries = new Map<string, OpenEntry>();
  readonly #derived: Derived;
  readonly #followed = new Map<string, Following>();
  #opened = 0;

  constructor({ derived, cache = true, announce = () => undefined }: DirectOptions) {
    this.#derived = new Derived(keptWith({ cache, announce, ...(derived && { derived }) }));
  }

  async open(request: OpenRequest, work: OpenWork = {}): Promise<readonly RecordingFacts[]> {
    const session = await sessionOfRequest(request, work);
    const group: Group = { session, left: session.sources.length };
    return session.sources.map((source) => {
      const id = `r${++this.#opened}`;
      this.#entries.set(id, { id, source, group });
      return factsOf(id, source.current());
    });
  }

  facts(id: string): Promise<RecordingFacts> {
    return Promise.resolve().then(() => factsOf(id, this.#entry(id).source.current()));
  }

  async questions(id: string): Promise<AnswerableQuestions> {
    return answerableQuestions(this.#entry(id).source.current().recording);
  }

  list(): Promise<readonly RecordingFacts[]> {
    return Promise.resolve([...this.#entries.values()].map(({ id, source }) => factsOf(id, source.current())));
  }

  ask<Name extends ViewName>(question: Question<Name> | CataloguedQuestion, work: Work = {}): Promise<ResultOf<Name>> {
    return ask(this.#session(question.recording), question, work);
  }

  cost<Name extends ViewName>(question: Question<Name> | CataloguedQuestion, work: Work = {}): Promise<Cost> {
    return costOf(this.#session(question.recording), question, work);
  }

  contentHash(id: string, work: Work = {}): Promise<string> {
    return contentHash(this.#session(), id, work);
  }

  async resolve(question: Question<ViewName> | CataloguedQuestion): Promise<ViewedQuestion> {
    return resolveQuestion(this.#session(question.recording), question);
  }

  subscribe(id: string, listener: (facts: RecordingFacts) => void): () => void {
    const { source } = this.#entry(id);
    const following = this.#followed.get(id) ?? new Following(id, source);
    this.#followed.set(id, following);
    return following.add(listener);
  }

  async close(id: string): Promise<void> {
    const { source, group } = this.#entry(id);
    this.#entries.delete(id);
    this.#followed.get(id)?.stop();
    this.#followed.delete(id);
    await this.#derived.saved();
    this.#derived.forget(source.id);
    group.left--;
    // What recordings of one call share is released with the last of them.
    if (group.left === 0) await group.session.close();
    else await source.close();
  }

  async end(): Promise<void> {
    for (const id of [...this.#entries.keys()]) await this.close(id);
  }

  #entry(id: string): OpenEntry {
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry;
    throw unknownId(id, [...this.#entries.keys()]);
  }

  /** The recordings that are open now, as a session; `asked` is the id of the recording that is asked, the first if not given. */
  #session(asked?: string): Session {
    const entries = [...this.#entries.values()];
    const sources = entries.map(({ source }) => source);
    return {
      sources,
      ids: entries.map(({ id }) => id),
      recordings: sources.map((source) => source.current().recording),
      // Classes and sources are those that the asked recording was opened with.
      library: (asked === undefined ? entries[0] : this.#entries.get(asked))?.group.session.library ?? {},
      derived: this.#derived,
      close: () => Promise.resolve(),
    };
  }
}

async function sessionOfRequest(
  { names, cache = true, follow = false, ...others }: OpenRequest,
  { announce = () => undefined, ...work }: OpenWork,
): Promise<Session> {
  if (!follow) return openInputs(names, { cache, announce, work, ...others });
  const [name, ...more] = names;
  if (name === undefined || more.length > 0)
    throw new UsageError('one recording can be followed at a time', { code: 'several-recordings' });
  return openGrowing(name, { work });
}

/** Refreshes a recording while somebody listens. */
class Following {
  readonly #id: string;
  readonly #source: OpenRecording;
  readonly #listeners = new Set<(facts: RecordingFacts) => void>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(id: string, source: OpenRecording) {
    this.#id = id;
    this.#source = source;
  }

  add(listener: (facts: RecordingFacts) => void): () => void {
    this.#listeners.add(listener);
    this.#wait();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#clear();
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#listeners.clear();
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    const { final } = this.#source.current();
    if (this.#isStopped || final || this.#timer !== undefined || this.#source.refresh === undefined) return;
    this.#timer = setTimeout(() => void this.#refresh(), REFRESH_MS);
  }

  async #refresh(): Promise<void> {
    const before = this.#source.current();
    // A recording that cannot be read now may be at the next look: questions say what is wrong with it.
    const snapshot = await this.#source.refresh?.().catch(() => before);
    this.#timer = undefined;
    if (snapshot !== undefined && snapshot !== before)
      for (const listen of this.#listeners) listen(factsOf(this.#id, snapshot));
    if (this.#listeners.size > 0) this.#wait();
  }
}
