/** Progress of a long operation. */
export interface Progress {
  /** What is being done: `reading`, `checking`. */
  readonly phase: string;
  readonly done: number;
  /** Undefined if unknown. */
  readonly total: number | undefined;
  readonly unit: 'bytes' | 'rows';
}

/** Taken by every long operation: a signal to stop it and a function to report to. */
export interface Work {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
}
