/**
 * Reads HPROF text, written by `-Xrunhprof` and `-agentlib:hprof` of JDK 1.2 to 8 (`java.hprof.txt`), of Sun, IBM and
 * others, and the table of `cpu=old`.
 *
 * Format: docs/formats/hprof-text.md. One pass over the lines; only names are kept of the text. Cost: 20 to 27 ns of
 * CPU a byte; memory of the columns: 49 bytes an object of a heap dump, 9 a reference, 40 to 64 a row of a table.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { eachTextLine } from '../shared/text-lines.js';
import { toRecording } from './model.js';
import { HprofLines } from './reader.js';

/** Longer lines are not read: the agents print parts of lines of at most 2 KiB. */
const LONGEST_LINE = 16 << 20;

/** Reads all intact parts. Throws `FormatError` only if no line belongs to an HPROF text. */
export async function readHprofText(source: ByteSource, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const lines = new HprofLines(problems);
  let end = 0;
  const damage = await eachTextLine(
    source,
    (bytes, from, to, offset, ended, after) => {
      end = after;
      lines.line(bytes, from, to, offset, ended);
    },
    {
      work,
      withoutMargin: true,
      longest: LONGEST_LINE,
      tooLong: (offset) =>
        problems.add({ code: 'hprof-line', severity: 'error', offset, message: 'a line of more than 16 MiB' }),
    },
  );
  lines.finish(end);
  if (damage !== undefined) problems.add(damage);
  if (lines.understood === 0) throw nothingRead(problems);
  return toRecording(source.name, lines, damage?.severity !== 'error');
}

function nothingRead(problems: ProblemLog): FormatError {
  const first = problems.finish().list[0];
  return new FormatError({
    format: 'hprof-text',
    offset: first?.offset ?? 0,
    expected: 'the header JAVA PROFILE, or a record such as TRACE or SITES',
    found: first?.message ?? 'an empty file',
    advice: '-Xrunhprof and -agentlib:hprof write HPROF text with format=a (java.hprof.txt).',
  });
}
