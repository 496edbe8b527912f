/** Reads logs with records of several kinds among other lines, in one pass. */
import { joinProblems, ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { encodingOf } from './encoding.js';
import { eachLogEntry, isLogArray } from './logs/log-array.js';
import type { LogKind } from './logs/log-kind.js';
import { LogLines } from './logs/log-lines.js';
import { eachTextLine, type TextVisitor } from './text-lines.js';

const LONGEST_LINE = 1 << 20;
/** Bytes that show whether a log is a JSON array. */
const ARRAY_BYTES = 1 << 12;

/**
 * Reads the records of all `kinds`. Throws the error of the first kind where there are none. A recording of one kind is
 * the same as if only that was looked for.
 */
export async function readLog(source: ByteSource, kinds: readonly LogKind[], work: Work = {}): Promise<Recording> {
  const lines = new LogLines(kinds, new ProgramBuilder());
  const visit: TextVisitor = (bytes, from, to, offset, ended, end) =>
    lines.line({ bytes, from, to, offset, ended, end });
  const around = await eachLine(source, visit, (offset) => lines.tooLong(offset), work);
  const recording = lines.finish(source.name);
  if (recording === undefined) throw lines.nothing();
  return {
    ...recording,
    problems: joinProblems(recording.problems, around.problems.finish()),
    complete: recording.complete && around.whole,
  };
}

interface Around {
  readonly problems: ProblemLog;
  /** Nothing of the log was lost before its lines were known. */
  readonly whole: boolean;
}

/** The lines of a log: of its text, or the entries of a JSON array. */
async function eachLine(
  source: ByteSource,
  visit: TextVisitor,
  tooLong: (offset: number) => void,
  work: Work,
): Promise<Around> {
  const head = await readHead(source, ARRAY_BYTES);
  const encoding = encodingOf(head);
  if (isLogArray(new TextDecoder(encoding.encoding).decode(head)))
    return eachLogEntry(
      source,
      encoding,
      (bytes, start, stop, offset, end) => visit(bytes, start, stop, offset, true, end, 0),
      work,
    );
  const problems = new ProblemLog();
  const damage = await eachTextLine(source, visit, { work, withoutMargin: true, longest: LONGEST_LINE, tooLong });
  if (damage !== undefined) problems.add(damage);
  return { problems, whole: damage?.severity !== 'error' };
}
