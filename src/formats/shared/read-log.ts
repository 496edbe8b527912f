/**
 * Reads logs with records of several kinds among other lines, in one pass: each kind as if the others were not there.
 * Records of one kind are numbered in their order.
 */
import { joinProblems, ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { plural } from '../../base/units.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { encodingOf } from './encoding.js';
import { eachLogEntry, isLogArray } from './logs/log-array.js';
import type { LogKind, LogPart } from './logs/log-kind.js';
import type { RawLine } from './logs/log-lane.js';
import { type Before, LogStream } from './logs/log-stream.js';
import { eachTextLine, type TextVisitor } from './text-lines.js';

/** Format of recordings with records of several kinds. */
export const LOG_FORMAT = 'jvm-log';

const LONGEST_LINE = 1 << 20;
/** Bytes that show whether a log is a JSON array. */
const ARRAY_BYTES = 1 << 12;

/**
 * Reads the records of all `kinds`. Throws the error of the first kind where there are none. A recording of one kind is
 * the same as if only that was looked for.
 */
export async function readLog(source: ByteSource, kinds: readonly LogKind[], work: Work = {}): Promise<Recording> {
  const program = new ProgramBuilder();
  const streams = kinds.map((kind) => new LogStream(kind, kind.begin(program)));
  const last = new LastLines();
  const visit: TextVisitor = (bytes, from, to, offset, ended, end) => {
    const raw = { bytes, from, to, offset, ended, end };
    for (const stream of streams) stream.line(raw, last.lines);
    last.add(raw);
  };
  const tooLong = (offset: number): void => {
    for (const { reader } of streams) reader.tooLong(offset);
  };
  const around = await eachLine(source, visit, tooLong, work);
  for (const stream of streams) stream.end();
  const parts = streams.map(({ reader }) => reader.finish(source.name));
  const recording = joined(chosen(parts));
  if (recording === undefined) throw (streams[0] ?? noKinds()).reader.nothing();
  for (const stream of streams) noteOthers(stream, around.problems);
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

function noKinds(): Error {
  return new Error('a log is read for kinds of records');
}

function noteOthers({ others, firstOther }: LogStream, problems: ProblemLog): void {
  if (others === 0) return;
  const message = `${plural(others, 'line')} of other output among those of dumps; skipped`;
  problems.add({ code: 'log-other-output', severity: 'info', offset: firstOther, message });
}

/** The recordings that count: those with records, else what is perhaps one; beside them parts in which all was lost. */
function chosen(parts: readonly LogPart[]): Recording[] {
  const wanted = parts.some(({ found }) => found === 'records') ? 'records' : 'perhaps';
  const found = parts.filter((part) => part.found === wanted);
  if (found.length === 0) return [];
  const lost = parts.filter((part) => part.found === 'nothing' && !part.recording.complete);
  return [...found, ...lost].map(({ recording }) => recording);
}

/** One recording of several whose ids are of one program, in the state in which the last one has it. */
function joined(parts: readonly Recording[]): Recording | undefined {
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0) return first;
  const profiles = parts.flatMap(({ profile }) => profile ?? []);
  const [main] = profiles.toSorted((a, b) => b.stacks.length - a.stacks.length);
  const locks = parts.find((part) => part.locks !== undefined)?.locks;
  const metadata = new Map(
    parts.flatMap((part) => part.metadata.map((entry) => [`${entry.key} ${entry.value}`, entry])),
  );
  const held = parts.filter(({ sections }) => sections.some(({ entries }) => entries > 0));
  return {
    ...first,
    format: held.length > 1 ? LOG_FORMAT : first.format,
    metadata: [...metadata.values()],
    sections: held.flatMap(({ sections }) => sections),
    program: parts.at(-1)?.program ?? first.program,
    ...(main && {
      profile: {
        ...main,
        events: profiles.flatMap(({ events }) => events.filter(({ length }) => length > 0)),
        metrics: profiles.flatMap(({ metrics }) => metrics),
      },
    }),
    ...(locks && { locks }),
    ...(held.length > 1 && { dumpsByKind: true }),
    problems: parts.map(({ problems }) => problems).reduce(joinProblems),
    complete: parts.every(({ complete }) => complete),
  };
}

/** Lines this far before a heading may have its time and process; other lines may be between. */
const NEAR = 8;
/** Bytes of the longest of them, with wrapping and prefix. */
const LONGEST_KEPT = 1024;

/** The last lines that may have a time or a process. */
class LastLines {
  #kept: { readonly line: RawLine; readonly number: number }[] = [];
  #number = 0;

  add(raw: RawLine): void {
    const number = this.#number++;
    const { bytes, from, to } = raw;
    if (to === from || to - from > LONGEST_KEPT || !mayTell(bytes[to - 1])) return;
    const line = { ...raw, bytes: bytes.slice(from, to), from: 0, to: to - from };
    if (this.#kept.length === NEAR) this.#kept.shift();
    this.#kept.push({ line, number });
  }

  readonly lines: Before = () =>
    this.#kept.filter(({ number }) => number >= this.#number - NEAR).map(({ line }) => line);
}

/** Whether a line with this last byte may be a time, a process number with a colon, or either in docker's JSON. */
function mayTell(last: number): boolean {
  return (last >= 0x30 && last <= 0x3a) || last === 0x7d;
}
