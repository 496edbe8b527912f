/**
 * Computes derived data once: the values of stages by stage, subjects and parameters.
 *
 * Questions that need one value at one time share one run of its stage; a run ends when no question waits for it.
 * Values stay until they take more than `keep` bytes together; the least recently used are evicted first, and
 * recomputed when needed. Those of a snapshot that a newer one followed go when its last question ends (`during`). A stage that announces more than `most` bytes is rejected by name, unless its value is on disk.
 */
import { TooLargeError } from '../base/errors.js';
import type { Progress, Threads, Work } from '../base/progress.js';
import { formatBytes } from '../base/units.js';
import type { Cost, Get, StageUse, Subject } from '../models/open-recording.js';
import type { StageStore } from '../models/stage-store.js';
import { type SnapshotId, SnapshotsInUse, snapshotsOf } from './snapshots-in-use.js';

export interface DerivedOptions {
  /** Bytes of values to keep. */
  readonly keep?: number;
  /** Most bytes that a stage and the missing stages that it needs may take together; asked for before each run. */
  readonly most?: number | (() => number);
  /** Stores values for later processes. */
  readonly store?: StageStore;
  /** For stages that split their work. */
  readonly threads?: Threads;
}

const KEEP = 1 << 30;

/** Bytes that an entry takes besides its value, at least: its key, promise and sets. An entry whose value takes none is evicted, too. */
export const ENTRY_BYTES = 1 << 10;

/** A value, or the run that computes it. */
interface Entry {
  readonly snapshots: readonly SnapshotId[];
  readonly promise: Promise<unknown>;
  readonly controller: AbortController;
  readonly listeners: Set<(progress: Progress) => void>;
  waiting: number;
  /** Size of the entry with its finished value; undefined while it is computed. */
  bytes: number | undefined;
}

export class Derived {
  readonly #keep: number;
  readonly #most: () => number;
  readonly #store: StageStore | undefined;
  readonly #threads: Threads | undefined;
  /** By key; the least recently used comes first. */
  readonly #entries = new Map<string, Entry>();
  readonly #inUse = new SnapshotsInUse();
  #bytes = 0;
  /** Ends when all values so far are stored. */
  #saving: Promise<void> = Promise.resolve();

  constructor({ keep = KEEP, most = Number.POSITIVE_INFINITY, store, threads }: DerivedOptions = {}) {
    this.#keep = keep;
    this.#most = typeof most === 'function' ? most : () => most;
    this.#store = store;
    this.#threads = threads;
  }

  /** Bytes of all values that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The value: the kept one, that of a current run, or a new one. Throws `TooLargeError`, and errors of the stage. */
  get<Value>(use: StageUse<Value>, work: Work = {}): Promise<Value> {
    return this.#get(use, work, []);
  }

  /** Cost of the missing values, each stage once. */
  cost(uses: readonly StageUse<unknown>[]): Cost {
    const missing = new Map<string, StageUse<unknown>>();
    const pending = [...uses];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (missing.has(next.key) || this.#entries.get(next.key)?.bytes !== undefined) continue;
      missing.set(next.key, next);
      pending.push(...next.needs());
    }
    const costs = [...missing.values()].map((use) => use.cost());
    const instead = costs.find((one) => one.instead !== undefined)?.instead;
    return {
      bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0),
      seconds: costs.reduce((sum, { seconds = 0 }) => sum + seconds, 0),
      ...(instead !== undefined && { instead }),
    };
  }

  /**
   * Runs a question about these snapshots, whose values stay as long as it runs. The values of older snapshots that no question uses are
   * dropped.
   */
  async during<Value>(subjects: readonly Pick<Subject, 'source' | 'snapshot'>[], question: () => Promise<Value>) {
    const snapshots = snapshotsOf(subjects);
    if (this.#inUse.begin(snapshots)) this.#dropUnused();
    try {
      return await question();
    } finally {
      if (this.#inUse.end(snapshots)) this.#dropUnused();
    }
  }

  /** Drops all values of a recording and ends the runs that make them. */
  forget(source: string): void {
    this.#inUse.forget(source);
    for (const [key, entry] of this.#entries) {
      if (entry.snapshots.every((each) => each.source !== source)) continue;
      entry.controller.abort();
      this.#drop(key, entry);
    }
  }

  /** Runs go on: those who wait for them get their values, which are dropped then. */
  #dropUnused(): void {
    for (const [key, entry] of this.#entries)
      if (entry.bytes !== undefined && !this.#isInUse(entry)) this.#drop(key, entry);
  }

  #isInUse({ snapshots }: Entry): boolean {
    return snapshots.every((each) => this.#inUse.needs(each));
  }

  async #get<Value>(use: StageUse<Value>, work: Work, above: readonly string[]): Promise<Value> {
    work.signal?.throwIfAborted();
    if (above.includes(use.key)) throw new Error(`the stage ${use.stage} depends on itself`);
    let entry = this.#entries.get(use.key);
    if (entry === undefined) {
      work.progress?.({ phase: use.stage, done: 0, total: undefined, unit: 'rows' });
      entry = this.#start(use, above);
    }
    // The last entry of the map is the most recently used.
    this.#entries.delete(use.key);
    this.#entries.set(use.key, entry);
    // The key names the stage and everything its value depends on, so the value has this stage's type.
    return (await this.#wait(use.key, entry, work)) as Value;
  }

  #start(use: StageUse<unknown>, above: readonly string[]): Entry {
    const controller = new AbortController();
    const listeners = new Set<(progress: Progress) => void>();
    const work: Work = {
      signal: controller.signal,
      ...(this.#threads && { threads: this.#threads }),
      progress: (progress) => {
        for (const listen of listeners) listen(progress);
      },
    };
    const entry: Entry = {
      snapshots: snapshotsOf(use.of),
      promise: this.#run(use, work, [...above, use.key]),
      controller,
      listeners,
      waiting: 0,
      bytes: undefined,
    };
    entry.promise.then(
      (value) => (use.passing ? this.#drop(use.key, entry) : this.#finish(use.key, entry, use.bytes(value))),
      () => this.#drop(use.key, entry),
    );
    return entry;
  }

  #refuse(use: StageUse<unknown>): void {
    const { bytes, instead } = this.cost([use]);
    const most = this.#most();
    if (bytes <= most) return;
    const names = use.of.map(({ snapshot }) => snapshot.recording.name).join(', ');
    throw new TooLargeError(
      `${use.stage} of ${names} needs about ${formatBytes(bytes)} of memory; the limit is ${formatBytes(most)}`,
      {
        code: 'memory-limit',
        advice: instead ?? 'Select a smaller part of the recording, or use a machine with more memory.',
      },
    );
  }

  async #run(use: StageUse<unknown>, work: Work, path: readonly string[]): Promise<unknown> {
    const { kept: storage } = use;
    if (storage === undefined || this.#store === undefined) return this.#make(use, work, path);
    const storedValue = await this.#store.load(storage.key, storage.columns, work);
    if (storedValue !== undefined) return storedValue;
    const value = await this.#make(use, work, path);
    this.#save(this.#store, storage, value, work);
    return value;
  }

  /** Keeps a value while whatever needs it goes on. */
  #save(
    store: StageStore,
    { key, columns }: NonNullable<StageUse<unknown>['kept']>,
    value: unknown,
    { signal, threads }: Work,
  ): void {
    const work = { ...(signal && { signal }), ...(threads && { threads }) };
    // One after the other, so that one thread is enough.
    this.#saving = this.#saving
      .then(() => store.save(key, columns, value, work))
      // Only if it is aborted: the recording is closed, and nobody waits for its values.
      .catch(() => undefined);
  }

  /** Ends when all values that are being stored are. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  async #make(use: StageUse<unknown>, work: Work, path: readonly string[]): Promise<unknown> {
    this.#refuse(use);
    const needs = new Set(use.needs().map(({ key }) => key));
    const get: Get = (other) => {
      if (!needs.has(other.key))
        throw new Error(`the stage ${use.stage} does not declare its dependency ${other.stage}`);
      return this.#get(other, work, path);
    };
    return await use.run(get, work);
  }

  #finish(key: string, entry: Entry, bytes: number): void {
    if (this.#entries.get(key) !== entry) return;
    entry.bytes = bytes + ENTRY_BYTES;
    this.#bytes += entry.bytes;
    if (this.#isInUse(entry)) this.#evict();
    else this.#drop(key, entry);
  }

  /** Waits for the value as long as `work` is not stopped; the last one to leave stops the run. */
  async #wait(key: string, entry: Entry, { signal, progress }: Work): Promise<unknown> {
    entry.waiting++;
    if (progress !== undefined) entry.listeners.add(progress);
    let stop = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([entry.promise, stopped]);
    } finally {
      signal?.removeEventListener('abort', stop);
      if (progress !== undefined) entry.listeners.delete(progress);
      entry.waiting--;
      if (entry.waiting === 0 && entry.bytes === undefined) {
        entry.controller.abort();
        this.#drop(key, entry);
      }
    }
  }

  #drop(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes ?? 0;
  }

  #evict(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.#keep) return;
      if (entry.bytes !== undefined) this.#drop(key, entry);
    }
  }
}
