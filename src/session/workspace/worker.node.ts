/**
 * The workspace in a thread of its own: the thread that asks is never blocked, and a question ends when it is aborted. A computation that does not
 * notice is ended with its thread as soon as somebody waits for another answer; the recordings are opened again then, from the cache where they are
 * large, and questions of others are asked again.
 */
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { PROGRAM, packageFile } from '../../base/package.node.js';
import type { Work } from '../../base/progress.js';
import type { Cost } from '../../models/open-recording.js';
import type { ResultOf, ViewName } from '../../views/index.js';
import type { ViewedQuestion } from '../catalogued.js';
import type { CataloguedQuestion, Question } from '../session.js';
import type { AnswerableQuestions } from './answerable.js';
import type { EngineCall, FromEngine } from './messages.js';
import { receivedError, receivedResult } from './wire.js';
import { type OpenRequest, type OpenWork, type RecordingFacts, unknownId, type Workspace } from './workspace.js';

/** The entry of the thread: as compiled, else in the bundle of the library, which the command shares. */
const ENTRY = PROGRAM.bundled
  ? packageFile('dist/bundle/library/engine.node.js')
  : join(PROGRAM.folder, 'session/workspace/engine.node.js');

/** Milliseconds in which an aborted call may end by itself. */
const GRACE_MS = 100;

interface PendingCall {
  readonly method: EngineCall['method'];
  readonly argument: unknown;
  readonly work: OpenWork;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A request that was answered, to be repeated in a new thread. */
interface Opened {
  readonly request: OpenRequest;
  /** Ids for fronts, in the order of the recordings; undefined for those that were closed. */
  readonly ids: (string | undefined)[];
}

export function workerWorkspace(): Workspace {
  return new WorkerWorkspace();
}

class WorkerWorkspace implements Workspace {
  #engine: Promise<Engine> | undefined;
  readonly #opened: Opened[] = [];
  readonly #listeners = new Map<number, { readonly id: string; readonly listener: (facts: RecordingFacts) => void }>();
  #ids = 0;
  #subscriptions = 0;

  async open(request: OpenRequest, work: OpenWork = {}): Promise<readonly RecordingFacts[]> {
    const usableThread = await this.#usable();
    const facts = await usableThread.call<readonly RecordingFacts[]>('open', request, work);
    // Another thread may have repeated the call.
    const engine = (await this.#engine) ?? usableThread;
    const ids = facts.map(() => `r${++this.#ids}`);
    this.#opened.push({ request, ids });
    for (const [place, { id }] of facts.entries()) engine.name(id, ids[place] ?? '');
    return facts.map((each) => engine.named(each));
  }

  async facts(id: string): Promise<RecordingFacts> {
    const engine = await this.#usable();
    return engine.named(await engine.call<RecordingFacts>('facts', id, {}));
  }

  async list(): Promise<readonly RecordingFacts[]> {
    const engine = await this.#usable();
    return (await engine.call<readonly RecordingFacts[]>('list', undefined, {})).map((each) => engine.named(each));
  }

  ask<Name extends ViewName>(question: Question<Name> | CataloguedQuestion, work: Work = {}): Promise<ResultOf<Name>> {
    return this.#answer('ask', question, work);
  }

  cost<Name extends ViewName>(question: Question<Name> | CataloguedQuestion, work: Work = {}): Promise<Cost> {
    return this.#answer('cost', question, work);
  }

  questions(id: string): Promise<AnswerableQuestions> {
    return this.#answer('questions', id, {});
  }

  contentHash(id: string, work: Work = {}): Promise<string> {
    return this.#answer('contentHash', id, work);
  }

  resolve(question: Question<ViewName> | CataloguedQuestion, work: Work = {}): Promise<ViewedQuestion> {
    return this.#answer('resolve', question, work);
  }

  subscribe(id: string, listener: (facts: RecordingFacts) => void): () => void {
    if (!this.#opened.some(({ ids }) => ids.includes(id))) throw unknownId(id, this.#openIds());
    const subscription = ++this.#subscriptions;
    this.#listeners.set(subscription, { id, listener });
    void this.#usable().then((engine) => {
      if (this.#listeners.has(subscription)) engine.subscribe(subscription, id);
    });
    return () => {
      this.#listeners.delete(subscription);
      void this.#engine?.then((engine) => engine.unsubscribe(subscription));
    };
  }

  async close(id: string): Promise<void> {
    const engine = await this.#usable();
    await engine.call('close', id, {});
    for (const { ids } of this.#opened) if (ids.includes(id)) ids[ids.indexOf(id)] = undefined;
  }

  async end(): Promise<void> {
    const engine = await this.#engine;
    this.#listeners.clear();
    this.#opened.length = 0;
    await engine?.call('end', undefined, {});
    await engine?.stop();
    this.#engine = undefined;
  }

  #openIds(): string[] {
    return this.#opened.flatMap(({ ids }) => ids.flatMap((id) => id ?? []));
  }

  /** `argument`: a question, or an id. */
  async #answer<Value>(
    method: 'ask' | 'cost' | 'resolve' | 'questions' | 'contentHash',
    argument: Question<ViewName> | CataloguedQuestion | string,
    work: Work,
  ): Promise<Value> {
    work.signal?.throwIfAborted();
    const engine = await this.#usable();
    return engine.call<Value>(method, argument, work);
  }

  /** An engine with all recordings that is not busy with an aborted call. */
  async #usable(): Promise<Engine> {
    this.#engine ??= this.#start([]);
    const engine = await this.#engine;
    if (!(await engine.isStuck())) return engine;
    // Several may have waited: one of them starts the next engine.
    if ((await this.#engine) === engine) this.#engine = this.#restarted(engine);
    return (await this.#engine) ?? engine;
  }

  async #restarted(engine: Engine): Promise<Engine> {
    return this.#start(await engine.stop());
  }

  /** A new engine with the recordings that are open, which answers calls of the one before. */
  async #start(calls: readonly PendingCall[]): Promise<Engine> {
    const engine = await newEngine((subscription, facts) => this.#listeners.get(subscription)?.listener(facts));
    for (const { request, ids } of this.#opened) {
      const facts = await engine.call<readonly RecordingFacts[]>('open', request, {});
      for (const [place, { id }] of facts.entries()) {
        const name = ids[place];
        // Without a name, an id is the thread's own.
        if (name === undefined) await engine.call('close', id, {});
        else engine.name(id, name);
      }
    }
    for (const [subscription, { id }] of this.#listeners) engine.subscribe(subscription, id);
    for (const call of calls) engine.repeat(call);
    return engine;
  }
}

async function newEngine(notify: (subscription: number, facts: RecordingFacts) => void): Promise<Engine> {
  const { Worker } = await import('node:worker_threads');
  return new Engine(new Worker(ENTRY), notify);
}

/** A thread, its calls in progress, and its own ids of recordings. */
class Engine {
  readonly #worker: Worker;
  readonly #notify: (subscription: number, facts: RecordingFacts) => void;
  readonly #calls = new Map<number, PendingCall>();
  /** Aborted calls that the thread still works on, with the time of the abort. */
  readonly #aborted = new Map<number, number>();
  readonly #inner = new Map<string, string>();
  readonly #outer = new Map<string, string>();
  readonly #subscribed = new Set<number>();
  /** By call: stops listening to its signal. */
  readonly #release = new Map<number, () => void>();
  #failure: unknown;
  #count = 0;

  constructor(worker: Worker, notify: (subscription: number, facts: RecordingFacts) => void) {
    this.#worker = worker;
    this.#notify = notify;
    worker.on('message', (message: FromEngine) => this.#take(message));
    worker.on('error', (error) => this.#fail(error));
    worker.unref();
  }

  /** Gives a recording of the thread its id for fronts. */
  name(inner: string, outer: string): void {
    this.#inner.set(outer, inner);
    this.#outer.set(inner, outer);
  }

  /** The thread's id; one that it does not know stays, so that its error names it. */
  inner(outer: string): string {
    return this.#inner.get(outer) ?? outer;
  }

  named(facts: RecordingFacts): RecordingFacts {
    return { ...facts, id: this.#outer.get(facts.id) ?? facts.id };
  }

  call<Value>(method: EngineCall['method'], argument: unknown, work: OpenWork): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      // The method decides what it returns.
      const answered = (value: unknown): void => void Reflect.apply(resolve, undefined, [value]);
      this.repeat({ method, argument, work, resolve: answered, reject });
    });
  }

  /** Makes a call, again if another thread did not answer it. */
  repeat(pending: PendingCall): void {
    const { method, argument, work, reject } = pending;
    if (this.#failure !== undefined) {
      reject(this.#failure);
      return;
    }
    // A signal reports its abort only once: it may have come before the thread was ready.
    if (work.signal?.aborted === true) {
      reject(work.signal.reason);
      return;
    }
    const call = ++this.#count;
    this.#calls.set(call, pending);
    this.#worker.ref();
    const stop = (): void => this.#abort(call, work.signal?.reason);
    work.signal?.addEventListener('abort', stop, { once: true });
    this.#release.set(call, () => work.signal?.removeEventListener('abort', stop));
    this.#worker.postMessage({ call, method, argument: this.#innerArgument(argument) });
  }

  subscribe(subscription: number, id: string): void {
    this.#subscribed.add(subscription);
    this.#worker.ref();
    this.#worker.postMessage({ subscribe: subscription, id: this.inner(id) });
  }

  unsubscribe(subscription: number): void {
    this.#subscribed.delete(subscription);
    this.#worker.postMessage({ unsubscribe: subscription });
    this.#rest();
  }

  /** Whether it cannot answer: it failed, or an aborted call goes on behind its time. Waits for that time. */
  async isStuck(): Promise<boolean> {
    const latest = Math.max(...this.#aborted.values());
    const wait = latest + GRACE_MS - performance.now();
    if (this.#aborted.size > 0 && wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    return this.#failure !== undefined || this.#aborted.size > 0;
  }

  /** Ends the thread. Returns the calls that it did not answer. */
  async stop(): Promise<PendingCall[]> {
    const calls = [...this.#calls.values()];
    for (const call of [...this.#calls.keys()]) this.#forget(call);
    await this.#worker.terminate();
    return calls;
  }

  #abort(call: number, reason: unknown): void {
    const pending = this.#calls.get(call);
    if (pending === undefined) return;
    this.#forget(call);
    this.#aborted.set(call, performance.now());
    this.#worker.postMessage({ cancel: call });
    pending.reject(reason);
    this.#rest();
  }

  #take(message: FromEngine): void {
    if ('subscription' in message) {
      this.#notify(message.subscription, this.named(message.facts));
      return;
    }
    const { call } = message;
    const pending = this.#calls.get(call);
    if ('progress' in message) pending?.work.progress?.(message.progress);
    else if ('announced' in message) pending?.work.announce?.(message.announced);
    else {
      this.#aborted.delete(call);
      this.#forget(call);
      if ('error' in message) pending?.reject(receivedError(message.error));
      else pending?.resolve(receivedResult(message));
      this.#rest();
    }
  }

  #fail(error: unknown): void {
    this.#failure = error;
    for (const [call, { reject }] of this.#calls) {
      this.#forget(call);
      reject(error);
    }
  }

  #forget(call: number): void {
    this.#calls.delete(call);
    this.#release.get(call)?.();
    this.#release.delete(call);
  }

  /** An idle thread keeps no program running. */
  #rest(): void {
    if (this.#calls.size === 0 && this.#subscribed.size === 0) this.#worker.unref();
  }

  /** An id, or a question or request, with the thread's ids. */
  #innerArgument(argument: unknown): unknown {
    if (typeof argument === 'string') return this.inner(argument);
    if (typeof argument !== 'object' || argument === null) return argument;
    const inner = (value: unknown): unknown => (typeof value === 'string' ? this.inner(value) : value);
    const pairs: (readonly [string, unknown])[] = Object.entries(argument).map(([key, value]) => {
      if (key === 'recording' || key === 'base') return [key, inner(value)];
      return [key, (key === 'runs' || key === 'baseRuns') && Array.isArray(value) ? value.map(inner) : value];
    });
    return Object.fromEntries(pairs);
  }
}
