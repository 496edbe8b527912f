/**
 * MONITOR DUMP: the state of each thread, and monitors with owners and waiters. 44 bytes a thread, 44 a monitor, 12 a
 * wait.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { NONE } from '../../../base/flavor.js';
import { STATE_EVENTS, THREAD_STATES, type ThreadState } from '../../../models/events/state.js';
import { LOCK_WAITS, MONITOR_KINDS, MONITORS, WAIT_KINDS } from '../../../models/locks/locks.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { ascii, type Cursor } from '../cursor.js';
import type { ThreadRows } from './threads.js';
import type { TraceRows } from './traces.js';

const THREAD = ascii('THREAD ');
const TRACE = ascii(', trace ');
const STATUS = ascii(', status: ');
const MONITOR = ascii('MONITOR ');
const RAW_MONITOR = ascii('RAW MONITOR "');
const RAW_END = ascii('"(');
const UNOWNED = ascii(' unowned');
const OWNER = ascii('owner: ');
const OWNER_THREAD = ascii('thread ');
const ENTRIES = ascii(', entry count: ');
const COMMA = ascii(',');
const TO_ENTER = ascii('waiting to enter:');
const TO_BE_NOTIFIED = ascii('waiting to be notified:');

/** The last part of a status. Suspended, interrupted and native precede it, each followed by a bar; IBM lists suspended alone, too. */
const STATUS_TEXT = /^(S\|)?(?:intr\|)?(?:native\|)?(R|MW|CW|SL|ZO|NS|UN)$|^S$/;
const SUSPENDED = 'S|';
const STATES: ReadonlyMap<string | undefined, ThreadState> = new Map([
  ['R', 'runnable'],
  ['MW', 'blocked'],
  ['CW', 'waiting'],
  ['SL', 'sleeping'],
  ['ZO', 'terminated'],
  ['NS', 'new'],
  ['UN', 'unknown'],
]);

/** The states of threads, with their traces. */
export const HPROF_STATES = STATE_EVENTS.having(['trace']);

export class MonitorDumpRows {
  readonly #program: ProgramBuilder;
  readonly #threads: ThreadRows;
  readonly #traces: TraceRows;
  /** Stack and trace hold `TraceRows.reference` until the end. */
  readonly states = HPROF_STATES.builder('Threads at the monitor dumps');
  readonly monitors = MONITORS.builder();
  readonly waits = LOCK_WAITS.builder();
  /** StringId of each monitor as the file spells it, with its address. */
  readonly spelling = new Int32Builder();
  readonly offset = new Float64Builder();
  /** Whether a line of waiting threads had none. */
  #emptyWaits = false;
  /** The monitor of the following lines, -1 if unknown. */
  #last = NONE;

  constructor(program: ProgramBuilder, threads: ThreadRows, traces: TraceRows) {
    this.#program = program;
    this.#threads = threads;
    this.#traces = traces;
  }

  get length(): number {
    return this.states.length;
  }

  /** Whether monitors have lines of waiting threads where none waits; undefined without monitors. */
  get emptyWaits(): boolean | undefined {
    return this.spelling.length === 0 ? undefined : this.#emptyWaits;
  }

  /**
   * Reads a line of a dump; returns false for other lines. `section` is the dump's row in the sections, which
   * represents the dump until the end.
   */
  add(line: Cursor, section: number): boolean {
    line.blanks();
    if (line.skip(THREAD)) return this.#thread(line, section);
    if (line.skip(RAW_MONITOR)) return this.#raw(line, section);
    if (line.skip(MONITOR)) return this.#monitor(line, section);
    if (line.skip(OWNER)) return this.#owner(line);
    if (line.skip(TO_ENTER)) return this.#waiting(line, 'enter');
    return line.skip(TO_BE_NOTIFIED) && this.#waiting(line, 'notify');
  }

  #thread(line: Cursor, section: number): boolean {
    const number = line.count();
    if (!(number >= 0) || !line.skip(TRACE)) return false;
    const serial = line.count();
    if (!(serial >= 0) || !line.skip(STATUS)) return false;
    const said = new TextDecoder().decode(line.bytes.subarray(line.at, line.end)).replace(/[ \t]+$/, '');
    const parts = STATUS_TEXT.exec(said);
    if (parts === null) return false;
    const [, prefix = said, word] = parts;
    const unsuspended = STATES.get(word) ?? 'suspended';
    const state = prefix === SUSPENDED && unsuspended === 'runnable' ? 'suspended' : unsuspended;
    const trace = this.#traces.reference(serial);
    this.states.add({
      stack: trace,
      thread: this.#threads.rowOf(number),
      dump: section,
      state: THREAD_STATES.indexOf(state),
      status: this.#program.name(said),
      trace,
    });
    return true;
  }

  /** `"name"(0x806d7d0)`, possibly with ` unowned`. */
  #raw(line: Cursor, section: number): boolean {
    const start = line.at - 1;
    const quote = line.lastOf(RAW_END);
    const from = line.at;
    if (quote < 0 || !line.isName(start, quote)) return false;
    line.at = quote + RAW_END.length;
    if (!line.hex() || line.bytes[line.at++] !== 41) return false;
    const spelled = line.at;
    if (!this.#atEnd(line)) return false;
    const name = this.#program.names.add(line.bytes, from, quote);
    this.#add(
      line,
      { dump: section, kind: MONITOR_KINDS.indexOf('raw'), name, address: addressOf(line) },
      start,
      spelled,
    );
    return true;
  }

  /** `java/lang/ref/Reference$Lock(811bd50)`, possibly with ` unowned`, or the signature `Ljava/lang/Object;` alone. */
  #monitor(line: Cursor, section: number): boolean {
    const start = line.at;
    let end = line.end;
    if (line.endsWith(UNOWNED)) end -= UNOWNED.length;
    const address = this.#address(line, start, end);
    const nameEnd = address < 0 ? end : line.at;
    if (!line.isName(start, end)) return false;
    const kind = MONITOR_KINDS.indexOf('object');
    const type = this.#program.class(this.#className(line.bytes, start, nameEnd));
    this.#add(line, { dump: section, kind, class: type, address }, start, end);
    return true;
  }

  /** The address in brackets at the end of a name, and the end of the name; -1 if there is no address. */
  #address(line: Cursor, start: number, end: number): number {
    if (line.bytes[end - 1] !== 41) return -1;
    let open = end - 1;
    while (open > start && line.bytes[open] !== 40) open--;
    line.at = open + 1;
    if (open === start || !line.hex() || line.at !== end - 1) return -1;
    line.at = open;
    return addressOf(line);
  }

  /** Turns a signature into the class name as traces and sites spell it, so that it is the same class. */
  #className(bytes: Uint8Array, from: number, to: number): number {
    if (bytes[from] !== 76 || bytes[to - 1] !== 59) return this.#program.names.add(bytes, from, to);
    const dotted = bytes.slice(from + 1, to - 1);
    for (let i = 0; i < dotted.length; i++) if (dotted[i] === 47) dotted[i] = 46;
    return this.#program.names.add(dotted, 0, dotted.length);
  }

  #atEnd(line: Cursor): boolean {
    line.skip(UNOWNED);
    return line.atEnd;
  }

  #add(
    line: Cursor,
    row: Readonly<Record<'dump' | 'kind' | 'address', number>> & { readonly name?: number; readonly class?: number },
    start: number,
    end: number,
  ): void {
    this.monitors.add({ owner: NONE, entries: -1, ...row });
    this.spelling.push(this.#program.names.add(line.bytes, start, end));
    this.offset.push(line.offset);
    this.#last = this.spelling.length - 1;
  }

  /** The following lines about a monitor belong to none that is known. */
  endRecord(): void {
    this.#last = NONE;
  }

  #owner(line: Cursor): boolean {
    if (this.#last < 0 || !line.skip(OWNER_THREAD)) return false;
    const number = line.count();
    if (!(number >= 0) || !line.skip(ENTRIES)) return false;
    const entries = line.count();
    if (!(entries >= 0) || !line.atEnd) return false;
    this.monitors.builders.owner.values[this.#last] = this.#threads.rowOf(number);
    this.monitors.builders.entries.values[this.#last] = entries;
    return true;
  }

  #waiting(line: Cursor, how: (typeof WAIT_KINDS)[number]): boolean {
    if (this.#last < 0) return false;
    const numbers: number[] = [];
    for (line.blanks(); !line.atEnd; line.blanks()) {
      if (!line.skip(OWNER_THREAD)) return false;
      const number = line.count();
      if (!(number >= 0) || !(line.skip(COMMA) || onlyBlanks(line))) return false;
      numbers.push(number);
    }
    if (numbers.length === 0) this.#emptyWaits = true;
    for (const number of numbers)
      this.waits.add({ monitor: this.#last, thread: this.#threads.rowOf(number), how: WAIT_KINDS.indexOf(how) });
    return true;
  }
}

function onlyBlanks(line: Cursor): boolean {
  line.blanks();
  return line.atEnd;
}

function addressOf(line: Cursor): number {
  return (line.high >>> 0) * 2 ** 32 + (line.low >>> 0);
}
