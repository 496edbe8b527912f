/**
 * Finds the lines of one kind of records in a log, and passes them to its reader without wrapping and prefix. The
 * choice of lines is made anew at each heading; until the first one all lines are passed unchanged.
 *
 * Cost: a native search for the first byte of the mark; behind a prefixed heading about 0.3 µs per line (docker's JSON
 * 2).
 */
import { decodeUtf8 } from '../../../base/text.js';
import { headingPlace, type LogKind, type LogReader } from './log-kind.js';
import {
  HeldLanes,
  isOf,
  isSameLane,
  type LogLane,
  laneOf,
  latin1,
  type RawLine,
  startOf,
  unwrapped,
} from './log-lane.js';
import { isLogLine } from './log-prefix.js';

/** Bytes of the longest line that comes in parts. */
const LONGEST_JOINED = 1 << 20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BRACE = 0x7b;
const LONGEST_HEADING = 1 << 12;
const utf8 = new TextEncoder();

/**
 * Which lines of a record have the prefix of its heading. A logger that writes a whole record as one message puts its prefix
 * before the first line only: `open` behind the heading, until lines show it.
 */
type Prefixing = 'heading' | 'open' | 'all' | 'first';

/** The lines before a heading with its time and process, unchanged. */
export type Before = () => readonly RawLine[];

export class LogStream {
  readonly reader: LogReader;
  readonly #kind: LogKind;
  readonly #mark: MarkFinder;
  readonly #furtherMarks: readonly MarkFinder[];
  #lane: LogLane = { place: undefined, patterns: undefined };
  readonly #held = new HeldLanes();
  readonly #joined = new Joined();
  #prefixing: Prefixing = 'all';
  /** A line without the prefix, while it is open which lines have it. */
  #doubtful: RawLine | undefined;
  /** A line that is not blank was passed to the reader. */
  #delivered = false;
  /** Lines of others among those of records, and where the first one begins. */
  others = 0;
  firstOther = 0;

  constructor(kind: LogKind, reader: LogReader) {
    this.#kind = kind;
    this.reader = reader;
    const [mark = '', ...others] = kind.marks;
    this.#mark = new MarkFinder(mark);
    this.#furtherMarks = others.map((other) => new MarkFinder(other));
  }

  line(raw: RawLine, before: Before): void {
    // Frames, which most lines of dumps are, begin with a tab; prefixes and headings do not.
    const isHeading = raw.bytes[raw.from] !== TAB && this.#isMarked(raw) && this.#heading(raw, before);
    if (this.#held.any && !isOf(this.#lane, raw) && this.#held.hold(raw)) {
      if (this.#held.full) this.#next();
      return;
    }
    const wasOpen = this.reader.open;
    this.#delivered = false;
    if (this.#lane.place === undefined) this.#plain(raw, isHeading);
    else this.#prefixed(raw);
    // Deadlocks stand behind the threads: the record has ended where another line follows.
    if (this.#held.any && this.#delivered && !wasOpen && !this.reader.open) this.#next();
  }

  #isMarked(raw: RawLine): boolean {
    if (this.#mark.isIn(raw.bytes, raw.from, raw.to)) return true;
    return !this.reader.open && this.#furtherMarks.some((mark) => mark.isIn(raw.bytes, raw.from, raw.to));
  }

  /** After the last line: a line that was to go on ends here. */
  end(): void {
    this.#endLine();
    while (this.#held.any) {
      this.#next();
      this.#endLine();
    }
  }

  #endLine(): void {
    this.#decide('all');
    const { joined } = this.#joined;
    if (joined !== undefined) this.#unwrapped({ ...joined, ended: false });
    this.#joined.clear();
  }

  /** Goes on with the lane that has waited longest. */
  #next(): void {
    const next = this.#held.next();
    if (next === undefined) return;
    this.#endLine();
    this.#lane = next.lane;
    for (const raw of next.lines) this.line(raw, () => []);
  }

  /**
   * Whether the line is a heading; if so, the following lines have its wrapping and prefix. Within a record of another lane
   * it waits.
   */
  #heading(raw: RawLine, before: Before): boolean {
    const { bytes, from, to } = raw;
    // A message of a logger may have a whole record.
    const text =
      bytes[from] === BRACE
        ? decodeUtf8(bytes, from, to)
        : latin1.decode(bytes.subarray(from, Math.min(to, from + LONGEST_HEADING)));
    const found = headingPlace(text, this.#kind);
    if (found === undefined) return false;
    const lane = laneOf(found);
    if (this.#held.has(lane)) return true;
    if (isSameLane(lane, this.#lane)) {
      this.#decide('all');
      this.#prefixing = 'heading';
      return true;
    }
    if (lane.place !== undefined && this.#lane.place !== undefined && this.reader.open) {
      this.#held.begin(lane, before());
      return true;
    }
    this.#endLine();
    this.#lane = lane;
    for (const line of before()) {
      if (lane.place !== undefined) this.#prefixed(line);
      else this.#deliver(line);
    }
    // A part of a line before belongs to no line of the record.
    this.#joined.clear();
    this.#prefixing = 'heading';
    return true;
  }

  #plain(raw: RawLine, isHeading: boolean): void {
    if (!isHeading && this.reader.within && mayBeLog(raw.bytes[raw.from]) && isLogLine(startOf(raw)))
      this.#other(raw.offset);
    else this.#deliver(raw);
  }

  #deliver({ bytes, from, to, offset, ended, end }: RawLine): void {
    if (to > from) this.#delivered = true;
    this.reader.line(bytes, from, to, offset, ended, end);
  }

  #other(offset: number): void {
    if (!this.reader.within) return;
    if (this.others++ === 0) this.firstOther = offset;
  }

  #prefixed(raw: RawLine): void {
    const { place } = this.#lane;
    const line = place === undefined ? 'none' : unwrapped(raw, place);
    if (line === 'none') this.#damaged(raw);
    else if (line === 'other') this.#other(raw.offset);
    else if (place?.wrapping === 'json') this.#lines(line.content);
    else this.#content(line.content, line.partial);
  }

  /** A message of a logger may have several lines. */
  #lines(content: RawLine): void {
    const { bytes, to } = content;
    for (let from = 0; from <= to; ) {
      const feed = bytes.indexOf(LINE_FEED, from);
      const end = feed < 0 ? to : feed;
      this.#unwrapped({ ...content, from, to: bytes[end - 1] === CARRIAGE_RETURN && end > from ? end - 1 : end });
      from = end + 1;
    }
  }

  /** A line out of its wrapping, or a part of one. */
  #content(raw: RawLine, partial: boolean): void {
    if (!partial && this.#joined.joined === undefined) {
      this.#unwrapped(raw);
      return;
    }
    if (!this.#joined.add(raw)) this.reader.tooLong(raw.offset);
    const { joined } = this.#joined;
    if (partial || joined === undefined) return;
    this.#unwrapped(joined);
    this.#joined.clear();
  }

  #unwrapped(raw: RawLine): void {
    const { patterns } = this.#lane;
    if (patterns === undefined) {
      this.#deliver(raw);
      return;
    }
    const start = startOf(raw);
    const match = patterns.own.exec(start);
    const isOther = match === null && (isLogLine(start) || patterns.similar.test(start));
    if (this.#prefixing === 'heading') this.#prefixing = 'open';
    else if (this.#prefixing === 'open' && match !== null) this.#decide('all');
    if (isOther || (match !== null && this.#prefixing === 'first')) this.#log(raw.offset);
    else if (match !== null) this.#deliver({ ...raw, from: raw.from + match[0].length });
    else this.#withoutPrefix(raw);
  }

  /** A line of the log behind a message, or between its lines. */
  #log(offset: number): void {
    this.#other(offset);
    if (this.#prefixing === 'first') this.reader.interrupted?.();
  }

  #withoutPrefix(raw: RawLine): void {
    if (this.#prefixing === 'first' || (this.#prefixing === 'open' && raw.from === raw.to)) this.#deliver(raw);
    else if (this.#prefixing === 'all') this.#damaged(raw);
    else if (this.#doubtful === undefined)
      this.#doubtful = { ...raw, bytes: raw.bytes.slice(raw.from, raw.to), from: 0, to: raw.to - raw.from };
    else {
      // One line may have lost its prefix, but not two.
      this.#decide('first');
      this.#deliver(raw);
    }
  }

  #decide(prefixing: 'all' | 'first'): void {
    const doubtful = this.#doubtful;
    this.#doubtful = undefined;
    this.#prefixing = prefixing;
    if (doubtful === undefined) return;
    if (prefixing === 'first') this.#deliver(doubtful);
    else this.#damaged(doubtful);
  }

  #damaged(raw: RawLine): void {
    this.reader.unprefixed(decodeUtf8(raw.bytes, raw.from, raw.to), raw.offset);
  }
}

/** Whether lines of logs may begin so: not with a blank, a tab, or the quote of a thread's name. */
function mayBeLog(byte: number): boolean {
  return byte > 0x22 || byte === 0x1b;
}

/** A line that comes in parts. */
class Joined {
  joined: RawLine | undefined;
  #bytes = new Uint8Array(0);

  /** False if the line becomes too long: the part before is kept. */
  add(raw: RawLine): boolean {
    const before = this.joined?.to ?? 0;
    const length = before + raw.to - raw.from;
    if (length > LONGEST_JOINED) return false;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, before));
      this.#bytes = larger;
    }
    this.#bytes.set(raw.bytes.subarray(raw.from, raw.to), before);
    this.joined = { ...raw, bytes: this.#bytes, from: 0, to: length, offset: this.joined?.offset ?? raw.offset };
    return true;
  }

  clear(): void {
    this.joined = undefined;
  }
}

/** Whether lines have a mark, at a native search a window. Lines are asked about in the order in which they lie in it. */
class MarkFinder {
  readonly #mark: Uint8Array;
  #bytes: Uint8Array | undefined;
  #last = 0;
  /** Where the first byte of the mark is next. */
  #next = -1;

  constructor(mark: string) {
    this.#mark = utf8.encode(mark);
  }

  isIn(bytes: Uint8Array, from: number, to: number): boolean {
    // In a window lines follow one another: one that begins no later than the last one is of the next window.
    if (bytes !== this.#bytes || from <= this.#last) this.#next = -1;
    this.#bytes = bytes;
    this.#last = from;
    for (;;) {
      if (this.#next < from) this.#search(bytes, from);
      if (this.#next >= to) return false;
      if (this.#isAt(bytes, this.#next, to)) return true;
      this.#search(bytes, this.#next + 1);
    }
  }

  #search(bytes: Uint8Array, from: number): void {
    const found = bytes.indexOf(this.#mark[0] ?? 0, from);
    this.#next = found < 0 ? Number.MAX_SAFE_INTEGER : found;
  }

  #isAt(bytes: Uint8Array, at: number, to: number): boolean {
    const mark = this.#mark;
    if (at + mark.length > to) return false;
    for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark[i]) return false;
    return true;
  }
}
