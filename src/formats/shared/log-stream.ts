/**
 * Finds the lines of one kind of records in a log, and passes them to its reader without wrapping and prefix. The
 * choice of lines is made anew at each heading; until the first one all lines are passed unchanged.
 *
 * Cost: a native search for the first byte of the mark; behind a prefixed heading about 0.3 µs per line (docker's JSON
 * 2).
 */
import { decodeUtf8 } from '../../base/text.js';
import { type HeadingPlace, headingPlace, type LogKind, type LogReader } from './log-kind.js';
import {
  criStart,
  dockerLine,
  isDockerLine,
  isLogLine,
  PREFIX_WITHIN,
  type PrefixPatterns,
  prefixPatterns,
} from './log-prefix.js';

/** Bytes of the longest line that comes in parts. */
const LONGEST_JOINED = 1 << 20;
const TAB = 0x09;
const LONGEST_HEADING = 1 << 12;
/** One character a byte, or nearly so: prefixes are compared with one another only. */
const latin1 = new TextDecoder('latin1');
const utf8 = new TextEncoder();

/** A line of the log as it is in the file. */
export interface RawLine {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  readonly ended: boolean;
  readonly end: number;
}

/** The lines before a heading with its time and process, unchanged. */
export type Before = () => readonly RawLine[];

export class LogStream {
  readonly reader: LogReader;
  readonly #kind: LogKind;
  readonly #marks: MarkFinder;
  #place: HeadingPlace | undefined;
  #patterns: PrefixPatterns | undefined;
  readonly #joined = new Joined();
  /** Lines of others among those of records, and where the first one begins. */
  others = 0;
  firstOther = 0;

  constructor(kind: LogKind, reader: LogReader) {
    this.#kind = kind;
    this.reader = reader;
    this.#marks = new MarkFinder(kind.mark);
  }

  line(raw: RawLine, before: Before): void {
    const { bytes, from, to } = raw;
    // Frames, which most lines of dumps are, begin with a tab; prefixes and headings do not.
    const isHeading = bytes[from] !== TAB && this.#marks.isIn(bytes, from, to) && this.#heading(raw, before);
    if (this.#place === undefined) this.#plain(raw, isHeading);
    else this.#prefixed(raw, this.#place);
  }

  /** After the last line: a line that was to go on ends here. */
  end(): void {
    const { joined } = this.#joined;
    if (joined !== undefined) this.#unwrapped({ ...joined, ended: false });
    this.#joined.clear();
  }

  /** Whether the line is a heading; if so, the following lines have its wrapping and prefix. */
  #heading({ bytes, from, to }: RawLine, before: Before): boolean {
    const found = headingPlace(latin1.decode(bytes.subarray(from, Math.min(to, from + LONGEST_HEADING))), this.#kind);
    if (found === undefined) return false;
    const place = found.wrapping === undefined && found.prefix === '' ? undefined : found;
    const patterns = found.prefix === '' ? undefined : prefixPatterns(found.prefix);
    if (sameStream(place, this.#place) && patterns?.own.source === this.#patterns?.own.source) return true;
    this.end();
    this.#place = place;
    this.#patterns = patterns;
    for (const line of before()) {
      if (place !== undefined) this.#prefixed(line, place);
      else this.#deliver(line);
    }
    return true;
  }

  #plain(raw: RawLine, isHeading: boolean): void {
    const { bytes, from, to, offset } = raw;
    if (!isHeading && this.reader.within && mayBeLog(bytes[from]) && isLogLine(startOf(bytes, from, to)))
      this.#other(offset);
    else this.#deliver(raw);
  }

  #deliver({ bytes, from, to, offset, ended, end }: RawLine): void {
    this.reader.line(bytes, from, to, offset, ended, end);
  }

  #other(offset: number): void {
    if (!this.reader.within) return;
    if (this.others++ === 0) this.firstOther = offset;
  }

  #prefixed(raw: RawLine, { wrapping, stream }: HeadingPlace): void {
    const { bytes, from, to, offset } = raw;
    if (wrapping === 'docker') {
      const text = decodeUtf8(bytes, from, to);
      const line = isDockerLine(text) ? dockerLine(text) : undefined;
      if (line === undefined) this.reader.unprefixed(text, offset);
      else if (line.stream !== stream) this.#other(offset);
      else {
        const content = utf8.encode(line.text);
        this.#content({ ...raw, bytes: content, from: 0, to: content.length, ended: true }, line.partial);
      }
      return;
    }
    if (wrapping === undefined) {
      this.#unwrapped(raw);
      return;
    }
    const cri = criStart(startOf(bytes, from, to));
    if (cri === undefined) this.reader.unprefixed(decodeUtf8(bytes, from, to), offset);
    else if (cri.stream !== stream) this.#other(offset);
    else this.#content({ ...raw, from: from + cri.length }, cri.partial);
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
    const patterns = this.#patterns;
    if (patterns === undefined) {
      this.#deliver(raw);
      return;
    }
    const { bytes, from, to, offset } = raw;
    const start = startOf(bytes, from, to);
    const match = patterns.own.exec(start);
    if (match !== null) this.#deliver({ ...raw, from: from + match[0].length });
    else if (isLogLine(start) || patterns.similar.test(start)) this.#other(offset);
    else this.reader.unprefixed(decodeUtf8(bytes, from, to), offset);
  }
}

function sameStream(one: HeadingPlace | undefined, other: HeadingPlace | undefined): boolean {
  return one?.wrapping === other?.wrapping && one?.stream === other?.stream;
}

/** Whether lines of logs may begin so: not with a blank, a tab, or the quote of a thread's name. */
function mayBeLog(byte: number): boolean {
  return byte > 0x22 || byte === 0x1b;
}

function startOf(bytes: Uint8Array, from: number, to: number): string {
  return latin1.decode(bytes.subarray(from, Math.min(to, from + PREFIX_WITHIN)));
}

/** A line that comes in parts. */
class Joined {
  joined: RawLine | undefined;
  #bytes = new Uint8Array(0);

  /** False if the line becomes too long: what it has so far is kept. */
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
