/**
 * The rows of SITES, CPU SAMPLES, CPU TIME and MONITOR TIME. All begin with rank, own share and sum of shares so far;
 * shares have two decimal places, so times are known to a twenty-thousandth of the total.
 *
 *   SITES         rank self% accum%  live-bytes live-objects allocated-bytes allocated-objects trace class
 *   CPU SAMPLES   rank self% accum%  count trace method
 *   CPU TIME      rank self% accum%  count trace method          time of a row: its share of the total
 *   MONITOR TIME  rank self% accum%  count trace monitor         time of a row: its share of the total
 */
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import { TableColumns, type TableKind } from '../shared/hprof/tables.js';
import type { Cursor } from './cursor.js';
import type { TraceRows } from './sections/traces.js';

/** The rows of all tables of one kind, in the order of the file. */
export class TableRows extends TableColumns {
  readonly #program: ProgramBuilder;
  readonly #traces: TraceRows;
  constructor(kind: TableKind, program: ProgramBuilder, traces: TraceRows) {
    super(kind);
    this.#program = program;
    this.#traces = traces;
  }

  /** Adds a row; returns false for other lines. */
  add(line: Cursor): boolean {
    const sites = this.kind === 'sites';
    const rank = number(line);
    line.blanks();
    const share = line.percent();
    line.blanks();
    const accumulated = line.percent();
    const count = number(line);
    const liveObjects = sites ? number(line) : 0;
    const allocatedBytes = sites ? number(line) : 0;
    const allocatedObjects = sites ? number(line) : 0;
    const serial = number(line);
    // One NaN makes the sum NaN.
    if (Number.isNaN(rank + share + accumulated + count + liveObjects + allocatedBytes + allocatedObjects))
      return false;
    if (!(serial >= 0) || line.bytes[line.at] !== 32 || !line.isName(line.at + 1, line.end)) return false;
    line.at++;
    this.rank.push(rank);
    this.share.push(inRange(share));
    this.accumulated.push(inRange(accumulated));
    this.count.push(count);
    if (sites) {
      this.liveObjects.push(liveObjects);
      this.allocatedBytes.push(allocatedBytes);
      this.allocatedObjects.push(allocatedObjects);
    }
    this.trace.push(this.#traces.reference(serial));
    this.name.push(this.#program.names.add(line.bytes, line.at, line.end));
    this.offset.push(line.offset);
    return true;
  }
}

function number(line: Cursor): number {
  line.blanks();
  return line.count();
}

function inRange(value: number): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value));
}
