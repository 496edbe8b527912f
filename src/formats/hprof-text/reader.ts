/** Reads the lines of an HPROF text one after the other: assigns each to its record and reports bad ones. */
import { ByteBuilder, Int32Builder } from '../../base/columns/columns.js';
import type { ProblemLog, Severity } from '../../base/problems.js';
import { isLegible } from '../../base/text.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { ITEM_KINDS } from '../shared/hprof/residue.js';
import { SECTION_NAMES, type TextSection, type TextSectionKind } from '../shared/hprof/sections.js';
import { contentEnd, contentStart } from '../shared/line-start.js';
import { ascii, Cursor } from './cursor.js';
import { goesOn, PRINTED } from './cut-lines.js';
import { HeldLines } from './held-lines.js';
import { OLD_HEADING, OldRows } from './sections/cpu-old.js';
import { HeapDumpRows } from './sections/heap-dump.js';
import { MonitorDumpRows } from './sections/monitor-dump.js';
import { Prelude } from './sections/prelude.js';
import { ThreadRows, WaitRows } from './sections/threads.js';
import { isFrame, TraceRows } from './sections/traces.js';
import { DATE, isTitle, sectionBegins, sectionEnds } from './sections.js';
import { TableRows } from './tables.js';

const THREAD_START = ascii('THREAD START (');
const THREAD_END = ascii('THREAD END (');
const TRACE = ascii('TRACE ');
const WAIT = ascii('WAIT: ');
const WAITED = ascii('WAITED: ');
const SLEEP = ascii('SLEEP: ');
const QUOTE_BRACKET = ascii('")');
const TAB = 9;

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
    'call-counts': new TableRows('call-counts', this.program, this.traces),
    'monitor-time': new TableRows('monitor-time', this.program, this.traces),
  };
  readonly old = new OldRows(this.program);
  readonly sections: TextSection[] = [];
  readonly prelude = new ByteBuilder();
  /** Index into `ITEM_KINDS`, and the row within that kind. */
  readonly itemKind = new ByteBuilder();
  readonly itemRow = new Int32Builder();
  complete = true;
  /** Number of lines read. */
  understood = 0;

  readonly #prelude: Prelude;
  #place: Place = 'top';
  /** Whether frames have no indentation, which mails and logs lose; the first frame decides. */
  #bareFrames: boolean | undefined;
  /** Offset of the first line, after the byte order mark, if any. */
  #first = -1;
  readonly #line = new Cursor();
  /** The lines so far of a thread start with line feeds in its name. */
  readonly #held = new HeldLines();

  constructor(problems: ProblemLog) {
    this.problems = problems;
    this.#prelude = new Prelude(this.prelude, problems);
  }

  get #section(): TextSection | undefined {
    return this.#place === 'section' ? this.sections[this.sections.length - 1] : undefined;
  }

  /** Reads a line. `ended` is false for a last line without a line feed. */
  line(bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean): void {
    const line = this.#line;
    line.set(bytes, from, to, offset);
    if (!isLegible(bytes, from, to)) this.#illegible(line);
    if (this.#first < 0) this.#begin(line);
    if (this.#place === 'prelude' && this.#inPrelude(line)) return;
    let start = from;
    for (; to - start > PRINTED && goesOn(bytes, start + PRINTED, to); start += PRINTED) {
      const at = offset + start - from;
      this.#problem(
        'hprof-line-cut',
        'warning',
        at,
        'the agent truncated this line to 1,023 bytes, without its line feed',
      );
      this.#piece(bytes, start, start + PRINTED, at, true);
    }
    this.#piece(bytes, start, to, offset + start - from, ended);
  }

  /** Reads what the agent printed as one line. */
  #piece(bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean): void {
    if (this.#held.isOpen) {
      this.#hold(bytes, from, to, offset, ended);
      return;
    }
    this.#line.set(bytes, from, to, offset);
    if (ended) this.#take(this.#line);
    else this.#lastLine(this.#line);
  }

  /** The first line decides: a prelude, the table of cpu=old, or a file without its heading. */
  #begin(line: Cursor): void {
    this.#first = line.offset;
    if (this.#prelude.begins(line)) this.#place = 'prelude';
    else if (line.sees(OLD_HEADING)) this.#place = 'old';
  }

  /** Reads a line of the heading; returns false for other lines. */
  #inPrelude(line: Cursor): boolean {
    const taken = this.#prelude.take(line);
    if (taken !== 'more') this.#place = 'top';
    if (!this.#prelude.complete) this.complete = false;
    if (taken !== 'over') this.understood++;
    return taken !== 'over';
  }

  /** Reads the last line if it has no line feed: it is complete only if it ends as such lines do. */
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
    if (this.#place !== 'trace') return this.#top(line);
    const { at } = line;
    if (contentStart(line.bytes, at, line.end) > at) return this.#frame(line, false);
    if (this.#top(line)) return true;
    line.at = at;
    return this.#bareFrames !== false && isFrame(line) && this.#frame(line, true);
  }

  #oldLine(line: Cursor): boolean {
    if (line.atEnd) return true;
    const heading =
      line.offset === this.#first && line.sees(OLD_HEADING) && OLD_HEADING.length === line.end - line.from;
    return heading || this.old.add(line);
  }

  #frame(line: Cursor, bare: boolean): boolean {
    this.#bareFrames ??= bare;
    line.end = contentEnd(line.bytes, line.at, line.end);
    if (!this.traces.frame(line))
      this.#problem('hprof-frame', 'warning', line.offset, `not class.method(source:line): ${line.excerpt()}`);
    return true;
  }

  /** Reads a line that begins a record; returns false for other lines. */
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
    if (section.date !== '' && !DATE.test(section.date))
      this.#problem('hprof-date', 'warning', line.offset, `not a date: ${section.date.slice(0, 40)}`);
    this.#endTrace();
    this.#place = 'section';
    this.#item('section', this.sections.length);
    this.sections.push(section);
    if (section.kind === 'heap-dump') this.heaps.push(new HeapDumpRows(this.program, this.threads, this.traces));
    if (section.kind === 'monitor-dump') this.monitors.endRecord();
    return true;
  }

  #trace(line: Cursor): boolean {
    const row = this.traces.length;
    this.#endTrace();
    const begun = this.traces.begin(line);
    if (begun === undefined) return false;
    if (begun === 'twice')
      this.#problem(
        'hprof-trace-twice',
        'warning',
        line.offset,
        'an earlier trace has this number: references point to that one',
      );
    this.#place = 'trace';
    this.#item('trace', row);
    return true;
  }

  #endTrace(): void {
    if (this.#place === 'trace' && this.traces.lacksFrames) {
      const offset = this.traces.offset.values[this.traces.length - 1];
      this.complete = false;
      this.#problem('hprof-trace-empty', 'error', offset, 'a trace without frames and without the line <empty>');
    }
    if (this.#place === 'trace') this.#place = 'top';
  }

  /** Reads lines that may occur anywhere, also within a section: the agent prints them when they happen. */
  #threadOrWait(line: Cursor): boolean {
    if (line.skip(THREAD_START)) return this.#threadStart(line);
    if (line.skip(THREAD_END)) return this.#added('thread-end', this.threads.end(line));
    const how = line.skip(WAIT) ? 'wait' : line.skip(WAITED) ? 'waited' : line.skip(SLEEP) ? 'sleep' : undefined;
    if (how === undefined) return false;
    const row = this.waits.length;
    return this.#added('wait', this.waits.add(how, line) ? row : -1);
  }

  #threadStart(line: Cursor): boolean {
    if (line.endsWith(QUOTE_BRACKET) && this.#added('thread-start', this.threads.start(line))) return true;
    // A thread's name may have line feeds: the line is complete if it ends with `")`.
    this.#held.begin(line);
    return true;
  }

  /** Adds a line to a thread start. If the end is missing, only the first line was bad. */
  #hold(bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean): void {
    const held = this.#held;
    if (held.isAnother(bytes, from, to)) {
      this.#giveUp();
      this.#piece(bytes, from, to, offset, ended);
      return;
    }
    const line = this.#line;
    const waits = held.add(line, bytes, from, to, offset, ended);
    line.at = THREAD_START.length;
    if (line.endsWith(QUOTE_BRACKET) && this.#added('thread-start', this.threads.start(line))) {
      held.release();
      this.understood++;
    } else if (!waits) this.#giveUp();
  }

  /** Reports the first of the held lines, and reads the others as lines of their own. */
  #giveUp(): void {
    const [first, ...others] = this.#held.release();
    if (first === undefined) return;
    this.#line.set(first.bytes, first.from, first.to, first.offset);
    this.#unknown(this.#line);
    for (const { bytes, from, to, offset, ended } of others) this.#piece(bytes, from, to, offset, ended);
  }

  #added(kind: (typeof ITEM_KINDS)[number], row: number): boolean {
    if (row >= 0) this.#item(kind, row);
    return row >= 0;
  }

  #item(kind: (typeof ITEM_KINDS)[number], row: number): void {
    this.itemKind.push(ITEM_KINDS.indexOf(kind));
    this.itemRow.push(row);
  }

  #inSection(section: TextSection, line: Cursor): boolean {
    if (sectionEnds(line, section.kind)) {
      this.#endSection(section, this.#rowsTo(section), true);
      this.#place = 'top';
      return true;
    }
    const { at } = line;
    if (this.#detail(section, line)) return true;
    line.at = at;
    if (this.#threadOrWait(line)) return true;
    line.at = at;
    if (line.atEnd || (section.kind !== 'heap-dump' && isTitle(line))) return true;
    line.at = at;
    // Another record begins: the section's end is missing.
    const place = this.#place;
    const to = this.#rowsTo(section);
    this.#place = 'top';
    if (this.#top(line)) {
      this.#endSection(section, to, false);
      const text = `${SECTION_NAMES[section.kind]} has no end: another record begins`;
      this.#problem('hprof-section-cut', 'error', line.offset, text);
      return true;
    }
    this.#place = place;
    return false;
  }

  #detail(section: TextSection, line: Cursor): boolean {
    switch (section.kind) {
      case 'monitor-dump':
        return this.monitors.add(line, this.sections.length - 1);
      case 'heap-dump':
        return this.heaps[this.heaps.length - 1]?.add(line) === true;
      default:
        return this.tables[section.kind].add(line);
    }
  }

  /** Number of rows of a kind so far: the begin and end of sections. */
  #rows(kind: TextSectionKind): number {
    switch (kind) {
      case 'monitor-dump':
        return this.monitors.length;
      case 'heap-dump':
        return 0;
      default:
        return this.tables[kind].length;
    }
  }

  /** The end of the rows of the open section. */
  #rowsTo(section: TextSection): number {
    const heap = this.heaps[this.heaps.length - 1];
    return section.kind === 'heap-dump' ? (heap?.length ?? 0) : this.#rows(section.kind);
  }

  #endSection(section: TextSection, to: number, ended: boolean): void {
    section.to = to;
    section.ended = ended;
    if (!ended) this.complete = false;
  }

  /** After the last line. */
  finish(end: number): void {
    if (this.#held.isOpen) this.#giveUp();
    const section = this.#section;
    if (section !== undefined) {
      this.#endSection(section, this.#rowsTo(section), false);
      this.#problem('hprof-cut', 'error', end, `the file ends within ${SECTION_NAMES[section.kind]}`);
    } else if (this.#place === 'trace') {
      // A trace is followed by a record that refers to it.
      this.complete = false;
      this.#endTrace();
      this.#problem('hprof-cut', 'error', end, 'the file ends with a trace: the section that uses it is missing');
    } else if (this.#place === 'prelude' && !this.#prelude.isOver) {
      this.complete = false;
      this.#problem('hprof-cut', 'error', end, 'the file ends within its header');
    }
  }

  /** Reports names that are not UTF-8: they are shown with replacement characters and written back unchanged. */
  #illegible(line: Cursor): void {
    if (this.problems.wants('hprof-encoding')) {
      const found = `a line that is neither UTF-8 nor modified UTF-8: ${line.excerpt()}`;
      this.#problem('hprof-encoding', 'warning', line.offset, found);
    } else this.problems.count('hprof-encoding', 1);
  }

  #unknown(line: Cursor): void {
    this.complete = false;
    line.at = line.from;
    this.#endRecord(line);
    if (this.problems.wants('hprof-line')) {
      const section = this.#section;
      const where = section === undefined ? '' : ` within ${SECTION_NAMES[section.kind]}`;
      this.#problem('hprof-line', 'error', line.offset, `not a line of an HPROF text${where}: ${line.excerpt()}`);
    } else this.problems.count('hprof-line', 1);
  }

  /**
   * A line that is not indented may have been the beginning of another record: the following lines do not belong to the
   * one before.
   */
  #endRecord(line: Cursor): void {
    const first = line.bytes[line.at];
    const monitors = this.#section?.kind === 'monitor-dump';
    if (first === TAB || (first === 32 && !monitors)) return;
    this.#endTrace();
    this.monitors.endRecord();
    this.heaps[this.heaps.length - 1]?.endRecord();
  }

  #problem(code: string, severity: Severity, offset: number, message: string): void {
    this.problems.add({ code, severity, offset, message });
  }
}
