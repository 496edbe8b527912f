/** Reads logs with records of several kinds among other lines, in one pass. */
import { withProblems } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { LogKind } from './logs/log-kind.js';
import { LogLines } from './logs/log-lines.js';
import { eachTextLine } from './text-lines.js';

const LONGEST_LINE = 1 << 20;

/**
 * Reads the records of all `kinds`. Throws the error of the first kind where there are none. A recording of one kind is
 * the same as if only that was looked for.
 */
export async function readLog(source: ByteSource, kinds: readonly LogKind[], work: Work = {}): Promise<Recording> {
  const lines = new LogLines(kinds, new ProgramBuilder());
  const damage = await eachTextLine(
    source,
    (bytes, from, to, offset, ended, end) => lines.line({ bytes, from, to, offset, ended, end }),
    {
      work,
      withoutMargin: true,
      longest: LONGEST_LINE,
      tooLong: (offset) => lines.tooLong(offset),
    },
  );
  const recording = lines.finish(source.name);
  if (recording === undefined) throw lines.nothing();
  return {
    ...recording,
    problems: damage === undefined ? recording.problems : withProblems(recording.problems, [damage]),
    complete: recording.complete && damage?.severity !== 'error',
  };
}
