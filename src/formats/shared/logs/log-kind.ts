/**
 * Kinds of records in logs: thread dumps, class histograms. A log may have several kinds; `log-lines.ts` finds them in
 * one pass, each as if the others were not there.
 */
import type { FormatError } from '../../../base/errors.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { Recording } from '../../../models/recording.js';
import { criStart, dockerLine, isDockerLine, isJsonLine, isPrefix, jsonLine } from './log-prefix.js';

export interface LogKind {
  /** ASCII of which each heading of a record has one. Only the first is looked for within an open record, too. */
  readonly marks: readonly string[];
  /** Start of the heading in a line, after any prefix; -1 if the line is not a heading. */
  readonly heading: (line: string) => number;
  /** A reader of the records; names and classes go to `program`, which all readers of a log share. */
  readonly begin: (program: ProgramBuilder) => LogReader;
}

/** Reads the records of one kind. Lines come in UTF-8, without the prefix of the log; offsets are those of the file. */
export interface LogReader {
  /** Whether a line that does not belong to the record would be reported now. */
  readonly within: boolean;
  /** Whether the last line is in an unfinished record. */
  readonly open: boolean;
  line(bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean, end: number): void;
  /** A line without the prefix of its record, and not certainly of another: damage, or the program's own. */
  unprefixed(text: string, offset: number): void;
  /** A line of the log stands behind the last line: what follows may be of that. */
  interrupted?(): void;
  tooLong(offset: number): void;
  finish(name: string): LogPart;
  /** What to throw where nothing was found. */
  nothing(): FormatError;
}

/** What a log has of one kind. At most one kind has stacks. */
export interface LogPart {
  readonly recording: Recording;
  readonly found: 'records' | 'nothing' | /** Only where nothing else is found. */ 'perhaps';
}

/** How the lines of a record are wrapped and prefixed. */
export interface HeadingPlace {
  readonly wrapping: 'docker' | 'cri' | 'json' | undefined;
  readonly stream: string;
  /** Empty if the heading begins the line. */
  readonly prefix: string;
  /** The line without wrapping and prefix. */
  readonly content: string;
}

/** Wrapping and prefix of the heading in a line; undefined if the line is not a heading, or is prose. */
export function headingPlace(line: string, { marks, heading }: LogKind): HeadingPlace | undefined {
  if (!marks.some((mark) => line.includes(mark))) return undefined;
  let content = line;
  let wrapping: HeadingPlace['wrapping'];
  let stream = '';
  const cri = criStart(line);
  if (cri !== undefined) {
    ({ stream } = cri);
    wrapping = 'cri';
    content = line.slice(cri.length);
  } else if (isDockerLine(line)) {
    const wrapped = dockerLine(line);
    if (wrapped === undefined || wrapped.partial) return undefined;
    ({ stream, text: content } = wrapped);
    wrapping = 'docker';
  } else if (isJsonLine(line)) {
    const wrapped = jsonLine(line);
    if (wrapped === undefined) return undefined;
    ({ stream } = wrapped);
    content = wrapped.text.split(/\r?\n/).find((text) => heading(text) >= 0) ?? '';
    wrapping = 'json';
  }
  const at = heading(content);
  const prefix = content.slice(0, Math.max(0, at));
  if (at < 0 || (at > 0 && !isPrefix(prefix))) return undefined;
  return { wrapping, stream, prefix, content: content.slice(at) };
}
