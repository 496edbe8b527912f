/** What long work says about itself while it runs. */
export interface Progress {
  /** What is being done: `reading`, `checking`. */
  readonly phase: string;
  readonly done: number;
  /** Where it is known. */
  readonly total: number | undefined;
  readonly unit: 'bytes' | 'rows';
}

/** What every long operation takes: a way to be stopped and a way to report. */
export interface Work {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
}
