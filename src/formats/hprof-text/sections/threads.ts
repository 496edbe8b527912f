/**
 * THREAD, WAIT, WAITED and SLEEP lines: the lifetimes of threads as byte ranges of the file, and waits. 60 bytes a
 * thread, 56 a wait.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns.js';
import { NONE } from '../../../base/flavor.js';
import { IntTable } from '../../../base/hash.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../../models/events/wait.js';
import { THREADS } from '../../../models/profile/tables.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { Table } from '../../../models/table.js';
import { ascii, type Cursor } from '../cursor.js';

const START = ascii('THREAD START (obj=');
const OBJ = ascii('obj=');
const ID = ascii(', id = ');
const NAME = ascii(', name="');
const GROUP = ascii('", group="');
const CLOSE = ascii('")');
const END_ID = ascii('id = ');
const COMMA = ascii(', ');
const TIMEOUT = ascii('timeout=');
const TIME_WAITED = ascii('time_waited=');
const THREAD = ascii('thread ');
const UNKNOWN_THREAD = ascii('<unknown thread>');
const MONITOR = ascii('MONITOR ');

const NS_PER_MS = 1e6;

/** Threads with the fields of this format. */
export const HPROF_THREADS = THREADS.having(['number', 'group', 'object', 'started', 'ended']);

/** The kinds of lines about waiting. `wait` and `sleep` have the longest time they may take, `waited` the time it took. */
export type WaitLine = 'wait' | 'waited' | 'sleep';

/** Waits in the order of the file. */
export const HPROF_WAITS = WAIT_EVENTS.having(['monitor', 'timeout']).extended([
  {
    key: 'offset',
    title: 'Byte',
    holds: 'number',
    unit: 'none',
    meaning: 'offset in the input',
    wide: true,
  },
]);

export class ThreadRows {
  readonly #program: ProgramBuilder;
  readonly #numbers = new IntTable();
  /** Dense id of a number → newest row. */
  readonly #rows = new Int32Builder();
  readonly number = new Float64Builder();
  readonly name = new Int32Builder();
  readonly group = new Int32Builder();
  readonly object = new Float64Builder();
  readonly started = new Float64Builder();
  readonly ended = new Float64Builder();

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  get length(): number {
    return this.number.length;
  }

  /** The thread of a number: its newest row, or a new one if it did not start in the file. */
  rowOf(number: number): number {
    const known = this.#numbers.length;
    const id = this.#numbers.add(number | 0, Math.floor(number / 2 ** 32));
    if (id === known) this.#rows.push(this.#add(number));
    return this.#rows.values[id];
  }

  #add(number: number): number {
    this.name.push(NONE);
    this.group.push(NONE);
    this.object.push(-1);
    this.started.push(-1);
    this.ended.push(-1);
    return this.number.push(number);
  }

  /** `obj=50000332, id = 200004, name="x", group="main")`, with any text between the quotes. Returns the row, or -1. */
  start(line: Cursor): number {
    if (!line.skip(OBJ) || !line.hex()) return NONE;
    const object = line.high * 2 ** 32 + (line.low >>> 0);
    if (!line.skip(ID)) return NONE;
    const number = line.count();
    if (!(number >= 0) || !line.skip(NAME)) return NONE;
    const group = line.lastOf(GROUP);
    // A start within the name means that the end of the first one is damaged. The quote that opens the group cannot
    // close it, too.
    if (group < 0 || !line.endsWith(CLOSE) || line.lastOf(START) >= 0) return NONE;
    if (group + GROUP.length + CLOSE.length > line.end) return NONE;
    let row = this.rowOf(number);
    if (this.started.values[row] >= 0 || this.ended.values[row] >= 0) {
      row = this.#add(number);
      this.#rows.values[this.#numbers.add(number | 0, Math.floor(number / 2 ** 32))] = row;
    }
    const names = this.#program.names;
    this.name.values[row] = names.add(line.bytes, line.at, group);
    const from = group + GROUP.length;
    this.group.values[row] = names.add(line.bytes, from, Math.max(from, line.end - CLOSE.length));
    this.object.values[row] = object;
    this.started.values[row] = line.offset;
    return row;
  }

  /** `id = 200005)`. Returns the row, or -1. */
  end(line: Cursor): number {
    if (!line.skip(END_ID)) return NONE;
    const number = line.count();
    if (!(number >= 0) || line.bytes[line.at] !== 41 || line.at + 1 !== line.end) return NONE;
    const row = this.rowOf(number);
    this.ended.values[row] = line.offset;
    return row;
  }

  /** The name of a thread; undefined if it is not in the file, or for no thread (-1). */
  nameOf(row: number): string | undefined {
    const name = row < 0 ? NONE : this.name.values[row];
    if (name < 0) return undefined;
    const { bytes, offsets } = this.#program.names;
    return new TextDecoder().decode(bytes.bytes.subarray(offsets.values[name], offsets.values[name + 1]));
  }

  finish(): Table {
    // Threads known by number only are named by it.
    for (let row = 0; row < this.length; row++) {
      if (this.name.values[row] < 0) this.name.values[row] = this.#program.name(`<thread ${this.number.values[row]}>`);
    }
    const { number, name, group, object, started, ended } = this;
    return HPROF_THREADS.table({
      name: name.finish(),
      number: number.finish(),
      group: group.finish(),
      object: object.finish(),
      started: started.finish(),
      ended: ended.finish(),
    });
  }
}

export class WaitRows {
  readonly #program: ProgramBuilder;
  readonly #threads: ThreadRows;
  readonly table = HPROF_WAITS.builder();

  constructor(program: ProgramBuilder, threads: ThreadRows) {
    this.#program = program;
    this.#threads = threads;
  }

  get length(): number {
    return this.table.length;
  }

  /** Reads the text after `WAIT: `, `WAITED: ` or `SLEEP: `. */
  add(how: WaitLine, line: Cursor): boolean {
    const monitor = how === 'sleep' ? NONE : this.#monitor(line, how === 'wait' ? TIMEOUT : TIME_WAITED);
    if (monitor === undefined || !line.skip(how === 'waited' ? TIME_WAITED : TIMEOUT)) return false;
    const milliseconds = line.decimal();
    if (Number.isNaN(milliseconds) || !line.skip(COMMA)) return false;
    let thread: number = NONE;
    if (!line.skip(UNKNOWN_THREAD)) {
      thread = line.skip(THREAD) ? line.count() : NaN;
      if (!(thread >= 0)) return false;
    }
    if (!line.atEnd) return false;
    this.table.add({
      thread: thread < 0 ? NONE : this.#threads.rowOf(thread),
      reason: WAIT_REASONS.indexOf(how === 'sleep' ? 'sleep' : 'object-wait'),
      monitor,
      timeout: how === 'waited' ? -1 : milliseconds * NS_PER_MS,
      waited: how === 'waited' ? milliseconds * NS_PER_MS : -1,
      offset: line.offset,
    });
    return true;
  }

  /** `MONITOR Ljava/lang/Object;, ` up to the next word; the name may have commas. */
  #monitor(line: Cursor, next: Uint8Array): number | undefined {
    if (!line.skip(MONITOR)) return undefined;
    const word = line.lastOf(next);
    const end = word - COMMA.length;
    const from = line.at;
    line.at = end;
    const parted = end >= from && line.sees(COMMA);
    line.at = from;
    if (word < 0 || !parted || !line.isName(from, end)) return undefined;
    const name = this.#program.names.add(line.bytes, line.at, end);
    line.at = word;
    return name;
  }
}
