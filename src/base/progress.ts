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
