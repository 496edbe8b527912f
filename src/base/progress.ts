/** Progress of a long operation. */
export interface Progress {
  /** What is being done: `reading`, `checking`. */
  readonly phase: string;
  readonly done: number;
  /** Undefined if unknown. */
  readonly total: number | undefined;
  readonly unit: 'bytes' | 'rows' | 'files';
}

/** Taken by every long operation: a signal to stop it, a function to report to, and threads if there are any. */
export interface Work {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
  readonly threads?: Threads;
}

/** Calls back when input, signals and timers had their turn: at once where the system can, since a timer takes a millisecond. */
const later: (then: () => void) => void =
  typeof setImmediate === 'function' ? (then) => void setImmediate(then) : (then) => void setTimeout(then, 0);

/** Reports the rows that are done, and lets others run: signals reach a long computation only here. Throws the signal's reason. */
export async function pause(work: Work, phase: string, done: number, total: number): Promise<void> {
  work.progress?.({ phase, done, total, unit: 'rows' });
  await new Promise<void>(later);
  work.signal?.throwIfAborted();
}

/**
 * A long computation in parts: yields the rows that are done, about each millisecond, and returns its value. It runs to its end at once
 * (`atOnce`), or lets others run in between (`withPauses`).
 */
export type Steps<Value> = Generator<number, Value, undefined>;

export function atOnce<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Milliseconds between two pauses: an interruption is noticed within them. */
const PAUSE_MS = 20;

/** Runs a computation of `total` rows with pauses. Throws the signal's reason. */
export async function withPauses<Value>(steps: Steps<Value>, work: Work, phase: string, total: number): Promise<Value> {
  for (let paused = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - paused < PAUSE_MS) continue;
    await pause(work, phase, value, total);
    paused = performance.now();
  }
}

/** Simple steps between two pauses: less than a tenth of a second. */
export const STEPS_A_PAUSE = 1 << 20;

/** Runs tasks in threads of their own. */
export interface Threads {
  /** Tasks that run at the same time, one of them in the thread that asks. */
  readonly count: number;
  /** Bytes from which a file is worth threads; a usual number if not given. */
  readonly least?: number;
  /** Starts the threads, so that the first tasks need not wait for them. */
  prepare(): void;
  /**
   * Runs a task by name. Argument and result are copied, but shared memory is shared. Rejects with what the task throws, or
   * the signal's reason; then its thread is gone, too.
   */
  run(task: string, argument: unknown, signal?: AbortSignal): Promise<unknown>;
}
