/** The targets of counted branches, added over entries. */
import { membersIn } from '../../base/columns/lists.js';
import type { BranchEvents } from '../../models/events/branch.js';
import { rowsIn, type SiteGroups } from './sites.js';

/** A target of a branch by the compiler's number; the lowest one if several numbers have one BCI. */
export interface BranchTarget {
  index: number;
  readonly bci: number;
  count: number;
}

/** Most branches have few targets: beyond these, they are looked up by a key. */
const FEW_TARGETS = 8;

/** Adds up targets without an object a target: nearly all branches have few, each with a BCI. */
export class FewTargets {
  length = 0;
  readonly index = new Int32Array(FEW_TARGETS);
  readonly bci = new Int32Array(FEW_TARGETS);
  readonly count = new Float64Array(FEW_TARGETS);
  readonly #events: BranchEvents;

  constructor(events: BranchEvents) {
    this.#events = events;
  }

  /** Adds rows; false if a target has no BCI, or if there are too many. */
  add(from: number, to: number): boolean {
    const { count, target, index } = this.#events;
    for (let row = from; row < to; row++) {
      const bci = target[row];
      if (bci < 0) return false;
      let at = 0;
      while (at < this.length && this.bci[at] !== bci) at++;
      if (at === FEW_TARGETS) return false;
      if (at === this.length) {
        this.length++;
        this.index[at] = index[row];
        this.bci[at] = bci;
        this.count[at] = count[row];
      } else {
        this.count[at] += count[row];
        if (index[row] < this.index[at]) this.index[at] = index[row];
      }
    }
    return true;
  }

  /** Orders the targets by index; equal ones stay in the order in which they were added. */
  sort(): void {
    for (let i = 1; i < this.length; i++)
      for (let at = i; at > 0 && this.index[at - 1] > this.index[at]; at--) this.#swap(at);
  }

  #swap(at: number): void {
    const { index, bci, count } = this;
    [index[at - 1], index[at]] = [index[at], index[at - 1]];
    [bci[at - 1], bci[at]] = [bci[at], bci[at - 1]];
    [count[at - 1], count[at]] = [count[at], count[at - 1]];
  }

  list(): BranchTarget[] {
    const { index, bci, count } = this;
    return Array.from({ length: this.length }, (_, at) => ({ index: index[at], bci: bci[at], count: count[at] }));
  }
}

/**
 * The targets in rows of the branch table. Cases of a switch that share a target have one record with its BCI and
 * further ones with BCI -5 (unknown) and the same index, in one entry; in other contexts the index may belong to
 * another outcome. Indexes with the same BCI are one outcome; those without a BCI are distinguished by the index.
 */
export function targetsByIndex(branches: BranchEvents, rows: readonly number[]): BranchTarget[] {
  const { count, target, index, site: entry } = branches;
  const places = new Map<string, number>();
  for (const row of rows) if (target[row] >= 0) places.set(`${entry[row]} ${index[row]}`, target[row]);
  const ways = new Map<string, BranchTarget>();
  for (const row of rows) {
    const bci = target[row] >= 0 ? target[row] : (places.get(`${entry[row]} ${index[row]}`) ?? target[row]);
    const key = bci < 0 ? `#${index[row]}` : String(bci);
    const known = ways.get(key);
    if (known === undefined) ways.set(key, { index: index[row], bci, count: count[row] });
    else {
      known.count += count[row];
      known.index = Math.min(known.index, index[row]);
    }
  }
  return [...ways.values()].sort((a, b) => a.index - b.index);
}

/** Targets of some entries, by index. */
export function targetsOf(branches: BranchEvents, { entries }: SiteGroups, members: Int32Array): BranchTarget[] {
  const few = new FewTargets(branches);
  for (const entry of members)
    if (!few.add(entries.from[entry], entries.from[entry + 1]))
      return targetsByIndex(branches, rowsIn(entries, members));
  few.sort();
  return few.list();
}

/** By group: executions of the branch, and those with its most frequent outcome. */
export interface BranchSums {
  readonly executed: Float64Array;
  readonly most: Float64Array;
}

/** The sums of all groups of branches. */
export function branchSums(branches: BranchEvents, groups: SiteGroups): BranchSums {
  const { from } = groups.entries;
  const { start, members } = groups;
  const executed = new Float64Array(groups.length);
  const most = new Float64Array(groups.length);
  const few = new FewTargets(branches);
  for (let group = 0; group < groups.length; group++) {
    few.length = 0;
    let at = start[group];
    while (at < start[group + 1] && few.add(from[members[at]], from[members[at] + 1])) at++;
    if (at === start[group + 1])
      for (let i = 0; i < few.length; i++) {
        executed[group] += few.count[i];
        most[group] = Math.max(most[group], few.count[i]);
      }
    else
      for (const { count } of targetsOf(branches, groups, membersIn(groups, group))) {
        executed[group] += count;
        most[group] = Math.max(most[group], count);
      }
  }
  return { executed, most };
}
