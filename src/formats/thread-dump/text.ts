/**
 * Reads the text of thread dumps line by line: of the VM (one or many in a log, with other lines around and between)
 * and of `Thread.dump_to_file`. docs/formats/thread-dump.md describes both.
 *
 * A thread begins with its header and ends with an empty line; the lines between belong to it. A foreign line there
 * does not end the thread: it may be a log line of the program.
 */
import { decodeUtf8 } from '../../base/text.js';
import { type Damage, quote } from './damage.js';
import { DeadlockSection } from './deadlock-section.js';
import { type DumpBuilder, type DumpHeading, isState, NO_HEADING } from './dump-builder.js';
import { fileHeader, LONGEST_HEADER, NO_FIELDS, type ThreadHeader, vmHeader } from './header.js';
import { lockLine } from './lock-line.js';
import { ThreadList } from './thread-list.js';

const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const DASH = 0x2d;
const LOWER_A = 0x61;
const LOWER_T = 0x74;

const HEADING = /^Full thread dump (.{1,300}):$/;
const LOCAL_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/;
const FILE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const PROCESS = /^(\d{1,10}):?$/;
const STATE = '   java.lang.Thread.State: ';
const MOUNTED = /^ {3}Mounted virtual thread #(\d{1,15})$/;
const CARRYING = /^ {3}(Carrying virtual thread #\d{1,15})$/;
/** The VM's lines about its compiler threads. */
const WORK = /^ {3}(?:No compile task|Compiling: )/;

/** Most lines of a header with line feeds in its name: each further line is parsed with all before it. */
const MOST_LINES = 64;

/** In a dump of the VM: threads, then deadlocks. In one of `dump_to_file`: threads only. */
type Dump = 'none' | 'vm' | 'fragment' | 'file';

export class TextReader {
  readonly #builder: DumpBuilder;
  readonly #damage: Damage;
  readonly #deadlocks: DeadlockSection;
  readonly #list: ThreadList;
  #dump: Dump = 'none';
  /** The list of its threads has ended. */
  #ended = false;
  /** A header with a name that continues in the next line. */
  #pending: { text: string; offset: number; lines: number } | undefined;
  /** The preceding lines, which have a dump's time and process. */
  #previous = '';
  #beforePrevious = '';
  /** The next frames and locks belong to a thread with an unreadable header. */
  #orphan = false;
  /** An empty line ended the thread: only its synchronizers may follow. */
  #rested = false;
  /** `Locked ownable synchronizers` was the last heading. */
  #owned = false;
  #awaitsVersion = false;

  constructor(builder: DumpBuilder, damage: Damage) {
    this.#builder = builder;
    this.#damage = damage;
    this.#deadlocks = new DeadlockSection(builder, damage);
    this.#list = new ThreadList(damage);
  }

  /** Whether a line that does not belong to a dump would be reported, or taken for a part of one. */
  get within(): boolean {
    if (this.#dump === 'none' || this.#ended) return this.#deadlocks.open;
    return this.#pending !== undefined || (this.#builder.open !== undefined && (!this.#rested || this.#owned));
  }

  /** Inside a dump of the VM, before its end. */
  get open(): boolean {
    return (this.#dump === 'vm' && !this.#ended) || this.#deadlocks.open;
  }

  line(bytes: Uint8Array, from: number, to: number, offset: number): void {
    if (this.#pending === undefined && bytes[from] === TAB && this.#below(bytes, from + 1, to, offset)) return;
    // Outside of dumps no line of interest begins with a blank, but thousands of rows of histograms do.
    if (bytes[from] === SPACE && from < to && (this.#dump === 'none' || this.#ended) && !this.#deadlocks.open) {
      this.#beforePrevious = this.#previous;
      this.#previous = ' ';
      return;
    }
    const text = from === to ? '' : decodeUtf8(bytes, from, to);
    if (this.#pending !== undefined) {
      if (this.#goesOn(text)) return;
      if (bytes[from] === TAB && this.#below(bytes, from + 1, to, offset)) return;
    }
    if (text === '') this.#blank();
    else if (bytes[from] === SPACE && this.#indented(bytes, from, to, text, offset)) {
      // Taken.
    } else if (bytes[from] === QUOTE && this.#header(text, offset)) {
      // Taken.
    } else if (bytes[from] === HASH && this.#header(text, offset)) {
      // Taken.
    } else this.#other(text, offset);
    this.#beforePrevious = this.#previous;
    this.#previous = text;
  }

  /** A line without the prefix of the dump: it belongs to other output, or is damaged. */
  unprefixed(text: string, offset: number): void {
    if (this.#dump !== 'none' && !this.#ended) this.#strange(text, offset);
  }

  /** Reads a line after its tab: a frame or a lock. */
  #below(bytes: Uint8Array, from: number, to: number, offset: number): boolean {
    if (this.#dump === 'none' || this.#ended || this.#deadlocks.open) return false;
    if (bytes[from] === LOWER_A && bytes[from + 1] === LOWER_T && bytes[from + 2] === SPACE) {
      this.#frame(bytes, from + 3, to, offset);
      return true;
    }
    if (bytes[from] !== DASH || bytes[from + 1] !== SPACE) return false;
    this.#lock(decodeUtf8(bytes, from + 2, to), offset);
    return true;
  }

  #frame(bytes: Uint8Array, from: number, to: number, offset: number): void {
    if (!this.#hasThread(offset)) return;
    if (this.#owned || !this.#builder.frame(bytes, from, to))
      this.#damage.lost('frame', offset, `${quote(decodeUtf8(bytes, from, to))} is not a stack frame`);
  }

  #lock(text: string, offset: number): void {
    if (!this.#hasThread(offset)) return;
    const line = lockLine(text);
    const fits = line === undefined || line === 'none' || (line.verb === 'owns') === this.#owned;
    if (line === undefined || !fits) this.#damage.lost('lock', offset, `${quote(text)} is not a lock line`);
    else if (line !== 'none') this.#builder.open?.locks.push(line);
  }

  /** Whether a thread is open; if not, the line is lost, which is reported once a thread. */
  #hasThread(offset: number): boolean {
    if (this.#builder.open !== undefined && (this.#owned || !this.#rested)) return true;
    if (!this.#orphan) this.#damage.lost('orphan', offset, 'a frame or lock outside a thread');
    this.#orphan = true;
    return false;
  }

  #blank(): void {
    // A thread has one list of synchronizers: a second one belongs to a thread whose other lines were lost.
    if (this.#dump === 'file' || this.#owned) this.#builder.endThread();
    this.#owned = false;
    this.#orphan = false;
    this.#awaitsVersion = false;
    this.#rested = true;
  }

  /** Reads lines of a thread that begin with blanks; returns false for other lines. */
  #indented(bytes: Uint8Array, from: number, to: number, text: string, offset: number): boolean {
    if (this.#dump === 'none' || this.#ended || this.#deadlocks.open) return false;
    if (this.#dump === 'file') return this.#ofFile(bytes, from, to, text, offset);
    if (text.startsWith(STATE)) {
      this.#state(text.slice(STATE.length).trimEnd(), offset);
      return true;
    }
    if (text === '   Locked ownable synchronizers:') {
      this.#owned = true;
      this.#builder.locks.has('synchronizers');
      return true;
    }
    const carrying = CARRYING.exec(text);
    const mounted = MOUNTED.exec(text);
    if (carrying === null && mounted === null) return WORK.test(text);
    const open = this.#hasThread(offset) ? this.#builder.open : undefined;
    if (open !== undefined && carrying !== null) open.status = carrying[1];
    else if (open !== undefined && mounted !== null) this.#mounted(Number(mounted[1]), offset);
    return true;
  }

  #state(status: string, offset: number): void {
    const open = this.#builder.open;
    if (open === undefined || this.#rested || open.status !== undefined || open.frames.length > 0) {
      if (!this.#orphan) this.#damage.lost('orphan', offset, 'a state outside a thread');
      this.#builder.endThread();
      this.#orphan = true;
    } else if (isState(status)) open.status = status;
    else this.#damage.lost('state', offset, `${quote(status)} is not a thread state`);
  }

  /** The following frames are those of the virtual thread mounted on this one; its name is not in the dump. */
  #mounted(number: number, offset: number): void {
    if (this.#builder.beginThread({ ...NO_FIELDS, number, virtual: 1, words: 'mounted' })) return;
    this.#damage.lost('orphan', offset, 'a virtual thread on a second carrier');
    this.#orphan = true;
  }

  /** Four blanks and `at` or `-`; JDK 21 writes six blanks and the frame. */
  #ofFile(bytes: Uint8Array, from: number, to: number, text: string, offset: number): boolean {
    if (text.startsWith('    at ')) this.#frame(bytes, from + 7, to, offset);
    else if (text.startsWith('    - ')) this.#lock(text.slice(6), offset);
    else if (text.startsWith('      ')) this.#frame(bytes, from + 6, to, offset);
    else return false;
    return true;
  }

  /** Reads a header, or the start of one; returns false if the line cannot be one. */
  #header(text: string, offset: number): boolean {
    // Some log lines look like headers of `dump_to_file`; its own dumps begin with a heading.
    if (this.#deadlocks.open || (text.startsWith('#') && this.#dump !== 'file')) return false;
    const header = text.startsWith('#') ? fileHeader(text) : vmHeader(text);
    if (header !== undefined) {
      this.#start(header, offset);
      return true;
    }
    const starts = text.startsWith('#') ? /^#\d{1,15} "/.test(text) : this.#dump !== 'none';
    if (!starts || this.#ended || this.#previous !== '') return false;
    this.#pending = { text, offset, lines: 1 };
    return true;
  }

  /** Adds a line to an unfinished header; returns false if the line shows that it was not a header. */
  #goesOn(text: string): boolean {
    const pending = this.#pending;
    if (pending === undefined) return false;
    const joined = `${pending.text}\n${text}`;
    const header = joined.startsWith('#') ? fileHeader(joined) : vmHeader(joined);
    if (header !== undefined) {
      this.#pending = undefined;
      this.#start(header, pending.offset);
      this.#previous = text;
      return true;
    }
    const ends = text === '' || text.startsWith(STATE) || /^(?:\tat |\t- | {4}at | {6}\S)/.test(text);
    const lines = pending.lines + 1;
    if (!ends && joined.length < LONGEST_HEADER && lines < MOST_LINES) {
      this.#pending = { text: joined, offset: pending.offset, lines };
      return true;
    }
    this.#noHeader(pending.text, pending.offset);
    return false;
  }

  #noHeader(text: string, offset: number): void {
    this.#pending = undefined;
    this.#builder.endThread();
    this.#orphan = true;
    this.#damage.lost('header', offset, `${quote(text)} is not a thread header`);
  }

  #start(header: ThreadHeader, offset: number): void {
    this.#orphan = false;
    this.#owned = false;
    this.#rested = false;
    if (this.#dump === 'none' || this.#ended) {
      this.#damage.note('heading', offset, 'threads without a dump header before them');
      this.#begin('fragment', NO_HEADING, offset);
    }
    if (this.#builder.beginThread(header)) {
      this.#list.has(header.address);
      return;
    }
    this.#damage.lost('heading', offset, 'a thread occurs a second time: a dump header is missing before it');
    this.#begin(this.#dump === 'file' ? 'file' : 'fragment', NO_HEADING, offset);
    this.#builder.beginThread(header);
  }

  #begin(dump: Exclude<Dump, 'none'>, heading: DumpHeading, offset: number): void {
    this.#endDump(offset, 'the next one begins');
    this.#dump = dump;
    this.#ended = false;
    this.#builder.beginDump(dump, heading, offset);
  }

  /** `by`: the reason why its last line is missing. */
  #endDump(offset: number, by: string): void {
    this.#builder.endThread();
    if (this.#dump === 'vm' && !this.#ended)
      this.#damage.lost('cut', offset, `dump ${this.#builder.locks.dumps} ends early: ${by} before its last line`);
    this.#deadlocks.end(offset);
    this.#list.end(offset);
  }

  /** Reads any other line: headings and ends of dumps, and other output. */
  #other(text: string, offset: number): void {
    const heading = HEADING.exec(text);
    if (heading !== null) this.#heading(heading[1] ?? '', offset);
    else if (FILE_TIME.test(text) && PROCESS.test(this.#previous)) this.#fileHeading(text, offset);
    else if (this.#awaitsVersion) {
      this.#awaitsVersion = false;
      this.#builder.describe('version', text);
    } else if (this.#dump === 'none') return;
    else if (/^JNI global ref(?:erence)?s: \d/.test(text) && this.#dump !== 'file') this.#endThreads(offset);
    else if (text === 'Found one Java-level deadlock:') this.#deadlocks.begin(offset);
    else if (this.#deadlocks.open) this.#deadlocks.line(text);
    else if (!this.#ended) {
      if (!this.#list.line(text, offset)) this.#strange(text, offset);
    } else if (/^Found \d+ deadlocks?\.$/.test(text))
      this.#damage.lost('deadlock', offset, 'the end of a deadlock section without its beginning');
  }

  #heading(version: string, offset: number): void {
    const time = LOCAL_TIME.exec(this.#previous);
    const process = PROCESS.exec(time === null ? this.#previous : this.#beforePrevious);
    if (process !== null) this.#builder.describe('process', process[1] ?? '');
    this.#builder.describe('version', version);
    const pid = process === null ? -1 : Number(process[1]);
    this.#begin('vm', { time: time === null ? -1 : Date.parse(`${time[1]}T${time[2]}Z`), process: pid }, offset);
  }

  #fileHeading(time: string, offset: number): void {
    this.#builder.describe('process', this.#previous);
    this.#begin('file', { time: Date.parse(time), process: Number.parseInt(this.#previous, 10) }, offset);
    this.#awaitsVersion = true;
  }

  #endThreads(offset: number): void {
    this.#builder.endThread();
    this.#list.end(offset);
    this.#ended = true;
  }

  /** A line among the threads that belongs to none. */
  #strange(text: string, offset: number): void {
    const open = this.#builder.open;
    if (/ tid=0x[0-9a-f]/.test(text)) this.#noHeader(text, offset);
    // Lines after a blank line may be other output of any length.
    else if (this.#dump === 'file' || (open !== undefined && (!this.#rested || this.#owned)))
      this.#damage.lost('line', offset, `${quote(text)} is not a line of a thread, but is between its lines`);
  }

  /** After the last line; `whole`: it had a line end. */
  end(offset: number, whole: boolean): void {
    if (this.#pending !== undefined) this.#noHeader(this.#pending.text, this.#pending.offset);
    const open = this.#builder.open;
    const within = this.#dump === 'file' ? open !== undefined : this.#dump === 'fragment' && !this.#ended && !whole;
    this.#endDump(offset, 'the input ends');
    if (within) this.#damage.lost('cut', offset, 'the input ends within a thread');
    this.#dump = 'none';
  }
}
