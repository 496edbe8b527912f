/** Threads for long work that splits: only where the machine has them, and only for modules that were made for it. */

/** Runs tasks in threads of their own. */
export interface Threads {
  /** Tasks that run at the same time. */
  readonly count: number;
  /** Bytes from which a file is worth threads; a usual number if not given. */
  readonly least?: number;
  /**
   * Runs a task by name. Argument and result are copied, but shared memory is shared. Rejects with what the task throws, or
   * the signal's reason; then its thread is gone, too.
   */
  run(task: string, argument: unknown, signal?: AbortSignal): Promise<unknown>;
}
