/**
 * Worker threads for long or hostile work: a typed layer over `tinypool`, which posts the tasks and waits for them.
 *
 * A task is a function that a module exports. It runs alone in its worker, so it may block; a task that exceeds its
 * time limit, fills its heap or is aborted ends together with its worker, and the next task gets a new one. Costs: a
 * worker starts in about 50 ms and takes about 10 MB; arguments and results are copied unless they are transferred or
 * shared.
 *
 * The memory limit is V8's: it covers the heap of objects. Typed arrays are outside of it, so code that reads hostile
 * input must still check sizes before it allocates.
 */
import { availableParallelism } from 'node:os';
import type { ResourceLimits, Transferable } from 'node:worker_threads';
import { markMovable, Tinypool } from 'tinypool';
import { KansokuError } from '../base/errors.js';

/** Why a task was ended: it took longer than its time limit, or its heap outgrew the memory limit. */
export type TaskEnd = 'time' | 'memory';

/** A task that waits for something that never comes uses no processor time: it ends after so many times its limit. */
const MOST_WAITS = 20;
/** Milliseconds between two looks at the time that was used. */
const LOOK_MS = 50;

/** A task was ended by a limit. Its worker is gone; the pool continues. */
export class TaskEndedError extends KansokuError {
  readonly end: TaskEnd;

  constructor(end: TaskEnd, task: string, limit: string) {
    super(`${task}: stopped because it exceeded ${limit}`);
    this.end = end;
  }
}

/** Returned by a task to move buffers instead of copying them; the caller gets only the value. */
export class Transfer<Value> {
  readonly value: Value;
  readonly buffers: readonly Transferable[];

  constructor(value: Value, buffers: readonly Transferable[]) {
    this.value = value;
    this.buffers = buffers;
    // How the worker finds what to move.
    Object.defineProperty(this, Tinypool.transferableSymbol, { value: buffers });
    Object.defineProperty(this, Tinypool.valueSymbol, { value });
    markMovable(this);
  }
}

/** Module of tasks: each takes one argument that can be cloned. */
type TaskOf<Tasks, Name extends keyof Tasks> = Tasks[Name] extends (argument: infer Argument) => infer Result
  ? { argument: Argument; result: Awaited<Result> extends Transfer<infer Value> ? Value : Awaited<Result> }
  : never;

export interface PoolOptions {
  /** Tasks at a time; as many as there are processors if not given. */
  readonly concurrency?: number;
  /** Megabytes of heap a worker may have; V8's own limit if not given. */
  readonly heapMegabytes?: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /**
   * Milliseconds of processor time from the moment the task is handed to a worker, an equal share of what the process used for each task that runs; a
   * task that uses none ends after `MOST_WAITS` times as long. None if not given.
   */
  readonly timeLimit?: number;
  /** Buffers of the argument that move to the worker. */
  readonly transfer?: readonly Transferable[];
}

/** Workers that run the tasks of one module: `new WorkerPool<typeof import('./tasks.js')>(new URL('./tasks.js', import.meta.url))`. */
export class WorkerPool<Tasks> {
  readonly concurrency: number;
  readonly #module: string;
  readonly #limits: ResourceLimits;
  readonly #waiting: (() => void)[] = [];
  #pool: Tinypool | undefined;
  #running = 0;

  constructor(module: URL, options: PoolOptions = {}) {
    this.concurrency = options.concurrency ?? availableParallelism();
    this.#module = module.href;
    this.#limits = options.heapMegabytes === undefined ? {} : { maxOldGenerationSizeMb: options.heapMegabytes };
  }

  /**
   * Runs a task. Rejects with `TaskEndedError` when a limit ends it, with the signal's reason when it is aborted, and
   * with what the task threw (a plain `Error`: classes are lost between threads).
   */
  async run<Name extends keyof Tasks & string>(
    name: Name,
    argument: TaskOf<Tasks, Name>['argument'],
    options: RunOptions = {},
  ): Promise<TaskOf<Tasks, Name>['result']> {
    options.signal?.throwIfAborted();
    // Tasks wait here and not in tinypool, so that the time limit begins when a worker is free.
    while (this.#running >= this.concurrency) await this.#turn(options.signal);
    this.#running++;
    try {
      options.signal?.throwIfAborted();
      return await this.#post(name, argument, options);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  /** Ends all workers; tasks that still run are rejected. */
  async close(): Promise<void> {
    await this.#pool?.destroy();
    this.#pool = undefined;
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.push(go);
    });
  }

  async #post(name: string, argument: unknown, options: RunOptions) {
    const stop = new AbortController();
    let ended: Error | undefined;
    const abort = (): void => stop.abort();
    const { timeLimit } = options;
    const stopLooking =
      timeLimit === undefined
        ? undefined
        : this.#whenSpent(timeLimit, () => {
            ended = new TaskEndedError('time', name, `${timeLimit} ms`);
            stop.abort();
          });
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      return await this.#workers().run(argument, {
        name,
        signal: stop.signal,
        transferList: options.transfer === undefined ? undefined : [...options.transfer],
      });
    } catch (error) {
      options.signal?.throwIfAborted();
      if (ended !== undefined) throw ended;
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new TaskEndedError('memory', name, heapText(this.#limits.maxOldGenerationSizeMb));
      throw error;
    } finally {
      stopLooking?.();
      options.signal?.removeEventListener('abort', abort);
    }
  }

  /** Calls `end` when a task has used its time: a busy machine, which gives it none, is no fault of the task. Returns what stops the looking. */
  #whenSpent(limit: number, end: () => void): () => void {
    const [usage, start] = [process.cpuUsage(), performance.now()];
    let timer: NodeJS.Timeout;
    const look = (): void => {
      const { user, system } = process.cpuUsage(usage);
      const share = (user + system) / 1000 / Math.max(1, this.#running);
      if (share >= limit || performance.now() - start >= MOST_WAITS * limit) end();
      else timer = setTimeout(look, Math.max(LOOK_MS, limit - share));
    };
    timer = setTimeout(look, limit);
    return () => clearTimeout(timer);
  }

  #workers(): Tinypool {
    if (this.#pool !== undefined) return this.#pool;
    // Minimum and maximum are equal: tinypool replaces a worker that was ended only up to `minThreads`.
    this.#pool = new Tinypool({
      filename: this.#module,
      minThreads: this.concurrency,
      maxThreads: this.concurrency,
      resourceLimits: this.#limits,
    });
    // A worker may fail once more while it is being ended; the task has been rejected by then.
    this.#pool.on('error', () => undefined);
    return this.#pool;
  }
}

function heapText(megabytes: number | undefined): string {
  return megabytes === undefined ? 'the default heap limit of a worker' : `${megabytes} MB of heap`;
}
