/** Progress of a long operation. */
export interface Progress {
  /** What is being done: `reading`, `checking`. */
  readonly phase: string;
  readonly done: number;
  /** Undefined if unknown. */
  readonly total: number | undefined;
  readonly unit: 'bytes' | 'rows';
}

/** Taken by every long operation: a signal to stop it, a function to report to, and threads if there are any. */
export interface Work {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
  readonly threads?: Threads;
}

/** Runs tasks in threads of their own. */
export interface Threads {
  /** Tasks that run at the same time. */
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
