/** Problems of a thread dump, and whether data was lost. */
import type { ProblemLog } from '../../base/problems.js';

/** Codes of lines that may have been about locks. */
const OF_LOCKS: ReadonlySet<string> = new Set(['lock', 'line', 'orphan', 'json']);

export class Damage {
  readonly problems: ProblemLog;
  complete = true;
  /** Threads, and lines of threads, that could not be read: they may have been about locks. */
  readonly unread = { threads: 0, lines: 0 };

  constructor(problems: ProblemLog) {
    this.problems = problems;
  }

  /** Reports that something in the input, or missing from it, is not in the recording. */
  lost(code: string, offset: number, message: string): void {
    this.complete = false;
    if (OF_LOCKS.has(code)) this.unread.lines++;
    if (code === 'thread') this.lostThread();
    this.problems.add({ code: `thread-dump-${code}`, severity: 'error', message, offset });
  }

  /** Counts a thread of which nothing could be read. */
  lostThread(): void {
    this.unread.threads++;
  }

  /** Reports something that is not a loss, but useful to know or misleading. */
  note(code: string, offset: number, message: string, severity: 'info' | 'warning' = 'info'): void {
    this.problems.add({ code: `thread-dump-${code}`, severity, message, offset });
  }
}

/** Text for a message: the start of a line, in quotes. */
export function quote(text: string): string {
  const start = text.trim();
  return JSON.stringify(start.length > 60 ? `${start.slice(0, 60)}…` : start);
}
