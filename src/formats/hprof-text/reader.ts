/** The lines of an HPROF text, one after the other: what each belongs to, and what is wrong with it. */
import { ByteBuilder, Float64Builder, Int32Builder } from '../../base/columns.js';
import type { ProblemLog, Severity } from '../../base/problems.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { OLD_HEADING, OldRows } from './cpu-old.js';
import { ascii, Cursor } from './cursor.js';
import { HeapDumpRows } from './heap-dump.js';
import { MonitorDumpRows } from './monitor-dump.js';
import { isTitle, SECTION_NAMES, type Section, type SectionKind, sectionBegins, sectionEnds } from './sections.js';
import { TableRows } from './tables.js';
import { ThreadRows, WaitRows } from './threads.js';
import { TraceRows } from './traces.js';

const PRELUDE = ascii('JAVA PROFILE ');
const PRELUDE_END = ascii('--------');
const THREAD_START = ascii('THREAD START (');
const THREAD_END = ascii('THREAD END (');
const TRACE = ascii('TRACE ');
const WAIT = ascii('WAIT: ');
const WAITED = ascii('WAITED: ');
const SLEEP = ascii('SLEEP: ');
const QUOTE_BRACKET = ascii('")');
const TAB = 9;
const LINE_FEED = 10;

/** What the JVMTI agent prints in one piece: a longer piece is cut there, without its line feed. */
const PRINTED = 1023;
/** A thread name with line feeds: lines and bytes that are waited for its end. */
const NAME_LINES = 64;
const NAME_BYTES = 4096;
/** The prelude is kept as it is, up to this many bytes. */
const LARGEST_PRELUDE = 1 << 20;

/** What stood in the file, in its order: for writing it back. */
export const ITEM_KINDS = ['thread-start', 'thread-end', 'wait', 'trace', 'section'] as const;

type Place = 'prelude' | 'top' | 'trace' | 'section' | 'old';

export class HprofLines {
  readonly problems: ProblemLog;
  readonly program = new ProgramBuilder();
  readonly threads = new ThreadRows(this.program);
  readonly waits = new WaitRows(this.program, this.threads);
  readonly traces = new TraceRows(this.program, this.threads);
  readonly monitors = new MonitorDumpRows(this.program, this.threads, this.traces);
  readonly heaps: HeapDumpRows[] = [];
  readonly tables = {
    sites: new TableRows('sites', this.program, this.traces),
    'cpu-samples': new TableRows('cpu-samples', this.program, this.traces),
    'cpu-time': new TableRows('cpu-time', this.program, this.traces),
    'monitor-time': new TableRows('monitor-time', this.program, this.traces),
  };
  readonly old = new OldRows(this.program);
  readonly sections: Section[] = [];
  readonly prelude = new ByteBuilder();
  /** Index into `ITEM_KINDS`, and the row of that kind. */
  readonly itemKind = new ByteBuilder();
  readonly itemRow = new Int32Builder();
  /** Row of `sections` for each monitor dump. */
  readonly snapshots = new Float64Builder();
  complete = true;
  /** Lines that were understood. */
  understood = 0;

  #place: Place = 'top';
  #begun = false;
  #preludeEnded = false;
  #snapshotCount = 0;
  readonly #line = new Cursor();
  /** The lines so far of a thread start whose name goes on in the next line. */
  readonly #held = new ByteBuilder(256);
  #heldAt = 0;
  #heldLines = 0;

  constructor(problems: ProblemLog) {
    this.problems = problems;
  }

  get #section(): Section | undefined {
    return this.#place === 'section' ? this.sections[this.sections.length - 1] : undefined;
  }

  /** Takes a line. `ended` is false for a last line without a line feed. */
  line(bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean): void {
    if (this.#heldLines > 0) {
      this.#hold(bytes, from, to, offset, ended);
      return;
    }
    const line = this.#line;
    line.set(bytes, from, to, offset);
    if (!this.#begun) this.#begin(line);
    if (this.#place === 'prelude') {
      this.#preludeLine(line);
      return;
    }
    if (to - from > PRINTED && this.#goesOn(bytes, from + PRINTED, to)) {
      this.#problem(
        'hprof-line-cut',
        'warning',
        offset,
        'the agent cut this line at 1,023 bytes, without its line feed',
      );
      this.line(bytes, from, from + PRINTED, offset, true);
      this.line(bytes, from + PRINTED, to, offset + PRINTED, ended);
      return;
    }
    if (ended) this.#take(line);
    else this.#lastLine(line);
  }

  /** The first line decides: a prelude, the table of cpu=old, or a file without its heading. */
  #begin(line: Cursor): void {
    this.#begun = true;
    if (line.sees(PRELUDE)) this.#place = 'prelude';
    else if (line.sees(OLD_HEADING)) this.#place = 'old';
    else if (line.at < line.end && line.bytes[line.at] === 0xef) this.#place = 'top';
  }

  #preludeLine(line: Cursor): void {
    if (this.#preludeEnded) {
      // The heading ends with an empty line.
      this.#place = 'top';
      if (!line.atEnd) {
        this.#take(line);
        return;
      }
    } else if (line.sees(PRELUDE_END)) this.#preludeEnded = true;
    else if (line.sees(ascii('THREAD START (obj=')) || /^TRACE \d+:/.test(line.excerpt())) {
      this.#problem('hprof-prelude', 'warning', line.offset, 'the heading has no line -------- at its end');
      this.#place = 'top';
      this.#take(line);
      return;
    }
    if (this.prelude.length + (line.end - line.from) > LARGEST_PRELUDE) {
      this.#problem('hprof-prelude', 'error', line.offset, 'the heading has no end: no line -------- within 1 MiB');
      this.#place = 'top';
      return;
    }
    this.prelude.append(line.bytes, line.from, line.end);
    this.prelude.push(LINE_FEED);
    this.understood++;
  }

  /** Whether what begins at `at` could be the next line of the file. */
  #goesOn(bytes: Uint8Array, at: number, to: number): boolean {
    if (bytes[at] === TAB) return true;
    const text = new TextDecoder('latin1').decode(bytes.subarray(at, Math.min(to, at + 32)));
    return /^(?:TRACE \d+:|THREAD (?:START|END) \(|[A-Z ()ms]+ (?:BEGIN|END)| *\d+ +-?\d+\.\d\d% )/.test(text);
  }

  /** The last line, without a line feed: whole only where it ends as such lines do. */
  #lastLine(line: Cursor): void {
    const section = this.#section;
    const last = line.bytes[line.end - 1];
    const whole = section === undefined ? last === 41 || last === 58 : sectionEnds(line, section.kind);
    if (whole) {
      this.#take(line);
      return;
    }
    this.complete = false;
    const found = `the file ends within a line: ${line.excerpt()}`;
    this.#problem('hprof-cut', 'error', line.offset, found);
  }

  #take(line: Cursor): void {
    if (this.#taken(line)) this.understood++;
    else this.#unknown(line);
  }

  #taken(line: Cursor): boolean {
    if (this.#place === 'old') return this.#oldLine(line);
    const section = this.#section;
    if (section !== undefined) return this.#inSection(section, line);
    if (line.atEnd) return true;
    const first = line.bytes[line.at];
    if (this.#place === 'trace' && (first === TAB || first === 32)) return this.#frame(line);
    return this.#top(line);
  }

  #oldLine(line: Cursor): boolean {
    return line.atEnd || (line.sees(OLD_HEADING) && this.old.length === 0) || this.old.add(line);
  }

  #frame(line: Cursor): boolean {
    if (!this.traces.frame(line))
      this.#problem('hprof-frame', 'warning', line.offset, `not class.method(source:line): ${line.excerpt()}`);
    return true;
  }

  /** A line that begins a record. False where it is none. */
  #top(line: Cursor): boolean {
    const { at } = line;
    if (line.skip(TRACE) && this.#trace(line)) return true;
    line.at = at;
    if (this.#threadOrWait(line)) {
      this.#endTrace();
      return true;
    }
    line.at = at;
    const section = sectionBegins(line, this.sections[this.sections.length - 1], (kind) => this.#rows(kind));
    if (section === undefined) return false;
    this.#endTrace();
    this.#place = 'section';
    this.#item('section', this.sections.length);
    this.sections.push(section);
    if (section.kind === 'heap-dump') this.heaps.push(new HeapDumpRows(this.program, this.threads, this.traces));
    if (section.kind === 'monitor-dump') {
      this.#snapshotCount = this.snapshots.push(this.sections.length - 1) + 1;
    }
    return true;
  }

  #trace(line: Cursor): boolean {
    const row = this.traces.length;
    this.#endTrace();
    const begun = this.traces.begin(line);
    if (begun === undefined) return false;
    if (begun === 'twice')
      this.#problem('hprof-trace-twice', 'warning', line.offset, 'another trace has this number: it is the one meant');
    this.#place = 'trace';
    this.#item('trace', row);
    return true;
  }

  #endTrace(): void {
    if (this.#place === 'trace' && this.traces.lacksFrames) {
      const offset = this.traces.offset.values[this.traces.length - 1];
      this.#problem('hprof-trace-empty', 'error', offset, 'a trace without frames, and without <empty>');
    }
    if (this.#place === 'trace') this.#place = 'top';
  }

  /** Lines that may stand anywhere, also within a section: the agent prints them when they happen. */
  #threadOrWait(line: Cursor): boolean {
    const { at } = line;
    if (line.skip(THREAD_START)) return this.#threadStart(line, at);
    if (line.skip(THREAD_END)) return this.#added('thread-end', this.threads.end(line));
    const how = line.skip(WAIT) ? 'wait' : line.skip(WAITED) ? 'waited' : line.skip(SLEEP) ? 'sleep' : undefined;
    if (how === undefined) return false;
    const row = this.waits.length;
    return this.#added('wait', this.waits.add(how, line) ? row : -1);
  }

  #threadStart(line: Cursor, at: number): boolean {
    if (line.endsWith(QUOTE_BRACKET)) return this.#added('thread-start', this.threads.start(line));
    // A thread's name may hold line feeds: the line is whole where `")` ends it.
    this.#heldAt = line.offset;
    this.#heldLines = 1;
    this.#held.length = 0;
    this.#held.append(line.bytes, at, line.end);
    return true;
  }

  /** A further line of a thread start. Where the end does not come, the first line alone was bad. */
  #hold(bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean): void {
    const held = this.#held;
    const starts = new TextDecoder('latin1').decode(bytes.subarray(from, Math.min(to, from + 14)));
    const next = /^(?:THREAD (?:START|END)|TRACE \d)/.test(starts);
    if (!next) {
      held.push(LINE_FEED);
      held.append(bytes, from, to);
      this.#heldLines++;
      const line = this.#line;
      line.set(held.bytes, 0, held.length, this.#heldAt);
      line.at = THREAD_START.length;
      if (line.endsWith(QUOTE_BRACKET) && this.#added('thread-start', this.threads.start(line))) {
        this.#heldLines = 0;
        this.understood++;
        return;
      }
    }
    if (!next && ended && this.#heldLines < NAME_LINES && held.length < NAME_BYTES) return;
    this.#giveUp();
    if (next) this.line(bytes, from, to, offset, ended);
  }

  #giveUp(): void {
    this.#heldLines = 0;
    this.complete = false;
    const found = `a thread start without its end ")": ${new TextDecoder().decode(this.#held.bytes.subarray(0, Math.min(60, this.#held.length)))}`;
    this.#problem('hprof-line', 'error', this.#heldAt, found);
  }

  #added(kind: (typeof ITEM_KINDS)[number], row: number): boolean {
    if (row >= 0) this.#item(kind, row);
    return row >= 0;
  }

  #item(kind: (typeof ITEM_KINDS)[number], row: number): void {
    this.itemKind.push(ITEM_KINDS.indexOf(kind));
    this.itemRow.push(row);
  }

  #inSection(section: Section, line: Cursor): boolean {
    if (sectionEnds(line, section.kind)) {
      this.#endSection(section, true);
      return true;
    }
    const { at } = line;
    if (this.#detail(section, line)) return true;
    line.at = at;
    if (this.#threadOrWait(line)) return true;
    line.at = at;
    if (line.atEnd || (section.kind !== 'heap-dump' && isTitle(line))) return true;
    line.at = at;
    // Something else begins: the section's end is missing.
    const place = this.#place;
    this.#place = 'top';
    if (this.#top(line)) {
      this.#endSection(section, false);
      const text = `${SECTION_NAMES[section.kind]} has no end: something else begins`;
      this.#problem('hprof-section-cut', 'error', line.offset, text);
      return true;
    }
    this.#place = place;
    return false;
  }

  #detail(section: Section, line: Cursor): boolean {
    switch (section.kind) {
      case 'monitor-dump':
        return this.monitors.add(line, this.#snapshotCount - 1);
      case 'heap-dump':
        return this.heaps[this.heaps.length - 1]?.add(line) === true;
      default:
        return this.tables[section.kind].add(line);
    }
  }

  /** Rows of a kind so far: where a section begins and ends. */
  #rows(kind: SectionKind): number {
    switch (kind) {
      case 'monitor-dump':
        return this.monitors.length;
      case 'heap-dump':
        return 0;
      default:
        return this.tables[kind].length;
    }
  }

  #endSection(section: Section, ended: boolean): void {
    const heap = this.heaps[this.heaps.length - 1];
    section.to = section.kind === 'heap-dump' ? (heap?.length ?? 0) : this.#rows(section.kind);
    section.ended = ended;
    if (!ended) this.complete = false;
    if (this.#place === 'section') this.#place = 'top';
  }

  /** After the last line. */
  finish(end: number): void {
    if (this.#heldLines > 0) this.#giveUp();
    const section = this.#section;
    if (section !== undefined) {
      this.#endSection(section, false);
      this.#problem('hprof-cut', 'error', end, `the file ends within ${SECTION_NAMES[section.kind]}`);
    } else if (this.#place === 'trace') {
      // Traces are written for what comes behind them.
      this.complete = false;
      this.#endTrace();
      this.#problem('hprof-cut', 'error', end, 'the file ends with a trace: what it was written for is missing');
    } else if (this.#place === 'prelude' && !this.#preludeEnded) {
      this.complete = false;
      this.#problem('hprof-cut', 'error', end, 'the file ends within its heading');
    }
  }

  #unknown(line: Cursor): void {
    this.complete = false;
    if (this.problems.wants('hprof-line')) {
      const section = this.#section;
      const where = section === undefined ? '' : ` within ${SECTION_NAMES[section.kind]}`;
      this.#problem('hprof-line', 'error', line.offset, `not a line of an HPROF text${where}: ${line.excerpt()}`);
    } else this.problems.count('hprof-line', 1);
  }

  #problem(code: string, severity: Severity, offset: number, message: string): void {
    this.problems.add({ code, severity, offset, message });
  }
}
