/** The tables that all chunks of a recording add to. */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import type { StringId } from '../../../base/text.js';
import { REFERENCES } from '../../../models/heap/references.js';
import type { StackId } from '../../../models/profile/profile.js';
import { StackBuilder } from '../../../models/profile/stack-builder.js';
import { THREADS } from '../../../models/profile/tables.js';
import type { LocationId } from '../../../models/program/program.js';
import { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { Table } from '../../../models/table.js';

export interface NewThread {
  readonly name: StringId;
  readonly number: number;
  readonly native: number;
  readonly virtual: number;
  readonly group: StringId;
  /** What only dumps have; -1 unknown. */
  readonly address?: number;
  readonly daemon?: number;
  readonly priority?: number;
}

/** Threads: those of the same name and numbers are one, in all chunks. */
class ThreadTable {
  readonly #program: ProgramBuilder;
  readonly #rows = new IntTable(16);
  readonly #name = new Int32Builder(16);
  readonly #number = new Float64Builder(16);
  readonly #native = new Float64Builder(16);
  readonly #virtual = new Int32Builder(16);
  readonly #group = new Int32Builder(16);
  readonly #address = new Float64Builder(16);
  readonly #daemon = new Int32Builder(16);
  readonly #priority = new Int32Builder(16);

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  add(thread: NewThread): number {
    const { name, number, native, virtual, group } = thread;
    const known = this.#rows.length;
    const row = this.#rows.add(name, number | 0, native | 0);
    if (row === known) this.#push({ name, number, native, virtual, group });
    if (thread.address !== undefined) this.#describe(row, thread);
    return row;
  }

  #push({ name, number, native, virtual, group }: NewThread): void {
    this.#name.push(name < 0 ? this.#program.name('') : name);
    // 0 stands for a thread of the virtual machine.
    this.#number.push(number > 0 ? number : -1);
    this.#native.push(native > 0 ? native : -1);
    this.#virtual.push(virtual);
    this.#group.push(group);
    this.#address.push(NONE);
    this.#daemon.push(NONE);
    this.#priority.push(NONE);
  }

  #describe(row: number, { address = NONE, daemon = NONE, priority = NONE }: NewThread): void {
    this.#address.values[row] = address;
    this.#daemon.values[row] = daemon;
    this.#priority.values[row] = priority;
  }

  finish(): Table | undefined {
    if (this.#rows.length === 0) return undefined;
    const some = <Values extends Int32Array | Float64Array>(values: Values): Values | undefined =>
      values.some((value: number) => value >= 0) ? values : undefined;
    return THREADS.table({
      name: this.#name.finish(),
      number: this.#number.finish(),
      native: this.#native.finish(),
      virtual: some(this.#virtual.finish()),
      group: some(this.#group.finish()),
      address: some(this.#address.finish()),
      daemon: some(this.#daemon.finish()),
      priority: some(this.#priority.finish()),
    });
  }
}

export class RecordingTables {
  readonly program = new ProgramBuilder();
  readonly stacks = new StackBuilder();
  readonly threads = new ThreadTable(this.program);
  readonly references = REFERENCES.builder();
  /** Locations in functions of a recorder that stand in for those that a program calls. */
  readonly hooks = new Set<LocationId>();

  /** The stack without a function of the recorder at its end: its caller is what the program called. */
  withoutHook(stack: StackId): StackId {
    return stack >= 0 && this.hooks.has(this.stacks.locationOf(stack)) ? this.stacks.parentOf(stack) : stack;
  }
}
