/** Problems of a thread dump, and whether something of it was lost. */
import type { ProblemLog } from '../../base/problems.js';

export class Damage {
  readonly problems: ProblemLog;
  complete = true;

  constructor(problems: ProblemLog) {
    this.problems = problems;
  }

  /** Something that the input had, or should have had, is not in the recording. */
  lost(code: string, offset: number, message: string): void {
    this.complete = false;
    this.problems.add({ code: `thread-dump-${code}`, severity: 'error', message, offset });
  }

  /** Nothing is lost, but it is worth knowing, or may mislead. */
  note(code: string, offset: number, message: string, severity: 'info' | 'warning' = 'info'): void {
    this.problems.add({ code: `thread-dump-${code}`, severity, message, offset });
  }
}

/** Text for a message: the start of a line, in quotes. */
export function quote(text: string): string {
  const start = text.trim();
  return JSON.stringify(start.length > 60 ? `${start.slice(0, 60)}…` : start);
}
