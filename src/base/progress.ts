import type { Threads } from './threads.js';

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
