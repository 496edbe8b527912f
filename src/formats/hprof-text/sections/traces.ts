/** TRACE records. A line of a known frame costs one look-up. */
import { Int32Builder } from '../../../base/columns/columns.js';
import { ByteInterner } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import { COMPILED_METHOD, NATIVE_METHOD, NO_LINE, UNKNOWN_LINE } from '../../../models/program/program.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { TraceTable } from '../../shared/hprof/traces.js';
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

const FRAME = /^(?:<empty>|[^\0-\x20(]+\.[^\0-\x20(]+\([^()]{1,500}\))$/;

/** Whether the rest of a line without indentation is a frame, or the word for none. */
export function isFrame(line: Cursor): boolean {
  return FRAME.test(line.text());
}

export class TraceRows extends TraceTable {
  readonly #program: ProgramBuilder;
  readonly phase = new Int32Builder();
  /** Number of lines of the newest trace, `<empty>` included. */
  #lines = 0;
  readonly #lineIds = new ByteInterner();
  readonly #lineLocations = new Int32Builder();
  /** LocationId → a line with its text. */
  readonly #lineOfLocation = new Int32Builder();

  constructor(program: ProgramBuilder, threads: ThreadRows) {
    super(program, threads);
    this.#program = program;
  }

  /** True if the newest trace has neither frames nor `<empty>`. */
  get lacksFrames(): boolean {
    return this.length > 0 && this.#lines === 0;
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
    this.#lines = 0;
    this.phase.push(phase);
    return this.start(serial, thread, line.offset);
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

  /** `class.method` of a location, as in a line of the file. */
  methodOf(location: number): string {
    const { bytes, offsets } = this.#lineIds;
    const id = this.#lineOfLocation.values[location];
    const text = new TextDecoder().decode(bytes.bytes.subarray(offsets.values[id], offsets.values[id + 1]));
    return text.replace(/\([^(]*$/, '');
  }
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
