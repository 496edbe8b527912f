/**
 * A second implementation of the HPROF text reader: regular expressions over whole lines, by the grammar of
 * spec/hprof.md §1, as simple as possible. It shares no code with the reader.
 *
 * In a damaged file, each line that fits the grammar where it is counts. Any other line that is not indented ends its
 * record: the following lines may belong to the record that it began.
 */
import { type Breach, type ContentSection, type ContentTrace, frameText, type HprofTruth } from './hprof-content.js';
import { HeapTruth, MonitorTruth } from './hprof-truth-dumps.js';
import {
  BARE_FRAME,
  DATE,
  END,
  FRAME,
  GOES_ON,
  HEADINGS,
  latin1,
  OLD_HEADING,
  OLD_ROW,
  ORDER,
  PRINTED,
  pattern,
  ROW,
  SITE_ROW,
  START,
  TITLE,
  TRACE,
  typed,
  WAIT,
} from './hprof-truth-grammar.js';
import { finishTables } from './hprof-truth-tables.js';

interface Line {
  readonly text: string;
  readonly offset: number;
  readonly ended: boolean;
}

export function hprofTruth(bytes: Uint8Array): HprofTruth {
  const naive = new NaiveReader(latin1(bytes));
  naive.read();
  return naive.truth;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    lines.push({
      text: feed < 0 ? text.slice(at) : text.slice(at, end).replace(/\r$/, ''),
      offset: at,
      ended: feed >= 0,
    });
    at = end + 1;
  }
  return lines;
}

class NaiveReader {
  #bare: boolean | undefined;
  readonly truth: HprofTruth = {
    prelude: '',
    items: [],
    threads: [],
    waits: [],
    traces: [],
    sections: [],
    old: [],
    dangling: [],
    breaches: [],
    jvmti: false,
    rowOffsets: [],
  };
  readonly #text: string;
  readonly #lines: Line[];
  readonly #threads: { number: string; name: string; started: number; ended: number }[] = [];
  readonly #used = new Set<number>();
  /** By trace: how many threads were known before it. */
  readonly #threadsBefore: number[] = [];
  #trace: { trace: ContentTrace; offset: number; lines: number } | undefined;
  #section: ContentSection | undefined;
  #heap = new HeapTruth();
  #monitors = new MonitorTruth();

  constructor(text: string) {
    this.#text = text;
    this.#lines = linesOf(text);
  }

  #breach(kind: Breach['kind'], offset: number, why: string): void {
    this.truth.breaches.push({ kind, offset, why });
  }

  read(): void {
    const { truth } = this;
    const first = this.#lines[0]?.text ?? '';
    if (first.startsWith(OLD_HEADING)) this.#readOld();
    else {
      const from = first.startsWith('JAVA PROFILE ') ? this.#readPrelude() : 0;
      this.#cutLongLines(from);
      for (let i = from; i < this.#lines.length; i++) i += this.#take(i);
      if (this.#section !== undefined) this.#breach('cut', this.#text.length, 'no end of the section');
      else if (this.#trace !== undefined) this.#breach('cut', this.#text.length, 'a trace is the last record');
      this.#endTrace();
    }
    for (const { number, name, started, ended } of this.#threads)
      truth.threads.push(`${number} ${name} ${started} ${ended}`);
    truth.threads.sort();
    this.#close();
    finishTables(
      this.truth,
      this.#used,
      this.truth.traces.map((trace, i) => this.#mayBeMain(trace, i)),
    );
  }

  /** Whether a trace may be of the main thread: its thread has no other known name. */
  #mayBeMain({ thread }: ContentTrace, i: number): boolean {
    const ofNumber = ({ number }: { readonly number: string }): boolean => number === String(thread);
    const before = this.#threads.slice(0, this.#threadsBefore[i]);
    const of = before.findLast(ofNumber) ?? this.#threads.find(ofNumber);
    return of === undefined || of.name === '' || /^main\|[^|]*\|\d+$/.test(of.name);
  }

  #readOld(): void {
    this.#lines.forEach(({ text, offset, ended }, i) => {
      const row = OLD_ROW.exec(text);
      if (row !== null && ended)
        this.truth.old.push(`${Number(row[1])} ${typed(row[2])} ${typed(row[3])} ${Number(row[4])}`);
      else if (!ended) this.#breach('cut', offset, 'the file ends within a line');
      else if (text !== '' && (text !== OLD_HEADING || i > 0)) this.#breach('line', offset, text);
    });
  }

  /** Index of the first line after the prelude. */
  #readPrelude(): number {
    const first = this.#lines[0]?.text ?? '';
    if (!/^JAVA PROFILE 1\.0(?:\.\d)?, created ./.test(first)) this.#breach('contradiction', 0, 'a damaged first line');
    const isEnd = ({ text }: Line): boolean => text.startsWith('--------');
    const isRecord = ({ text }: Line): boolean =>
      /^THREAD START \(obj=|^TRACE \d+:/.test(text) || HEADINGS.some((heading) => heading.test(text));
    let end = this.#lines.findIndex((line) => isEnd(line) || isRecord(line));
    if (end < 0) {
      end = this.#lines.length;
      this.#breach('cut', this.#text.length, 'no end of the prelude');
    } else if (this.#lines.slice(end, end + 1).some(isEnd)) end++;
    else this.#breach('contradiction', this.#lines[end]?.offset ?? 0, 'no line of dashes');
    // The line of dashes is followed by an empty one.
    if (this.#lines.slice(end - 1, end).some(isEnd) && this.#lines[end]?.text === '') end++;
    const kept = this.#lines.slice(0, end);
    this.truth.prelude = kept.map(({ text }) => `${text}\n`).join('');
    return end;
  }

  #cutLongLines(from: number): void {
    for (let i = from; i < this.#lines.length; i++) {
      const { text, offset, ended } = this.#lines[i] ?? { text: '', offset: 0, ended: true };
      if (text.length <= PRINTED || !GOES_ON.test(text.slice(PRINTED))) continue;
      this.#breach('contradiction', offset, 'a line cut at 1,023 bytes');
      const parts = [
        { text: text.slice(0, PRINTED), offset, ended: true },
        { text: text.slice(PRINTED), offset: offset + PRINTED, ended },
      ];
      this.#lines.splice(i, 1, ...parts);
    }
  }

  /** Reads a line; returns how many further lines belong to it. */
  #take(i: number): number {
    const line = this.#lines[i] ?? { text: '', offset: 0, ended: true };
    const { text, offset, ended } = line;
    const section = this.#section;
    const whole = ended || (section === undefined ? /[):]$/.test(text) : this.#isEnd(section, text));
    if (!whole) {
      this.#breach('cut', offset, 'the file ends within a line');
      return 0;
    }
    if (section !== undefined && this.#inSection(section, line)) return 0;
    if (text === '') return 0;
    if (text.startsWith('THREAD START (')) {
      const more = this.#threadStart(i);
      if (more !== undefined) return more;
    } else if (this.#threadEndOrWait(line) || this.#frame(line) || this.#traceOrHeading(line)) return 0;
    this.#breach('line', offset, text);
    this.#unknown(text);
    return 0;
  }

  /** A line that is not indented may have been the beginning of another record. */
  #unknown(text: string): void {
    if (/^[\t ]/.test(text) && this.#section?.named !== 'MONITOR DUMP') return;
    if (text.startsWith('\t')) return;
    this.#endTrace();
    this.#heap.end();
    this.#monitors.end();
  }

  #threadStart(i: number): number | undefined {
    let text = '';
    for (let more = 0; more < 64 && text.length < 4096; more++) {
      const line = this.#lines[i + more];
      if (line === undefined || (more > 0 && /^(?:THREAD (?:START|END)|TRACE \d)/.test(line.text))) return undefined;
      text += more > 0 ? `\n${line.text}` : line.text;
      const match = START.exec(text);
      if (match !== null && !/THREAD START \(obj=/.test(match[3] ?? '')) {
        const [, object = '', number = '', name, group] = match;
        const started = this.#lines[i]?.offset ?? -1;
        this.#threads.push({
          number: String(Number(number)),
          name: `${name}|${group}|${Number(`0x${object}`)}`,
          started,
          ended: -1,
        });
        this.#item('thread-start');
        return more;
      }
    }
    return undefined;
  }

  #item(kind: string): void {
    if (kind !== 'trace') this.#endTrace();
    this.truth.items.push(kind);
  }

  #threadEndOrWait({ text, offset }: Line): boolean {
    const end = END.exec(text);
    if (end !== null) {
      const number = String(Number(end[1]));
      let thread = this.#threads.findLast((one) => one.number === number);
      if (thread === undefined) {
        thread = { number, name: '', started: -1, ended: -1 };
        this.#threads.push(thread);
      }
      thread.ended = offset;
      this.#item('thread-end');
      return true;
    }
    const wait = WAIT.exec(text);
    if (wait === null || (wait[1] ?? 'SLEEP') === (wait[3] === 'timeout' ? 'WAITED' : 'WAIT')) return false;
    const how = (wait[1] ?? wait[4] ?? '').toLowerCase();
    this.truth.waits.push(`${how} ${wait[2] ?? ''} ${Number(wait[5])} ${Number(wait[6] ?? -1)} ${offset}`);
    this.#item('wait');
    return true;
  }

  #endTrace(): void {
    if (this.#trace !== undefined && this.#trace.lines === 0)
      this.#breach('line', this.#trace.offset, 'a trace without frames and without the line <empty>');
    this.#trace = undefined;
  }

  #frame({ text: whole, offset }: Line): boolean {
    const text = whole.replace(/[ \t\r]+$/, '');
    const open = this.#trace;
    if (open === undefined || this.#section !== undefined) return false;
    const indented = /^[\t ]/.test(whole);
    if (!indented && (this.#bare === false || !BARE_FRAME.test(text))) return false;
    this.#bare ??= !indented;
    open.lines++;
    if (/^[\t ]*<empty>$/.test(text)) return true;
    const [, declaring = '', method = '', source = '', line = ''] = FRAME.exec(indented ? text : ` ${text}`) ?? [];
    const file = source === '<Unknown Source>' || source === '<Unknown>' ? '' : source;
    const number = /^\d+$/.test(line) ? Number(line) : 0;
    if (declaring === '' || number >= 2 ** 31) {
      this.#breach('contradiction', offset, `no frame: ${text}`);
      open.trace.frames.push(undefined);
    } else open.trace.frames.push(frameText(declaring, method, file, /^\d+$/.test(line) ? String(number) : line));
    return true;
  }

  #traceOrHeading({ text, offset }: Line): boolean {
    const trace = TRACE.exec(text);
    if (trace !== null && this.#section === undefined) {
      this.#endTrace();
      const serial = Number(trace[1]);
      const made = { serial, thread: Number(trace[2] ?? -1), phase: trace[3] ?? '', cut: false, frames: [] };
      if (this.truth.traces.some((one) => one.serial === serial))
        this.#breach('contradiction', offset, 'a trace twice');
      this.truth.traces.push(made);
      this.#threadsBefore.push(this.#threads.length);
      this.#trace = { trace: made, offset, lines: 0 };
      this.#item('trace');
      return true;
    }
    const heading = HEADINGS.map((one) => one.exec(text)).find((match) => match !== null);
    if (heading === undefined) return false;
    this.#begin(heading, offset);
    return true;
  }

  #begin(heading: RegExpExecArray, offset: number): void {
    const { sections } = this.truth;
    this.#item('section');
    const [, named = '', first = ''] = heading;
    const date = named === 'MONITOR DUMP' ? '' : (heading.at(-1) ?? '').replace(/^ +| +$/g, '');
    if (!pattern(DATE).test(date)) this.#breach('contradiction', offset, `a date: ${date}`);
    const before = sections.at(-1);
    const again = before !== undefined && ORDER.indexOf(named) <= ORDER.indexOf(before.kind);
    this.#section = {
      named,
      kind: named,
      dump: before === undefined ? 0 : before.dump + (again ? 1 : 0),
      offset,
      total: /^-?\d+$/.test(first) ? Number(first) : NaN,
      bytes: named === 'HEAP DUMP' ? Number(heading[3]) : NaN,
      orderedBy: first === 'allocated' ? first : 'live',
      date,
      ended: false,
      rows: [],
      lines: [],
    };
    sections.push(this.#section);
    this.truth.rowOffsets.push([]);
    if (named === 'HEAP DUMP') this.#heap = new HeapTruth();
    if (named === 'MONITOR DUMP') this.#monitors = new MonitorTruth();
  }

  #isEnd({ named }: ContentSection, text: string): boolean {
    const others = named === 'CPU TIME (ms)' ? ['CPU TIMES END', 'CPU TIME END'] : [];
    return text === `${named} END` || others.includes(text);
  }

  /** Whether the line belongs to the section; ends a section without an end line. */
  #inSection(section: ContentSection, line: Line): boolean {
    const { text, offset } = line;
    if (this.#isEnd(section, text)) {
      section.ended = true;
      this.#close();
      return true;
    }
    if (text === '' || this.#detail(section, line)) return true;
    if (section.named !== 'HEAP DUMP' && TITLE.test(text)) return true;
    const other = TRACE.test(text) || HEADINGS.some((heading) => heading.test(text));
    if (other) {
      this.#breach('line', offset, 'something else begins in a section');
      this.#close();
    }
    return false;
  }

  #detail(section: ContentSection, { text, offset }: Line): boolean {
    if (section.named === 'HEAP DUMP') return this.#heap.take(text, (serial) => this.#used.add(serial));
    if (section.named === 'MONITOR DUMP') return this.#monitors.take(text, (serial) => this.#used.add(serial));
    const match = (section.named === 'SITES' ? SITE_ROW : ROW).exec(text);
    if (match === null) return false;
    const [rank = 0, share = 0, accumulated = 0, ...rest] = match
      .slice(1, -1)
      .map((text) => Number(text.replace(',', '.')));
    const hundredths = (percent: number): number =>
      Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), Math.round(percent * 100)));
    const trace = rest.pop() ?? -1;
    this.#used.add(trace);
    section.rows.push({
      rank,
      share: hundredths(share),
      accumulated: hundredths(accumulated),
      numbers: rest,
      own: -1,
      trace,
      name: match.at(-1) ?? '',
      leaf: '',
      thread: -1,
    });
    this.truth.rowOffsets.at(-1)?.push(offset);
    return true;
  }

  #close(): void {
    const section = this.#section;
    if (section?.named === 'HEAP DUMP') section.lines.push(...this.#heap.lines());
    if (section?.named === 'MONITOR DUMP') section.lines.push(...this.#monitors.lines());
    if (section?.named === 'HEAP DUMP' && this.#heap.twice)
      this.#breach('contradiction', section.offset, 'an object twice');
    this.#section = undefined;
  }
}
