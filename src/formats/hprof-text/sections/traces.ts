/**
 * TRACE records: the file's numbers for stacks. Frames are innermost first; a line of a known frame costs one look-up.
 * 4 bytes a frame and 24 a trace.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns.js';
import { NONE } from '../../../base/flavor.js';
import { ByteInterner, IntTable } from '../../../base/hash.js';
import { rootOf, StackBuilder } from '../../../models/profile/stack-builder.js';
import { COMPILED_METHOD, NATIVE_METHOD, NO_LINE, UNKNOWN_LINE } from '../../../models/program/program.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { isThreadRoot, mayBeThreadRoot } from '../../../models/program/thread-roots.js';
import { ascii, type Cursor } from '../cursor.js';
import type { ThreadRows } from './threads.js';

const THREAD = ascii(' (thread=');
const FROM = ascii(' (from ');
const PHASE = ascii(' phase of JVM)');
const EMPTY = ascii('<empty>');
const UNKNOWN_SOURCES = ['<Unknown Source>', '<Unknown>'].map(ascii);
const UNKNOWN = ascii('Unknown line');
const COMPILED = ascii('Compiled method');
const NATIVE = ascii('Native method');

/** Phases of the VM in which a trace may have been taken; 0: not in the file. */
export const PHASES = ['', 'onload', 'primordial', 'start', 'dead'] as const;
const PHASE_WORDS = PHASES.map(ascii);

/** The pseudo functions in the stacks of this format. */
export const TRUNCATED = '<Truncated-stack>';
export const NO_STACK = '<no Java callstack recorded>';
export const NOT_IN_FILE = '<Unknown>';
export const BELOW_CUTOFF = '<Below cutoff>';

export class TraceRows {
  readonly #program: ProgramBuilder;
  readonly #threads: ThreadRows;
  readonly serial = new Float64Builder();
  readonly thread = new Int32Builder();
  readonly phase = new Int32Builder();
  readonly offset = new Float64Builder();
  /** Trace `t` has the frames `frames[first[t] .. first[t + 1])`, innermost first. */
  readonly first = new Int32Builder();
  readonly frames = new Int32Builder();
  /** Number of lines of the newest trace, `<empty>` included. */
  #lines = 0;
  readonly #serials = new IntTable();
  /** Dense id of a serial → first row, -1 while it is only referred to. */
  readonly #rows = new Int32Builder();
  readonly #lineIds = new ByteInterner();
  readonly #lineLocations = new Int32Builder();
  /** LocationId → a line with its text. */
  readonly #lineOfLocation = new Int32Builder();

  constructor(program: ProgramBuilder, threads: ThreadRows) {
    this.#program = program;
    this.#threads = threads;
  }

  get length(): number {
    return this.serial.length;
  }

  /** True if the newest trace has neither frames nor `<empty>`. */
  get lacksFrames(): boolean {
    return this.length > 0 && this.#lines === 0;
  }

  /** The reference to a trace until `finish`: its serial as a dense number. */
  reference(serial: number): number {
    const known = this.#serials.length;
    const id = this.#serials.add(serial | 0, Math.floor(serial / 2 ** 32));
    if (id === known) this.#rows.push(NONE);
    return id;
  }

  /** `300033:` with thread and phase. 'twice' if another trace has the serial: references mean the first. */
  begin(line: Cursor): 'new' | 'twice' | undefined {
    const serial = line.count();
    if (!(serial >= 0) || line.bytes[line.at] !== 58 || line.at >= line.end) return undefined;
    line.at++;
    let thread: number = NONE;
    let phase = 0;
    if (line.skip(THREAD)) {
      thread = line.count();
      if (!(thread >= 0) || line.bytes[line.at++] !== 41) return undefined;
    }
    if (line.skip(FROM)) {
      phase = PHASE_WORDS.findIndex((word, i) => i > 0 && line.skip(word));
      if (phase < 0 || !line.skip(PHASE)) return undefined;
    }
    line.blanks();
    if (!line.atEnd) return undefined;
    const id = this.reference(serial);
    const twice = this.#rows.values[id] >= 0;
    if (!twice) this.#rows.values[id] = this.length;
    this.#append(serial, thread < 0 ? NONE : this.#threads.rowOf(thread), phase, line.offset);
    return twice ? 'twice' : 'new';
  }

  #append(serial: number, thread: number, phase: number, offset: number): number {
    this.#lines = 0;
    this.thread.push(thread);
    this.phase.push(phase);
    this.offset.push(offset);
    this.first.push(this.frames.length);
    return this.serial.push(serial);
  }

  /** Reads a line below a trace. Returns false if it is not a frame: it is then taken as the name of one. */
  frame(line: Cursor): boolean {
    line.blanks();
    this.#lines++;
    if (line.sees(EMPTY) && line.at + EMPTY.length === line.end) return true;
    const known = this.#lineIds.length;
    const id = this.#lineIds.add(line.bytes, line.at, line.end);
    let sound = true;
    if (id === known) {
      const location = this.#location(line);
      sound = location >= 0;
      const place = location >= 0 ? location : -2 - location;
      this.#lineLocations.push(place);
      while (this.#lineOfLocation.length <= place) this.#lineOfLocation.push(id);
    }
    this.frames.push(this.#lineLocations.values[id]);
    return sound;
  }

  /** `class.method(source:line)`, read from the right; -2 minus the location for other text. */
  #location(line: Cursor): number {
    const { bytes, at: from, end } = line;
    const names = this.#program.names;
    let open = end - 1;
    while (open > from && bytes[open] !== 40) open--;
    const closed = line.isName(from, end) && bytes[end - 1] === 41 && open > from;
    if (!closed) open = end;
    let dot = open - 1;
    while (dot > from && bytes[dot] !== 46) dot--;
    // A class without a method (HTML pages lost `<init>`) keeps the dot as the end of its class.
    const declaring = dot > from ? this.#program.class(names.add(bytes, from, dot)) : NONE;
    const method = names.add(bytes, dot > from ? dot + 1 : from, open);
    if (!closed) return -2 - this.#program.location(this.#program.function(declaring, method), NO_LINE);
    let colon = end - 2;
    while (colon > open && bytes[colon] !== 58) colon--;
    const sourceEnd = colon > open ? colon : end - 1;
    line.at = open + 1;
    const unknown = UNKNOWN_SOURCES.some((word) => line.sees(word) && line.at + word.length === sourceEnd);
    const file = unknown || sourceEnd === open + 1 ? NONE : names.add(bytes, open + 1, sourceEnd);
    const number = colon > open ? lineOf(line, colon + 1, end - 1) : NO_LINE;
    const location = this.#program.location(this.#program.function(declaring, method, file), number);
    const named = dot > from && dot + 1 < open && sourceEnd > open + 1;
    return named && !Number.isNaN(number) && colon > open ? location : -2 - location;
  }

  /** Frames of the longest trace. */
  get longest(): number {
    let longest = 0;
    for (let row = 0; row < this.length; row++) longest = Math.max(longest, this.#end(row) - this.first.values[row]);
    return longest;
  }

  #end(row: number): number {
    return row + 1 < this.length ? this.first.values[row + 1] : this.frames.length;
  }

  /**
   * The depth at which the agent cut its traces, from the file: the length of the longest, unless all of that length
   * may begin with the first method of a thread. 0 if no trace shows it, or all are empty.
   */
  depthLimit(): number {
    const { longest } = this;
    if (longest === 0) return 0;
    for (let row = 0; row < this.length; row++) {
      const end = this.#end(row);
      const outermost = this.frames.values[end - 1];
      if (end - this.first.values[row] === longest && !mayBeThreadRoot(this.#methodOf(outermost))) return longest;
    }
    return 0;
  }

  /** `class.method` of a location, as in a line of the file. */
  #methodOf(location: number): string {
    const { bytes, offsets } = this.#lineIds;
    const id = this.#lineOfLocation.values[location];
    const text = new TextDecoder().decode(bytes.bytes.subarray(offsets.values[id], offsets.values[id + 1]));
    return text.replace(/\([^(]*$/, '');
  }

  /** Whether the agent cut a trace: it is as long as `limit`, and its outermost frame does not begin its thread. */
  #isCut(row: number, limit: number, methods: Map<number, string>): boolean {
    const end = this.#end(row);
    if (limit === 0 || end - this.first.values[row] < limit) return false;
    const outermost = this.frames.values[end - 1];
    const method = methods.get(outermost) ?? this.#methodOf(outermost);
    methods.set(outermost, method);
    return !isThreadRoot(method, this.#threads.nameOf(this.thread.values[row]));
  }

  /**
   * Makes the stacks: cut traces begin with `<Truncated-stack>`; empty and missing traces are one pseudo frame. `add`
   * adds further stacks to the same table.
   */
  finish(limit: number): FinishedTraces {
    const program = this.#program;
    const builder = new StackBuilder();
    const truncated = program.location(program.pseudo(TRUNCATED));
    const pseudo = (text: string): number => builder.add(rootOf('failed'), program.location(program.pseudo(text)));
    const stack = new Int32Builder(this.length);
    const known = this.length;
    const methods = new Map<number, string>();
    let cut = 0;
    for (let row = 0; row < known; row++) {
      const first = this.first.values[row];
      const end = this.#end(row);
      const isCut = this.#isCut(row, limit, methods);
      if (isCut) cut++;
      let at = isCut ? builder.add(rootOf('cut'), truncated) : rootOf('whole');
      for (let frame = end - 1; frame >= first; frame--) at = builder.add(at, this.frames.values[frame]);
      stack.push(at >= 0 ? at : pseudo(NO_STACK));
    }
    // A serial without a TRACE gets a row, so that events that refer to it are not lost.
    const serials = this.#serials;
    const low = serials.column(0);
    const high = serials.column(1);
    for (let id = 0; id < serials.length; id++) {
      if (this.#rows.values[id] >= 0) continue;
      this.#rows.values[id] = this.#append(high[id] * 2 ** 32 + (low[id] >>> 0), NONE, 0, -1);
      stack.push(NONE);
    }
    return { known, cut, stack, rows: this.#rows.finish(), builder };
  }
}

export interface FinishedTraces {
  /** Number of traces in the file; after them are missing ones, with stack -1 until now. */
  readonly known: number;
  /** Number of traces cut at the depth limit. */
  readonly cut: number;
  readonly stack: Int32Builder;
  /** `TraceRows.reference` → row. */
  readonly rows: Int32Array;
  readonly builder: StackBuilder;
}

function lineOf(line: Cursor, from: number, end: number): number {
  line.at = from;
  for (const [word, mark] of MARKS) if (line.sees(word) && from + word.length === end) return mark;
  const number = line.count();
  return line.at === end && number >= 0 && number < 2 ** 31 ? number : NaN;
}

const MARKS = [
  [UNKNOWN, UNKNOWN_LINE],
  [COMPILED, COMPILED_METHOD],
  [NATIVE, NATIVE_METHOD],
] as const;
