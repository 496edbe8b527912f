/** Threads and their lifetimes as byte ranges of the file. 60 bytes a thread. */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import { THREADS } from '../../../models/profile/tables.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { Table } from '../../../models/table.js';

/** Threads with the fields of this format. */
export const HPROF_THREADS = THREADS.having(['number', 'group', 'object', 'started', 'ended']);

export class ThreadTable {
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

  /** The row of a thread that starts: a new one if its number was used before. Its names are to be set. */
  begun(number: number, object: number, offset: number): number {
    let row = this.rowOf(number);
    if (this.started.values[row] >= 0 || this.ended.values[row] >= 0) {
      row = this.#add(number);
      this.#rows.values[this.#numbers.add(number | 0, Math.floor(number / 2 ** 32))] = row;
    }
    this.object.values[row] = object;
    this.started.values[row] = offset;
    return row;
  }

  /** The row of a thread that ends. */
  done(number: number, offset: number): number {
    const row = this.rowOf(number);
    this.ended.values[row] = offset;
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
