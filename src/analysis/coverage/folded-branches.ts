/**
 * The counted branches of each function, added over its contexts. Outcomes with the same index are one outcome (spec:
 * those without a BCI share it). O(rows); 40 bytes an outcome.
 */
import { IntTable } from '../../base/columns/hash.js';
import { type GroupMembers, membersOf } from '../../base/columns/lists.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
import type { Profile } from '../../models/profile/profile.js';
import { bciOf } from '../../models/program/places.js';
import type { FunctionId, Program } from '../../models/program/program.js';

export class FoldedBranches {
  /** (function, BCI): rows are branches. */
  readonly #branches: IntTable;
  /** (branch, index): rows are outcomes. */
  readonly #outcomes: IntTable;
  /** By outcome: its count, and 1 if a record of it has a place in the code. */
  readonly #count: Float64Array;
  readonly #placed: Uint8Array;
  #ofBranch: GroupMembers | undefined;

  constructor(profile: Profile, program: Program) {
    const events = BRANCH_EVENTS.of(profile);
    const length = events?.length ?? 0;
    this.#branches = new IntTable(length >> 1);
    this.#outcomes = new IntTable(length);
    this.#count = new Float64Array(length);
    this.#placed = new Uint8Array(length);
    if (events === undefined) return;
    const { stack, target, index, count } = events;
    for (let row = 0, branch = 0; row < length; row++) {
      if (stack[row] < 0) continue;
      const location = profile.stacks.location[stack[row]];
      if (row === 0 || stack[row] !== stack[row - 1])
        branch = this.#branches.add(program.locations.function[location], bciOf(program, location));
      const outcome = this.#outcomes.add(branch, index[row]);
      this.#count[outcome] += count[row];
      if (target[row] >= 0) this.#placed[outcome] = 1;
    }
  }

  /** Calls `visit` with the function of each branch. */
  forEachBranch(visit: (of: FunctionId) => void): void {
    for (let branch = 0; branch < this.#branches.length; branch++) visit(this.#branches.key(branch, 0));
  }

  /** Calls `visit` for each outcome with its function. `placed`: whether it has a place in the code. */
  forEachOutcome(visit: (of: FunctionId, count: number, placed: boolean) => void): void {
    for (let outcome = 0; outcome < this.#outcomes.length; outcome++) {
      const of = this.#branches.key(this.#outcomes.key(outcome, 0), 0);
      visit(of, this.#count[outcome], this.#placed[outcome] === 1);
    }
  }

  /** The number of outcomes taken of the branch at a BCI, over all `functions`: the same method recorded several times. */
  takenAt(functions: readonly FunctionId[], bci: number): number {
    this.#ofBranch ??= membersOf(this.#outcomes.column(0), this.#branches.length);
    const { start, members } = this.#ofBranch;
    const counts = new Map<number, number>();
    for (const id of functions) {
      const branch = this.#branches.find(id, bci);
      if (branch < 0) continue;
      for (let i = start[branch]; i < start[branch + 1]; i++) {
        const index = this.#outcomes.key(members[i], 1);
        counts.set(index, (counts.get(index) ?? 0) + this.#count[members[i]]);
      }
    }
    let taken = 0;
    for (const count of counts.values()) if (count > 0) taken++;
    return taken;
  }
}
