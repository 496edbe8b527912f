/**
 * Finds the records of several kinds in lines of one text after the other, each kind as if the others were not there. Records of one kind
 * are numbered in their order.
 */
import { joinProblems, ProblemLog } from '../../../base/problems.js';
import { plural } from '../../../base/units.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { Recording } from '../../../models/recording.js';
import { contentEnd } from '../line-start.js';
import type { LogKind, LogPart } from './log-kind.js';
import type { RawLine } from './log-lane.js';
import { type Before, LogStream } from './log-stream.js';

/** Format of recordings with records of several kinds. */
export const LOG_FORMAT = 'jvm-log';

export class LogLines {
  readonly #streams: readonly LogStream[];
  readonly #last = new LastLines();

  /** Names and classes go to `program`. */
  constructor(kinds: readonly LogKind[], program: ProgramBuilder) {
    this.#streams = kinds.map((kind) => new LogStream(kind, kind.begin(program)));
  }

  line(raw: RawLine): void {
    for (const stream of this.#streams) stream.line(raw, this.#last.lines);
    this.#last.add(raw);
  }

  tooLong(offset: number): void {
    for (const { reader } of this.#streams) reader.tooLong(offset);
  }

  /** What was found, after the last line; undefined if there are no records. A recording of one kind is the same as if only that was looked for. */
  finish(name: string): Recording | undefined {
    for (const stream of this.#streams) stream.end();
    const recording = joined(chosen(this.#streams.map(({ reader }) => reader.finish(name))));
    if (recording === undefined) return undefined;
    const around = new ProblemLog();
    for (const stream of this.#streams) noteOthers(stream, around);
    return { ...recording, problems: joinProblems(recording.problems, around.finish()) };
  }

  /** What to throw where there are no records. */
  nothing(): Error {
    return this.#streams[0]?.reader.nothing() ?? new Error('a log is read for kinds of records');
  }
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
    const end = to - from > LONGEST_KEPT ? from : contentEnd(bytes, from, to);
    if (end === from || !mayTell(bytes[end - 1])) return;
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
