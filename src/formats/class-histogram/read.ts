/**
 * Reads class histograms: `jmap -histo`, `jcmd PID GC.class_histogram`, the output of PrintClassHistogram and of
 * `-Xlog:gc+classhisto*=trace`; several in one file are its dumps.
 *
 * Format: docs/formats/class-histogram.md. Cost: about 4 µs of CPU a row, which has 24 bytes; names once.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog, type Severity } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { CLASS_EVENTS } from '../../models/events/class.js';
import type { Metric } from '../../models/profile/profile.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { LogKind, LogPart, LogReader } from '../shared/logs/log-kind.js';
import { isTimeInBrackets } from '../shared/logs/log-prefix.js';
import { readLog } from '../shared/read-log.js';
import { isImageHistogram, readImageHistogram } from './image-histogram.js';
import { type HistogramLine, histogramLine, nameAndModule } from './line.js';

/** Longer lines are not rows: a name has at most 65,535 bytes. */
const LONGEST_LINE = 1 << 18;

/** Rows without titles are a histogram if at most this many other lines precede them. */
const BEFORE_ROWS = 10;

const SPACE = 0x20;
const COLON = 0x3a;
const BEGINNINGS: ReadonlySet<number> = new Set([...'[nNT'].map((character) => character.charCodeAt(0)));

/** The titles, after several decorations of unified logging or any other text; a single decoration is a prefix. */
const HEADING =
  /(?:\[[^[\]]{0,100}\](?:\[[^[\]]{0,100}\]){1,9}(?: GC\(\d{1,9}\))? ?)?[ \t]?num\s{1,20}#instances\s{1,20}#bytes\s/i;

export const HISTOGRAMS: LogKind = {
  marks: ['#instances'],
  heading: headingAt,
  begin: (program) => new HistogramReader(program),
};

/**
 * Decorations before the titles that lack their beginning or their end, or with other text behind those that begin with the
 * time since the start of the VM. Colours of a terminal begin with a bracket, too.
 */
const DAMAGED_DECORATIONS = /classhisto|GC\(\d{1,9}\) ?$|\[(?![\d;]{0,10}m)[^\]]*$|^\[\d{1,12}[.,]\d{3}s\]\S/;

/**
 * Damaged decorations are not a prefix, since the following lines do not have them. A time before decorations is one of
 * them, also with a blank behind it.
 */
function headingAt(line: string): number {
  const at = line.search(HEADING);
  if (at > 0 && DAMAGED_DECORATIONS.test(line.slice(0, at))) return -1;
  return at > 0 && line[at] === '[' && isTimeInBrackets(line.slice(0, at)) ? 0 : at;
}

/** Reads all intact rows. Throws `FormatError` if there are none. */
export async function readClassHistogram(
  source: ByteSource,
  work?: Work,
  beside: readonly LogKind[] = [],
): Promise<Recording> {
  if (await isImageHistogram(source)) return readImageHistogram(source, work);
  return readLog(source, [HISTOGRAMS, ...beside], work);
}

/** The histogram that is being read. */
interface Open {
  readonly form: 'titled' | 'untitled' | 'bare';
  readonly modules: boolean;
  readonly logged: boolean;
  /** A colon follows the numbers of rows. */
  readonly colons: boolean;
  rows: number;
  objects: number;
  bytes: number;
  /** Number of the last row. */
  number: number;
}

class HistogramReader implements LogReader {
  readonly problems = new ProblemLog();
  readonly #program: ProgramBuilder;
  readonly #table = CLASS_EVENTS.having(['bytes']).builder();
  readonly #processes: string[] = [];
  #open: Open | undefined;
  #titled = false;
  /** There are rows with numbers, which no other kind of record has. */
  #numbered = false;
  #dumps = 0;
  #rows = 0;
  #complete = true;
  #end = 0;
  /** Lines before the first row that do not belong to a histogram. */
  #others = 0;

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  /** In a histogram of unified logging, decorations identify other lines of the log. */
  get within(): boolean {
    return this.#open?.form === 'titled' && !this.#open.logged;
  }

  get open(): boolean {
    return this.#open?.form === 'titled';
  }

  line(bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean, end: number): void {
    this.#end = end;
    if (to - from > LONGEST_LINE) this.tooLong(offset);
    else if (this.#open !== undefined || mayBegin(bytes, from, to))
      this.#line(decodeUtf8(bytes, from, to), offset, ended);
    else this.#others++;
  }

  unprefixed(_text: string, offset: number): void {
    if (this.#open !== undefined) this.#noRow(offset);
  }

  #line(text: string, offset: number, ended: boolean): void {
    const line = histogramLine(text);
    switch (line.kind) {
      case 'titles':
        this.#close(offset);
        this.#titled = true;
        this.#begin('titled', line.modules, line.logged, line.colons);
        return;
      case 'row':
        if (line.colon !== (this.#open?.colons ?? true)) this.#foreign(false, offset);
        else this.#row(line, offset, ended);
        return;
      case 'bare':
        this.#bare(line, offset);
        return;
      case 'total':
        this.#total(line, offset);
        return;
      case 'process':
        if (this.#open !== undefined && this.#open.form !== 'bare') this.#close(offset);
        if (!this.#processes.includes(line.id)) this.#processes.push(line.id);
        return;
      case 'filler':
        return;
      case 'other':
        this.#foreign(line.logged, offset);
    }
  }

  /** A line that is not of a histogram. */
  #foreign(logged: boolean, offset: number): void {
    if (this.#open === undefined) this.#others++;
    else if (!this.#open.logged || !logged) this.#noRow(offset);
  }

  #noRow(offset: number): void {
    this.#lost('class-histogram-line', 'not a row of a histogram: the line was skipped', offset);
  }

  tooLong(offset: number): void {
    this.#lost('class-histogram-line', `a line longer than ${LONGEST_LINE} bytes was skipped`, offset);
  }

  nothing(): FormatError {
    return new FormatError({
      format: 'class-histogram',
      offset: 0,
      expected: 'rows of number, instances, bytes and class',
      found: 'none',
      advice: 'Create one with `jcmd PID GC.class_histogram > FILE`.',
    });
  }

  finish(name: string): LogPart {
    this.#close(this.#end);
    const recording = {
      name,
      format: 'class-histogram',
      metadata: this.#processes.length === 0 ? [] : [{ key: 'process', value: this.#processes.join(', ') }],
      sections: [
        { name: 'histograms', entries: this.#dumps },
        { name: 'rows', entries: this.#rows },
      ],
      program: this.#program.finish(),
      profile: { stacks: new StackBuilder(0).finish(), events: [this.#table.finish()], metrics: METRICS },
      problems: this.problems.finish(),
      complete: this.#complete,
      residue: undefined,
    };
    return { recording, found: this.#rows === 0 ? 'nothing' : this.#numbered ? 'records' : 'perhaps' };
  }

  #begin(form: Open['form'], modules: boolean, logged: boolean, colons = true): Open {
    const open = { form, modules, logged, colons, rows: 0, objects: 0, bytes: 0, number: 0 };
    this.#open = open;
    return open;
  }

  #row(line: HistogramLine & { kind: 'row' }, offset: number, ended: boolean): void {
    if (!ended) {
      // The name of the last row may be cut; the missing total is reported when the histogram closes.
      if (this.#open === undefined) this.#lost('class-histogram-line', 'the last row has no line end', offset);
      return;
    }
    let open = this.#open;
    if (open === undefined || open.form === 'bare') {
      this.#close(offset);
      open = this.#begin('untitled', true, false);
      this.#problem('class-histogram-titles', 'warning', 'rows without the header line', offset);
    }
    if (line.number !== open.number + 1)
      this.#lost('class-histogram-number', `row ${line.number} follows row ${open.number}: rows are missing`, offset);
    open.number = line.number;
    this.#numbered = true;
    this.#add(open, line, offset);
  }

  /** Accepts rows without numbers only if they cannot be lines of something else. */
  #bare(line: HistogramLine & { kind: 'bare' }, offset: number): void {
    if (this.#titled || (this.#open !== undefined && this.#open.form !== 'bare')) {
      if (this.#open !== undefined) this.#noRow(offset);
      return;
    }
    if (this.#open === undefined) {
      if (this.#rows === 0 && this.#others > BEFORE_ROWS) return;
      this.#begin('bare', true, false);
      this.#problem(
        'class-histogram-bare',
        'info',
        'rows without row numbers: missing rows cannot be detected',
        offset,
      );
    }
    if (this.#open !== undefined) this.#add(this.#open, line, offset);
  }

  #add(open: Open, row: HistogramLine & { kind: 'row' | 'bare' }, offset: number): void {
    const { name, module } = open.modules ? nameAndModule(row.name) : { name: row.name, module: undefined };
    if (row.name.includes('\ufffd'))
      this.#problem('class-histogram-encoding', 'warning', `a name that is not valid UTF-8: ${row.name}`, offset);
    if (open.rows++ === 0) this.#dumps++;
    this.#rows++;
    open.objects += row.objects;
    open.bytes += row.bytes;
    const names = this.#program;
    this.#table.add({
      class: names.class(names.name(name), module === undefined ? -1 : names.name(module)),
      dump: this.#dumps - 1,
      objects: row.objects,
      bytes: row.bytes,
    });
  }

  #total(line: HistogramLine & { kind: 'total' }, offset: number): void {
    const open = this.#open;
    if (open === undefined) {
      this.#problem('class-histogram-total', 'warning', 'a total without rows', offset);
      return;
    }
    this.#open = undefined;
    if (line.objects === open.objects && line.bytes === open.bytes) return;
    const sums = `the rows have ${open.objects} objects of ${open.bytes} bytes`;
    this.#lost('class-histogram-total', `the total is ${line.objects} objects of ${line.bytes} bytes; ${sums}`, offset);
  }

  /** Ends a histogram without a total. */
  #close(offset: number): void {
    const open = this.#open;
    this.#open = undefined;
    // OpenJ9 writes no total.
    if (open === undefined || open.form === 'bare' || (!open.colons && open.rows > 0)) return;
    const what = open.rows === 0 ? 'a header without rows' : `${open.rows} rows without a total`;
    this.#lost('class-histogram-cut', `${what}: the histogram is truncated`, offset);
  }

  #lost(code: string, message: string, offset: number): void {
    this.#complete = false;
    this.#problem(code, 'error', message, offset);
  }

  #problem(code: string, severity: Severity, message: string, offset: number): void {
    this.problems.add({ code, severity, message, offset });
  }
}

const METRICS: readonly Metric[] = [
  CLASS_EVENTS.metric('bytes', { id: 'live-bytes', title: 'Bytes' }),
  CLASS_EVENTS.metric('objects', { id: 'live-objects', title: 'Objects' }),
];

/** Whether a line outside of histograms can be titles, a row, a total or a process ID, with or without decorations. */
function mayBegin(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to && bytes[at] <= SPACE) at++;
  if (at === to) return false;
  if (!isDigit(bytes[at])) return bytes[at] >= 0x80 || BEGINNINGS.has(bytes[at]);
  while (at < to && isDigit(bytes[at])) at++;
  return at < to && (bytes[at] === COLON || bytes[at] <= SPACE);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
