/**
 * The histogram of an image heap that GraalVM Native Image prints beside its object tree (docs/formats/class-histogram.md): objects by
 * class, without bytes. 16 bytes a row, and names once.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import { CLASS_EVENTS } from '../../models/events/class.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { binaryTypeName } from '../../models/program/names.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { eachTextLine } from '../shared/text-lines.js';

export const IMAGE_HEADING = 'Heap histogram';
export const IMAGE_TITLES = /^\s*Count Class\s*$/;
const ROW = /^\s*(\d{1,15}) +(\S.*?) ?$/s;
/** Longer lines are not rows: a name has at most 65,535 bytes. */
const LONGEST_LINE = 1 << 18;

/** Whether the first line is the heading. */
export async function isImageHistogram(source: ByteSource): Promise<boolean> {
  const head = new TextDecoder().decode(await readHead(source, 64));
  return /^Heap histogram\s*\n/.test(head);
}

/** Reads all rows. Throws `FormatError` if there are none. */
export async function readImageHistogram(source: ByteSource, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const program = new ProgramBuilder();
  const table = CLASS_EVENTS.builder();
  let complete = true;
  const lose = (code: string, message: string, offset: number): void => {
    complete = false;
    problems.add({ code, severity: 'error', message, offset });
  };
  const damage = await eachTextLine(
    source,
    (bytes, from, to, offset, ended) => {
      const text = decodeUtf8(bytes, from, Math.min(to, from + LONGEST_LINE));
      const row = ROW.exec(text);
      if (row !== null && ended) {
        const name = program.name(binaryTypeName(row[2] ?? ''));
        table.add({ class: program.class(name), dump: 0, objects: Number(row[1]) });
      } else if (row !== null) lose('class-histogram-cut', 'the last row has no line end', offset);
      else if (text.trim() !== '' && text.trim() !== IMAGE_HEADING && !IMAGE_TITLES.test(text))
        lose('class-histogram-line', 'not a row of a histogram: the line was skipped', offset);
    },
    { work, longest: LONGEST_LINE },
  );
  if (damage !== undefined) problems.add(damage);
  if (table.length === 0)
    throw new FormatError({ format: 'class-histogram', offset: 0, expected: 'rows of count and class', found: 'none' });
  return {
    name: source.name,
    format: 'class-histogram',
    metadata: [],
    sections: [
      { name: 'histograms', entries: 1 },
      { name: 'rows', entries: table.length },
    ],
    program: program.finish(),
    profile: {
      stacks: new StackBuilder(0).finish(),
      events: [table.finish()],
      metrics: [CLASS_EVENTS.metric('objects', { id: 'live-objects', title: 'Objects' })],
    },
    problems: problems.finish(),
    complete: complete && damage?.severity !== 'error',
    residue: undefined,
  };
}
