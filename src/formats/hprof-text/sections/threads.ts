/** THREAD, WAIT, WAITED and SLEEP lines. 56 bytes a wait. */
import { NONE } from '../../../base/flavor.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../../models/events/wait.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { ThreadTable } from '../../shared/hprof/threads.js';
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

/** The kinds of lines about waiting. `wait` and `sleep` have the longest time they may take, `waited` the time it took. */
export type WaitLineKind = 'wait' | 'waited' | 'sleep';

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

export class ThreadRows extends ThreadTable {
  readonly #program: ProgramBuilder;

  constructor(program: ProgramBuilder) {
    super(program);
    this.#program = program;
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
    const row = this.begun(number, object, line.offset);
    const names = this.#program.names;
    this.name.values[row] = names.add(line.bytes, line.at, group);
    const from = group + GROUP.length;
    this.group.values[row] = names.add(line.bytes, from, Math.max(from, line.end - CLOSE.length));
    return row;
  }

  /** `id = 200005)`. Returns the row, or -1. */
  end(line: Cursor): number {
    if (!line.skip(END_ID)) return NONE;
    const number = line.count();
    if (!(number >= 0) || line.bytes[line.at] !== 41 || line.at + 1 !== line.end) return NONE;
    return this.done(number, line.offset);
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
  add(how: WaitLineKind, line: Cursor): boolean {
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
