/**
 * What the page shows, outside of its elements: the recordings, the question, its answer. A question is asked when it changes; an answer that is not
 * waited for any more is cancelled.
 */
import type { Progress } from '../../src/base/progress.js';
import type { ScopeStep } from '../../src/models/scope.js';
import type { QuestionForm } from '../../src/questions/catalogue/forms.js';
import type { OptionDefinition } from '../../src/questions/options/option.js';
import type { QuestionData } from '../../src/questions/schema.js';
import { questionOfQuery, questionQuery } from '../../src/questions/url.js';
import type { AnswerableQuestions } from '../../src/session/workspace/answerable.js';
import type { RecordingFacts } from '../../src/session/workspace/workspace.js';
import type { AppPort, PageResult } from './port.js';

/** A function that a row or a box stands for. */
export interface FunctionSelection {
  readonly name: string;
  /** What `callers` takes: a handle, else the name. */
  readonly handle: string;
}

export type Answer =
  /** A person has to choose something first. */
  | { readonly state: 'open'; readonly missing: OptionDefinition }
  | { readonly state: 'pending'; readonly progress?: Progress }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'answered'; readonly result: PageResult };

/** How many rows a page of a listing has, and a listing that has no pages at first. */
export const PAGE_ROWS = 200;
const FIRST_ROWS = 1000;
const NOTHING: AnswerableQuestions = { names: [], first: 'summary' };

export class Store {
  readonly #port: AppPort;
  readonly #changed: () => void;
  recordings: readonly RecordingFacts[] = [];
  forms: readonly QuestionForm[] = [];
  /** By id of the recording. */
  answerable: ReadonlyMap<string, AnswerableQuestions> = new Map();
  question: QuestionData = { question: 'summary' };
  answer: Answer = { state: 'pending' };
  selection: FunctionSelection | undefined;
  /** Of the selected function. */
  around: Answer | undefined;
  #asked = new AbortController();
  #askedAround = new AbortController();

  constructor(port: AppPort, changed: () => void) {
    this.#port = port;
    this.#changed = changed;
  }

  /** Gets what is open; then shows the question of a query, else the first view of the first recording. */
  async start(query: string): Promise<void> {
    const [recordings, forms] = await Promise.all([this.#port.list(), this.#port.forms()]);
    this.recordings = recordings;
    this.forms = forms;
    const lists = await Promise.all(recordings.map(({ id }) => this.#port.questions(id)));
    this.answerable = new Map(recordings.map(({ id }, place) => [id, lists[place] ?? NOTHING]));
    this.restore(query);
  }

  get recording(): RecordingFacts | undefined {
    return this.recordings.find(({ id }) => id === this.question.recording) ?? this.recordings[0];
  }

  get form(): QuestionForm | undefined {
    return this.forms.find(({ id }) => id === this.question.question);
  }

  /** The recording that is compared with. */
  get base(): RecordingFacts | undefined {
    return this.recordings.find(({ id }) => id === this.question.base);
  }

  /** The question alone: what an answer is of. */
  get questionQuery(): string {
    return questionQuery(this.question);
  }

  /** The state as the query of an address. */
  get query(): string {
    const query = this.questionQuery;
    if (this.selection === undefined) return query;
    const { name, handle } = this.selection;
    return `${query}&${new URLSearchParams({ 'selected.name': name, 'selected.handle': handle })}`;
  }

  /** Shows what a query says; what does not fit is said in place of an answer. */
  restore(query: string): void {
    const words = new URLSearchParams(query);
    const [name, handle] = [words.get('selected.name'), words.get('selected.handle')];
    words.delete('selected.name');
    words.delete('selected.handle');
    this.selection = name === null || handle === null ? undefined : { name, handle };
    try {
      this.question = words.size === 0 ? this.#firstQuestion() : questionOfQuery(words.toString());
    } catch (error) {
      this.question = this.#firstQuestion();
      this.answer = { state: 'failed', error };
      this.#changed();
      return;
    }
    this.#ask();
    this.#askAround();
  }

  /** The view that suits a recording best: the one that its kind is opened for. */
  #firstQuestion(): QuestionData {
    const [recording] = this.recordings;
    if (recording === undefined) return { question: 'summary' };
    return { question: this.#offered(recording.id).first, recording: recording.id };
  }

  /** Another question of the same recording within the same scope, as far as the question takes steps. */
  show(id: string, options: QuestionData['options'] = {}): void {
    const form = this.forms.find((each) => each.id === id);
    const { recording, base, scope = [] } = this.question;
    const steps = scope.filter(({ kind }) => form?.hasScope === true && (form.steps?.includes(kind) ?? true));
    const compared = base !== undefined && form?.compared.some(({ key }) => key === 'base') === true;
    this.#set({
      question: id,
      ...(recording !== undefined && { recording }),
      ...(compared && { base }),
      ...(steps.length > 0 && { scope: steps }),
      ...(Object.keys(options).length > 0 && { options }),
    });
  }

  showRecording(id: string): void {
    const name = this.question.question ?? 'summary';
    const { names, first } = this.#offered(id);
    if (names.includes(name)) this.#set({ ...this.question, recording: id });
    else this.#set({ question: first, recording: id });
  }

  /** What the shown recording can be asked. */
  get offered(): AnswerableQuestions {
    return this.#offered(this.recording?.id ?? '');
  }

  #offered(id: string): AnswerableQuestions {
    return this.answerable.get(id) ?? NOTHING;
  }

  compare(id: string | undefined): void {
    const { base: _base, ...others } = this.question;
    this.#set(id === undefined ? others : { ...others, base: id });
  }

  /** Sets an option; undefined for the usual value. */
  choose(key: string, value: unknown): void {
    const { [key]: _before, ...others } = this.question.options ?? {};
    const options = value === undefined ? others : { ...others, [key]: value };
    this.#set({ ...this.question, options });
  }

  sort(column: string | undefined): void {
    const { sort: _before, ...page } = this.question.page ?? {};
    this.#set({ ...this.question, page: column === undefined ? page : { ...page, sort: column } });
  }

  /** Shows so many rows of a listing that has no pages. */
  showRows(limit: number): void {
    this.#set({ ...this.question, page: { ...this.question.page, limit } });
  }

  addStep(step: ScopeStep): void {
    this.setScope([...(this.question.scope ?? []), step]);
  }

  setScope(scope: readonly ScopeStep[]): void {
    const { scope: _before, ...others } = this.question;
    const plain = scope.map((step) => JSON.parse(JSON.stringify(step)));
    this.#set(scope.length === 0 ? others : { ...others, scope: plain });
  }

  select(selection: FunctionSelection | undefined): void {
    if (selection?.handle === this.selection?.handle) return;
    this.selection = selection;
    this.#askAround();
    this.#changed();
  }

  /** Rows of the shown listing from `offset` on. */
  async rows(offset: number, signal: AbortSignal): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const page = { ...this.question.page, offset, limit: PAGE_ROWS };
    const { rows } = await this.#port.ask({ ...this.question, page }, { signal });
    return Array.isArray(rows) ? rows : [];
  }

  cancel(): void {
    this.#asked.abort();
  }

  #set(question: QuestionData): void {
    this.question = question;
    this.#ask();
    this.#askAround();
  }

  #ask(): void {
    this.#asked.abort();
    const controller = new AbortController();
    this.#asked = controller;
    const { page, options = {} } = this.question;
    const missing = this.form?.options.find(({ key, isRequired }) => isRequired && options[key] === undefined);
    this.answer = missing === undefined ? { state: 'pending' } : { state: 'open', missing };
    this.#changed();
    if (missing !== undefined) return;
    const limit = page?.limit ?? (this.isPaged ? PAGE_ROWS : FIRST_ROWS);
    const question = shownQuestion(this.question, limit);
    this.#fetch(question, controller, (answer) => {
      if (controller === this.#asked) this.answer = answer;
    });
  }

  /** Asks, and hands each state of the answer on; what is shown may be another question by then. */
  #fetch(question: QuestionData, { signal }: AbortController, set: (answer: Answer) => void): void {
    const showAnswer = (answer: Answer): void => {
      set(answer);
      this.#changed();
    };
    this.#port
      .ask(question, { signal, progress: (progress) => showAnswer({ state: 'pending', progress }) })
      .then((result) => showAnswer({ state: 'answered', result }))
      .catch((error: unknown) => showAnswer({ state: 'failed', error }));
  }

  /** Whether rows can be asked for from any place on. */
  get isPaged(): boolean {
    const page = this.form?.page;
    return page === 'sorted-rows' || page === 'rows' || page === 'code';
  }

  #askAround(): void {
    this.#askedAround.abort();
    const controller = new AbortController();
    this.#askedAround = controller;
    this.around = undefined;
    const { selection } = this;
    const { recording, scope = [], options = {} } = this.question;
    if (selection === undefined || !this.offered.names.includes('callers')) return;
    const form = this.forms.find(({ id }) => id === 'callers');
    const metric = form?.options.some(({ key }) => key === 'metric') === true ? options.metric : undefined;
    this.around = { state: 'pending' };
    const question: QuestionData = {
      question: 'callers',
      options: { function: selection.handle, ...(metric !== undefined && { metric }) },
      page: { limit: 100 },
      ...(recording !== undefined && { recording }),
      ...(scope.length > 0 && { scope }),
    };
    this.#fetch(question, controller, (answer) => {
      if (controller === this.#askedAround) this.around = answer;
    });
  }
}

/** Questions whose answers are drawn: they have no page. */
export const PICTURES: ReadonlySet<string> = new Set(['flame', 'timeline']);

/** Threads of a timeline. */
const MOST_TRACKS = 1000;

/** The question as it is asked: a timeline with each of its spans, since the page makes its pixels itself; a listing with so many rows. */
function shownQuestion(question: QuestionData, limit: number): QuestionData {
  if (question.question === 'timeline') {
    const { question: _name, ...others } = question;
    return { ...others, view: 'timeline', options: { buckets: 1, rows: true }, page: { limit: MOST_TRACKS } };
  }
  return question.question === 'flame' ? question : { ...question, page: { ...question.page, limit } };
}
