/**
 * Traces: the file's numbers for stacks. Frames are innermost first. 4 bytes a frame and 24 a trace.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import { rootOf, StackBuilder } from '../../../models/profile/stack-builder.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { isThreadRoot, mayBeThreadRoot } from '../../../models/program/thread-roots.js';
import type { ThreadTable } from './threads.js';

/** The pseudo functions in the stacks of this format. */
export const TRUNCATED = '<Truncated-stack>';
export const NO_STACK = '<no Java callstack recorded>';
export const NOT_IN_FILE = '<Unknown>';
export const BELOW_CUTOFF = '<Below cutoff>';

/** `class.method` of a location. */
export type MethodOf = (location: number) => string;

export class TraceTable {
  readonly #program: ProgramBuilder;
  readonly #threads: ThreadTable;
  readonly serial = new Float64Builder();
  readonly thread = new Int32Builder();
  readonly offset = new Float64Builder();
  /** Trace `t` has the frames `frames[first[t] .. first[t + 1])`, innermost first: locations, at the latest when it is finished. */
  readonly first = new Int32Builder();
  readonly frames = new Int32Builder();
  readonly #serials = new IntTable();
  /** Dense id of a serial → first row, -1 while it is only referred to. */
  readonly #rows = new Int32Builder();

  constructor(program: ProgramBuilder, threads: ThreadTable) {
    this.#program = program;
    this.#threads = threads;
  }

  get length(): number {
    return this.serial.length;
  }

  /** The reference to a trace until `finish`: its serial as a dense number. */
  reference(serial: number): number {
    const known = this.#serials.length;
    const id = this.#serials.add(serial | 0, Math.floor(serial / 2 ** 32));
    if (id === known) this.#rows.push(NONE);
    return id;
  }

  /**
   * Begins a trace, whose frames are then pushed. `thread`: its number, or -1. Returns 'twice' if another trace has the serial:
   * references mean the first.
   */
  start(serial: number, thread: number, offset: number): 'new' | 'twice' {
    const id = this.reference(serial);
    const twice = this.#rows.values[id] >= 0;
    if (!twice) this.#rows.values[id] = this.length;
    this.#append(serial, thread < 0 ? NONE : this.#threads.rowOf(thread), offset);
    return twice ? 'twice' : 'new';
  }

  #append(serial: number, thread: number, offset: number): number {
    this.thread.push(thread);
    this.offset.push(offset);
    this.first.push(this.frames.length);
    return this.serial.push(serial);
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

  /** The innermost frame of a trace; -1 if it has none. */
  innermost(row: number): number {
    const first = this.first.values[row];
    return first < this.#end(row) ? this.frames.values[first] : NONE;
  }

  /**
   * The depth at which the agent cut its traces, from the file: the length of the longest, unless all of that length
   * may begin with the first method of a thread. 0 if no trace shows it, or all are empty.
   */
  depthLimit(methodOf: MethodOf): number {
    const { longest } = this;
    if (longest === 0) return 0;
    for (let row = 0; row < this.length; row++) {
      const end = this.#end(row);
      const outermost = this.frames.values[end - 1];
      if (end - this.first.values[row] === longest && !mayBeThreadRoot(methodOf(outermost))) return longest;
    }
    return 0;
  }

  /** Whether the agent cut a trace: it is as long as `limit`, and its outermost frame does not begin its thread. */
  #isCut(row: number, limit: number, methodOf: MethodOf): boolean {
    const end = this.#end(row);
    if (limit === 0 || end - this.first.values[row] < limit) return false;
    const outermost = this.frames.values[end - 1];
    return !isThreadRoot(methodOf(outermost), this.#threads.nameOf(this.thread.values[row]));
  }

  /**
   * Makes the stacks: cut traces begin with `<Truncated-stack>`; empty and missing traces are one pseudo frame. `add`
   * adds further stacks to the same table.
   */
  finish(limit: number, methodOf: MethodOf): FinishedTraces {
    const program = this.#program;
    const builder = new StackBuilder();
    const truncated = program.location(program.pseudo(TRUNCATED));
    const pseudo = (text: string): number => builder.add(rootOf('failed'), program.location(program.pseudo(text)));
    const stack = new Int32Builder(this.length);
    const known = this.length;
    const methods = new Map<number, string>();
    const cached: MethodOf = (location) => {
      const method = methods.get(location) ?? methodOf(location);
      methods.set(location, method);
      return method;
    };
    let cut = 0;
    for (let row = 0; row < known; row++) {
      const first = this.first.values[row];
      const end = this.#end(row);
      const isCut = this.#isCut(row, limit, cached);
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
      this.#rows.values[id] = this.#append(high[id] * 2 ** 32 + (low[id] >>> 0), NONE, -1);
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
  /** `TraceTable.reference` → row. */
  readonly rows: Int32Array;
  readonly builder: StackBuilder;
}
