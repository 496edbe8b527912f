/** Exit codes, one meaning each; docs/commands.md lists them. */
import { DamagedError, FormatError, KansokuError, UnreadableError, UsageError } from '../base/errors.js';
import { errorLines } from './render/spelling.js';

export const EXIT = { done: 0, no: 1, usage: 2, unreadable: 3, partial: 4, failed: 70, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
/** One of these, or what a program gave that Kansoku ran. */
export type ExitStatus = number;

/** The exit code and text of an error. Unknown errors are faults of Kansoku: they keep their stack. */
export function explain(error: unknown): { code: ExitCode; text: string } {
  if (error instanceof KansokuError) {
    return { code: codeOf(error), text: `kansoku: ${errorLines(error).join('\n')}` };
  }
  if (error instanceof Error && error.name === 'AbortError')
    return { code: EXIT.interrupted, text: 'kansoku: interrupted' };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: EXIT.failed, text: `kansoku: internal error; please report it with this text:\n${stack}` };
}

function codeOf(error: KansokuError): ExitCode {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof DamagedError) return EXIT.partial;
  return error instanceof UnreadableError || error instanceof FormatError ? EXIT.unreadable : EXIT.failed;
}
