/**
 * Reads the text of thread dumps line by line: of the VM (one or many in a log, with other lines around and between), of
 * `Thread.dump_to_file`, and of the tools in `dialects/`. docs/formats/thread-dump.md describes them.
 *
 * A thread begins with its header and ends with an empty line; a foreign line does not end it, since it may be a log line of the
 * program. How far lines are indented means nothing: mails, terminals and logs change it.
 */
import { decodeUtf8 } from '../../../base/text.js';
import { contentEnd, contentStart } from '../../shared/line-start.js';
import { type Damage, quote } from '../damage.js';
import { AGENT_HEADING, agentHeader, isAgentFrame } from '../dialects/agent.js';
import { managementHeader, threadInfoHeader } from '../dialects/management.js';
import { type DumpBuilder, type DumpHeading, NO_HEADING } from '../dump-builder.js';
import { DEADLOCK_HEADING, DEADLOCKS_END, DeadlockSection } from './deadlock-section.js';
import { frameOf } from './frame.js';
import { headerOf, NO_FIELDS, namelessHeader, type ThreadHeader } from './header.js';
import { LAST_LINE, LinesBefore, mayLackEnd, vmVersion } from './heading.js';
import { lockLine } from './lock-line.js';
import { LostHeader } from './lost-header.js';
import {
  mayGoOn,
  type PendingHeader,
  pendingHeader,
  pendingWith,
  wholeHeader,
  withWrappedEnd,
} from './pending-header.js';
import { isState } from './state-text.js';
import { statusIn, type ThreadLine, threadLine } from './thread-line.js';
import { ThreadList } from './thread-list.js';

const TAB = 0x09;
const SPACE = 0x20;
const DASH = 0x2d;
const LOWER_A = 0x61;
const LOWER_T = 0x74;
/** First bytes of headers; `T` is of the agent, `o` of threads without a name. */
const HEADERS = [...'"#To'].map((sign) => sign.charCodeAt(0));

/** `agent`: deadlocks, then threads. `info`: threads of `ThreadInfo`, without a heading. `vm`: threads, then deadlocks. */
type Dump = 'none' | 'vm' | 'fragment' | 'file' | 'agent' | 'info';

export class TextReader {
  readonly #builder: DumpBuilder;
  readonly #damage: Damage;
  readonly #deadlocks: DeadlockSection;
  readonly #list: ThreadList;
  readonly #lost: LostHeader;
  #dump: Dump = 'none';
  /** The list of its threads has ended. */
  #ended = false;
  /** A header with a name that continues in the next line. */
  #pending: PendingHeader | undefined;
  /** The preceding line was a header that a terminal may have broken before its end. */
  #unfinished: string | undefined;
  readonly #before = new LinesBefore();
  /** The next frames and locks belong to a thread with an unreadable header. */
  #orphan = false;
  /** An empty line ended the thread: only its synchronizers may follow. */
  #rested = false;
  /** `Locked ownable synchronizers` was the last heading. */
  #owned = false;
  #awaitsVersion = false;
  /** The dump has the heading of the VM, but no last line: JDK 6 and older, and tools that ask `ThreadMXBean`, write none. */
  #endless = false;

  constructor(builder: DumpBuilder, damage: Damage) {
    this.#builder = builder;
    this.#damage = damage;
    this.#deadlocks = new DeadlockSection(builder, damage);
    this.#list = new ThreadList(damage);
    this.#lost = new LostHeader(damage);
    builder.wantedBy = (name) => this.#deadlocks.wantedBy(name);
  }

  /** Whether a line that does not belong to a dump would be reported, or taken for a part of one. */
  get within(): boolean {
    return this.#dump === 'none' || this.#ended ? this.#deadlocks.open : this.#pending !== undefined || this.#isOpen;
  }

  /** Inside a dump of the VM, before its end. */
  get open(): boolean {
    return (this.#dump === 'vm' && !this.#ended) || this.#deadlocks.open;
  }

  line(bytes: Uint8Array, from: number, to: number, offset: number): void {
    const end = contentEnd(bytes, from, to);
    const start = bytes[from] === TAB && bytes[from + 1] === LOWER_A ? from + 1 : contentStart(bytes, from, end);
    if (this.#pending === undefined && this.#below(bytes, from, start, end, offset)) return;
    // Outside of dumps no line of interest begins with a blank, but thousands of rows of histograms do.
    if (start > from && (this.#dump === 'none' || this.#ended) && !this.#deadlocks.open) {
      this.#before.add(' ');
      return;
    }
    // A name with line feeds may have blanks before them.
    const text = start === end ? '' : decodeUtf8(bytes, from, this.#pending === undefined ? end : to);
    if (this.#pending !== undefined && (this.#goesOn(text, offset) || this.#below(bytes, from, start, end, offset)))
      return;
    if (text === '') this.#blank();
    else if (!this.#wrappedEnd(text)) this.#content(bytes, from, start, end, text, offset);
    this.#before.add(text);
  }

  #content(bytes: Uint8Array, from: number, start: number, to: number, text: string, offset: number): void {
    this.#unfinished = undefined;
    const words = text.length === to - from ? text.slice(start - from) : decodeUtf8(bytes, start, to);
    if (this.#ofThread(bytes, start, to, words, offset)) return;
    if (HEADERS.includes(bytes[from]) && this.#header(text, offset)) return;
    this.#other(text, offset);
  }

  /** Takes the rest of a header that was complete without it. */
  #wrappedEnd(text: string): boolean {
    const unfinished = this.#unfinished;
    this.#unfinished = undefined;
    const header = unfinished === undefined ? undefined : withWrappedEnd(unfinished, text);
    const { open } = this.#builder;
    if (header === undefined || open === undefined || open.frames.length > 0) return false;
    open.words = header.words;
    if (header.wants !== undefined) open.locks.splice(0, open.locks.length, header.wants);
    return true;
  }

  /** The line before was one of a log, so frames below it belong to that. */
  interrupted(): void {
    if (this.#rested) this.#orphan = true;
  }

  /** A line without the prefix of the dump: it belongs to other output, or is damaged. */
  unprefixed(text: string, offset: number): void {
    if (this.#dump !== 'none' && !this.#ended) this.#strange(text, offset);
  }

  /** Reads a frame or a lock, which begins at `start`; returns false for other lines. */
  #below(bytes: Uint8Array, from: number, start: number, to: number, offset: number): boolean {
    const first = bytes[start];
    if (first !== LOWER_A && first !== DASH) return false;
    if (this.#dump === 'none' || this.#ended || this.#deadlocks.open) return false;
    // Outside a thread other lines may begin so, but not behind a tab.
    if (bytes[from] !== TAB && !this.#inThread) return false;
    if (first === LOWER_A && bytes[start + 1] === LOWER_T && bytes[start + 2] === SPACE) {
      this.#frame(bytes, start + 3, to, offset);
      return true;
    }
    if (first !== DASH || bytes[start + 1] !== SPACE) return false;
    if (this.#dump === 'agent' && isAgentFrame(decodeUtf8(bytes, start, to))) this.#frame(bytes, start + 2, to, offset);
    else this.#lock(decodeUtf8(bytes, start + 2, to), offset);
    return true;
  }

  /** A thread is open, or one was lost whose lines may follow. */
  get #inThread(): boolean {
    return this.#orphan || this.#isOpen;
  }

  get #isOpen(): boolean {
    return this.#builder.open !== undefined && (this.#owned || !this.#rested);
  }

  #frame(bytes: Uint8Array, from: number, to: number, offset: number): true {
    if (this.#hasThread(offset) && (this.#owned || !this.#builder.frame(bytes, from, to)))
      this.#damage.lost('frame', offset, `${quote(decodeUtf8(bytes, from, to))} is not a stack frame`);
    return true;
  }

  #lock(text: string, offset: number): void {
    if (!this.#hasThread(offset)) return;
    const line = lockLine(text, this.#builder.open?.header.by === 'vm');
    const fits = line === undefined || line === 'none' || (line.verb === 'owns') === this.#owned;
    if (line === undefined || !fits) this.#damage.lost('lock', offset, `${quote(text)} is not a lock line`);
    else if (line !== 'none') this.#builder.open?.locks.push(line);
  }

  /** Whether a thread is open; if not, the line is lost, which is reported once a thread. */
  #hasThread(offset: number): boolean {
    if (!this.#isOpen) this.#outside('a frame or lock', offset);
    return this.#isOpen;
  }

  #outside(line: string, offset: number): void {
    if (!this.#orphan) this.#damage.lost('orphan', offset, `${line} outside a thread`);
    this.#lost.hasLines();
    this.#orphan = true;
  }

  #blank(): void {
    this.#lost.end();
    const header = this.#unfinished === undefined ? undefined : this.#builder.open?.header;
    this.#unfinished = undefined;
    // A terminal broke the header of a Java thread at the blanks behind it: its state is still to come.
    if (this.#dump !== 'file' && header?.by === 'vm' && header.number >= 0) return;
    // A thread has one list of synchronizers: a second one belongs to a thread whose other lines were lost.
    if (this.#dump === 'file' || this.#owned) this.#builder.endThread();
    this.#owned = false;
    this.#orphan = false;
    this.#awaitsVersion = false;
    this.#rested = true;
  }

  /** Reads other lines of a thread; returns false for what is none. `text`: without indentation. */
  #ofThread(bytes: Uint8Array, start: number, to: number, text: string, offset: number): boolean {
    if (this.#dump === 'none' || this.#ended || this.#deadlocks.open) return false;
    // JDK 21 writes frames into files without a word before them.
    if (this.#dump === 'file' && this.#inThread && frameOf(text) !== undefined)
      return this.#frame(bytes, start, to, offset);
    const line = threadLine(text, this.#dump === 'agent' ? 'agent' : (this.#builder.open?.header.by ?? 'vm'));
    if (line !== undefined) this.#take(line, offset);
    return line !== undefined;
  }

  #take(line: ThreadLine, offset: number): void {
    const { open } = this.#builder;
    if (line.kind === 'state') this.#state(line.status, offset);
    else if (line.kind === 'synchronizers') {
      this.#owned = true;
      this.#builder.locks.has('synchronizers');
    } else if (line.kind === 'cut') {
      if (open !== undefined) open.cut = true;
    } else if (line.kind !== 'empty' && this.#hasThread(offset) && open !== undefined) {
      if (line.kind === 'carrying') open.status = line.status;
      else this.#mounted(line.number, offset);
    }
  }

  #state(status: string, offset: number): void {
    const { open } = this.#builder;
    if (open === undefined || this.#rested || open.status !== undefined || open.frames.length > 0) {
      this.#outside('a state', offset);
      this.#builder.endThread();
    } else if (isState(status)) open.status = status;
    else this.#damage.lost('state', offset, `${quote(status)} is not a thread state`);
  }

  /** The following frames are those of the virtual thread mounted on this one; its name is not in the dump. */
  #mounted(number: number, offset: number): void {
    if (this.#builder.beginThread({ ...NO_FIELDS, number, virtual: 1, words: 'mounted' })) return;
    this.#damage.lost('orphan', offset, 'a virtual thread on a second carrier');
    this.#orphan = true;
  }

  /** Reads a header, or the start of one; returns false if the line cannot be one. */
  #header(text: string, offset: number): boolean {
    // Some log lines look like headers of `dump_to_file`; its own dumps begin with a heading.
    if (this.#deadlocks.open || (text.startsWith('#') && this.#dump !== 'file')) return false;
    const header = this.#headerIn(text);
    if (header !== undefined) {
      this.#start(header, offset, text);
      return true;
    }
    const starts = text.startsWith('"') ? this.#dump !== 'none' : /^#\d{1,15} "/.test(text);
    if (!starts || this.#ended || this.#before.last.trim() !== '') return false;
    this.#pending = pendingHeader(text, offset);
    return true;
  }

  #headerIn(text: string): ThreadHeader | undefined {
    if (text.startsWith('T')) return this.#dump === 'agent' ? agentHeader(text) : undefined;
    if (text.startsWith('o')) return this.#dump === 'vm' && !this.#ended ? namelessHeader(text) : undefined;
    return headerOf(text) ?? threadInfoHeader(text) ?? managementHeader(text, false);
  }

  /** Adds a line to an unfinished header; returns false if the line shows that it was not a header. */
  #goesOn(text: string, offset: number): boolean {
    const pending = this.#pending;
    if (pending === undefined) return false;
    const rest = text.trimStart();
    const next = pendingWith(pending, text);
    const whole = wholeHeader(next);
    if (whole !== undefined) {
      this.#pending = undefined;
      this.#start(whole.header, pending.offset, whole.text);
      this.#before.add(text);
      return true;
    }
    const status = statusIn(rest);
    const managed = status === undefined || this.#dump !== 'vm' ? undefined : managementHeader(pending.text, true);
    if (managed !== undefined && status !== undefined) {
      this.#pending = undefined;
      this.#start(managed, pending.offset, pending.text);
      this.#state(status, offset);
      this.#before.add(text);
      return true;
    }
    const ends = rest === '' || status !== undefined || /^(?:at |- )/.test(rest) || /^ {6}\S/.test(text);
    if (!ends && mayGoOn(next)) {
      this.#pending = next;
      return true;
    }
    this.#noHeader(pending.text, pending.offset);
    return false;
  }

  #noHeader(text: string, offset: number): void {
    this.#pending = undefined;
    this.#builder.endThread();
    this.#orphan = true;
    this.#lost.lose(text, offset);
  }

  #start(header: ThreadHeader, offset: number, text: string): void {
    this.#lost.end();
    this.#unfinished = text;
    this.#orphan = false;
    this.#owned = false;
    this.#rested = false;
    const info = header.by === 'management' && header.words !== '';
    if (info && (this.#dump === 'none' || this.#ended)) this.#begin('info', NO_HEADING, offset);
    else if (this.#dump === 'none' || this.#ended) {
      this.#damage.note('heading', offset, 'threads without a dump header before them');
      this.#begin('fragment', NO_HEADING, offset);
    }
    if (header.by === 'management') {
      this.#endless = true;
      this.#builder.locks.namesNone();
    }
    const written: ThreadHeader = this.#dump === 'agent' ? { ...header, by: 'agent' } : header;
    if (this.#builder.beginThread(written)) {
      this.#list.has(header.address);
      return;
    }
    // Dumps of `ThreadInfo` follow one another without a heading.
    if (this.#dump !== 'info')
      this.#damage.lost('heading', offset, 'a thread occurs a second time: a dump header is missing before it');
    this.#begin(this.#dump === 'file' || this.#dump === 'info' ? this.#dump : 'fragment', NO_HEADING, offset);
    this.#builder.beginThread(written);
  }

  #begin(dump: Exclude<Dump, 'none'>, heading: DumpHeading, offset: number): void {
    this.#endDump(offset, 'the next one begins');
    this.#dump = dump;
    this.#ended = false;
    this.#endless = false;
    this.#builder.beginDump(dump, heading, offset);
  }

  /** `by`: the reason why its last line is missing. */
  #endDump(offset: number, by: string): void {
    this.#builder.endThread();
    this.#lost.end();
    if (this.#dump === 'vm' && !this.#ended && !this.#endless)
      this.#damage.lost('cut', offset, `dump ${this.#builder.locks.dumps} ends early: ${by} before its last line`);
    this.#deadlocks.end(offset);
    this.#list.end(offset);
  }

  /** Reads any other line: headings and ends of dumps, and other output. */
  #other(text: string, offset: number): void {
    const version = vmVersion(text);
    const ofFile = this.#before.ofFile(text);
    if (version !== undefined) this.#heading('vm', version, this.#before.ofVm(), offset);
    else if (ofFile !== undefined) {
      this.#heading('file', '', ofFile, offset);
      this.#awaitsVersion = true;
    } else if (text === AGENT_HEADING)
      this.#heading('agent', this.#before.agentVersion, { time: -1, process: this.#before.attached }, offset);
    else if (this.#awaitsVersion) {
      this.#awaitsVersion = false;
      this.#builder.describe('version', text);
    } else if (this.#dump === 'none') this.#before.addAgentLine(text);
    else if (LAST_LINE.test(text) && this.#dump !== 'file') this.#endThreads(offset);
    else if (DEADLOCK_HEADING.test(text)) this.#deadlocks.begin(offset);
    else if (this.#deadlocks.open) this.#deadlocks.line(text);
    else if (!this.#ended) {
      if (!this.#list.line(text, offset)) this.#strange(text, offset);
    } else if (DEADLOCKS_END.test(text))
      this.#damage.lost('deadlock', offset, 'the end of a deadlock section without its beginning');
  }

  #heading(dump: 'vm' | 'file' | 'agent', version: string, heading: DumpHeading, offset: number): void {
    if (heading.process >= 0) this.#builder.describe('process', String(heading.process));
    this.#builder.describe('version', version);
    this.#begin(dump, heading, offset);
    this.#endless = mayLackEnd(version);
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
