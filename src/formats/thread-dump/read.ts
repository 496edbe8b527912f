/**
 * Reads thread dumps of HotSpot: text of the VM, text and JSON of `Thread.dump_to_file`, and of tools
 * that ask `ThreadMXBean` or the serviceability agent.
 *
 * Format: docs/formats/thread-dump.md. Cost: one pass over the bytes; text of any size streams through a window of
 * 1 MiB, and 12 bytes a frame that is new below its caller, 56 bytes a thread of a dump and 40 a lock stay.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { encodingOf } from '../shared/encoding.js';
import type { LogKind, LogPart, LogReader } from '../shared/logs/log-kind.js';
import { isDockerLine, isJsonLine } from '../shared/logs/log-prefix.js';
import { readLog } from '../shared/read-log.js';
import { Damage } from './damage.js';
import { AGENT_HEADING } from './dialects/agent.js';
import { INFO_HEADER } from './dialects/management.js';
import { DumpBuilder } from './dump-builder.js';
import { type DumpShape, THREAD_INFO_LIST, THREAD_INFOS, TO_FILE } from './json/document.js';
import { readJson } from './json/reader.js';
import { TextReader } from './text/reader.js';

/** The heading of the VM or the serviceability agent, or the header of a thread of `ThreadInfo`, which has no heading above it. */
const HEADING = new RegExp(
  String.raw`Full thread dump .{1,300}:\s{0,5}$|${AGENT_HEADING}\s{0,5}$|${INFO_HEADER.source.replace('^', '')}`,
);

export const THREAD_DUMPS: LogKind = {
  marks: ['Full thread dump ', 'Id=', AGENT_HEADING],
  heading: (line) => line.search(HEADING),
  begin: (program) => new DumpReader(program),
};

/** Reads all intact parts. Throws `FormatError` if the input has no thread and no dump. */
export async function readThreadDump(
  source: ByteSource,
  work: Work = {},
  beside: readonly LogKind[] = [],
): Promise<Recording> {
  const shape = jsonShape(await readHead(source, SHAPE_BYTES));
  if (shape === undefined) return readLog(source, [THREAD_DUMPS, ...beside], work);
  const damage = new Damage(new ProblemLog());
  const builder = new DumpBuilder(new ProgramBuilder(), damage);
  const whole = await readJson(source, shape, { builder, damage }, work);
  if (builder.locks.dumps === 0) throw nothingRead();
  return builder.finish(source.name, damage.problems, damage.complete && whole);
}

/** Bytes of a JSON dump that show its shape. */
const SHAPE_BYTES = 1 << 12;

/** The shape of a JSON dump; undefined for a log, with JSON lines or without, and for other text. */
function jsonShape(head: Uint8Array): DumpShape | undefined {
  const { encoding } = encodingOf(head);
  const start = new TextDecoder(encoding).decode(head).trimStart();
  const infos = /"threadName"\s*:\s*"/.test(start);
  if (infos && /^\{\s*"threads"\s*:\s*\[/.test(start)) return THREAD_INFOS;
  if (infos && /^\[\s*\{\s*"[a-zA-Z]*"\s*:/.test(start) && start.includes('"stackTrace"')) return THREAD_INFO_LIST;
  return start.startsWith('{') && !isDockerLine(start) && !isJsonLine(start) ? TO_FILE : undefined;
}

class DumpReader implements LogReader {
  readonly #builder: DumpBuilder;
  readonly #damage = new Damage(new ProblemLog());
  readonly #text: TextReader;
  #end = 0;
  #ended = true;

  constructor(program: ProgramBuilder) {
    this.#builder = new DumpBuilder(program, this.#damage);
    this.#text = new TextReader(this.#builder, this.#damage);
  }

  get within(): boolean {
    return this.#text.within;
  }

  get open(): boolean {
    return this.#text.open;
  }

  line(bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean, end: number): void {
    this.#text.line(bytes, from, to, offset);
    this.#end = end;
    this.#ended = ended;
  }

  unprefixed(text: string, offset: number): void {
    this.#text.unprefixed(text, offset);
  }

  interrupted(): void {
    this.#text.interrupted();
  }

  tooLong(offset: number): void {
    this.#damage.lost('line', offset, 'a line longer than 1 MiB: it is read in pieces');
  }

  finish(name: string): LogPart {
    this.#text.end(this.#end, this.#ended);
    const found = this.#builder.locks.dumps === 0 ? 'nothing' : 'records';
    return { recording: this.#builder.finish(name, this.#damage.problems, this.#damage.complete), found };
  }

  nothing(): FormatError {
    return nothingRead();
  }
}

function nothingRead(): FormatError {
  return new FormatError({
    format: 'thread-dump',
    offset: 0,
    expected: 'threads with their stacks',
    found: 'none',
    advice: 'Pass the output of `jstack PID` or `jcmd PID Thread.print`.',
  });
}
