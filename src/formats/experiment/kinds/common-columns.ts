/**
 * Columns that events of all kinds have beside their own: the processor that they happened on, and the stacks of the other view modes of programs with
 * Java or OpenMP.
 */
import { type Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { EXPERT_STACK, MACHINE_STACK, PROCESSOR } from '../../../models/events/shared-fields.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Table } from '../../../models/table.js';
import type { PacketRun } from '../packets.js';
import type { CommonFields } from './event-source.js';
import type { FinishedKind } from './kind.js';

export class CommonColumns {
  readonly #machine = new Int32Builder();
  readonly #expert = new Int32Builder();
  #isNeeded = false;
  readonly #processor = new Int32Builder();
  #hasProcessor = false;

  /** Appends what the events of a run have: to the builder the stacks that users see. */
  append(common: CommonFields, run: PacketRun, stack: Int32Builder | Float64Builder): void {
    this.#appendProcessors(common, run);
    stack.append(common.stacks(run));
    if (!this.#isNeeded && !common.hasModes) return;
    const user = stack.finish();
    if (!this.#isNeeded) {
      this.#isNeeded = true;
      const before = user.subarray(0, user.length - run.length);
      this.#machine.append(before);
      this.#expert.append(before);
    }
    const own = user.subarray(user.length - run.length);
    this.#machine.append(common.hasModes ? common.stacks(run, 'machine') : own);
    this.#expert.append(common.hasModes ? common.stacks(run, 'expert') : own);
  }

  /** The table with the columns, and its metrics; undefined if it has no rows. */
  finish(table: Table, metrics: readonly Metric[]): FinishedKind | undefined {
    return table.length === 0 ? undefined : { table: this.addTo(table), metrics };
  }

  #appendProcessors(common: CommonFields, run: PacketRun): void {
    const numbers = common.processors(run);
    this.#processor.append(numbers);
    this.#hasProcessor ||= numbers.some((number) => number >= 0);
  }

  /** The table with the columns: stacks if any event has others, processors if any is known. */
  addTo(table: Table): Table {
    const added = [
      ...(this.#hasProcessor ? [[PROCESSOR, this.#processor] as const] : []),
      ...(this.#isNeeded
        ? ([
            [EXPERT_STACK, this.#expert],
            [MACHINE_STACK, this.#machine],
          ] as const)
        : []),
    ];
    return {
      ...table,
      fields: [...table.fields, ...added.map(([field]) => ({ ...field, extension: true as const }))],
      columns: { ...table.columns, ...Object.fromEntries(added.map(([{ key }, values]) => [key, values.finish()])) },
    };
  }
}
