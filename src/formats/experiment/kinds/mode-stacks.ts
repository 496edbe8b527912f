/** Stacks of the other view modes, for recordings of programs with Java or OpenMP: columns beside the stacks that users see. */
import { type Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { EXPERT_STACK, MACHINE_STACK } from '../../../models/events/shared-fields.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Table } from '../../../models/table.js';
import type { PacketRun } from '../packets.js';
import type { CommonFields } from './event-source.js';
import type { FinishedKind } from './kind.js';

export class ModeStacks {
  readonly #machine = new Int32Builder();
  readonly #expert = new Int32Builder();
  #isNeeded = false;

  /** Appends the stacks of a run: to the builder those that users see. */
  append(common: CommonFields, run: PacketRun, stack: Int32Builder | Float64Builder): void {
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

  /** The table with the columns, if any event has other stacks. */
  addTo(table: Table): Table {
    if (!this.#isNeeded) return table;
    const columns = { [EXPERT_STACK.key]: this.#expert.finish(), [MACHINE_STACK.key]: this.#machine.finish() };
    const fields = [EXPERT_STACK, MACHINE_STACK].map((field) => ({ ...field, extension: true as const }));
    return { ...table, fields: [...table.fields, ...fields], columns: { ...table.columns, ...columns } };
  }
}
