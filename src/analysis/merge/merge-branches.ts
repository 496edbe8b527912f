/**
 * Merges the branches of several profiles. The targets of an entry depend on the code that ran: if two files disagree
 * on them in one context, they come from different code, and the sum of their counts would belong to neither. So
 * entries with the same targets are added, and of those that disagree the heaviest is kept whole.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
import { forEachSite } from '../../models/events/counted.js';
import type { Column, Table } from '../../models/table.js';
import { ExactSums } from './exact-sums.js';

export interface WeightedTable {
  readonly table: Table;
  /** Index of the input. */
  readonly input: number;
  readonly weight: number;
  readonly exactWeight: bigint;
  /** Its stacks → joined stacks. */
  readonly stacks: Int32Array;
}

/** Entries that were left out, since they disagree with a heavier one. */
export interface Conflict {
  readonly stack: number;
  /** Inputs with the kept targets, and inputs with others. */
  readonly kept: readonly number[];
  readonly dropped: readonly number[];
}

export interface MergedBranches {
  readonly columns: Readonly<Record<'stack' | 'target' | 'index', Int32Array> & { count: Float64Array }>;
  readonly length: number;
  readonly conflicts: readonly Conflict[];
  readonly saturated: number;
}

/**
 * Sorts the rows `from` up to, without, `to` by index and target; their order in the file has no meaning. Equal rows
 * keep their order: one index and one mark are used for several cases of a switch.
 */
function sortRecords(rows: number[], index: Column, target: Column, from: number, to: number): void {
  const compare = (a: number, b: number): number => index[a] - index[b] || target[a] - target[b];
  rows.length = to - from;
  let sorted = true;
  for (let row = from; row < to; row++) {
    rows[row - from] = row;
    if (row > from && compare(row - 1, row) > 0) sorted = false;
  }
  if (!sorted) rows.sort(compare);
}

/** Entries with the same targets in one context. */
class BranchGroups {
  /** (stack, list of targets). */
  readonly #groups = new IntTable();
  /** (targets before, index, target): lists of targets as a trie, in the order of index and target. */
  readonly #lists = new IntTable();
  readonly #start = new Int32Builder();
  readonly #length = new Int32Builder();
  /** (group, input). */
  readonly #inputs = new IntTable();
  readonly #sums: ExactSums;

  constructor(denominator: bigint) {
    this.#sums = new ExactSums(denominator);
  }

  /** Adds the entries of a table; returns the number of entries with contexts that cannot be joined. */
  add({ table, input, weight, exactWeight, stacks }: WeightedTable): number {
    const branches = BRANCH_EVENTS.rows(table);
    const { target, index, count } = branches;
    let lost = 0;
    const rows: number[] = [];
    forEachSite(branches, (_site, stack, from, to) => {
      const joined = stacks[stack];
      if (joined === undefined || joined < 0) {
        lost++;
        return;
      }
      sortRecords(rows, index, target, from, to);
      let list = NONE;
      for (const row of rows) list = this.#lists.add(list, index[row], target[row]);
      const group = this.#group(joined, list, rows.length);
      this.#inputs.add(group, input);
      const start = this.#start.values[group];
      for (let i = 0; i < rows.length; i++) this.#sums.add(start + i, count[rows[i] ?? 0], weight, exactWeight);
    });
    return lost;
  }

  #group(stack: number, list: number, length: number): number {
    const group = this.#groups.add(stack, list);
    if (group < this.#start.length) return group;
    this.#start.push(this.#sums.length);
    this.#length.push(length);
    for (let i = 0; i < length; i++) this.#sums.push();
    return group;
  }

  finish(stackCount: number, inputCount: number): MergedBranches {
    const stack = this.#groups.column(0);
    const lists = new TargetLists(this.#groups.column(1), this.#lists);
    const best = new Int32Array(stackCount).fill(NONE);
    const contested = new Map<number, number[]>();
    for (let group = 0; group < stack.length; group++) {
      const rival = best[stack[group]];
      if (rival < 0) best[stack[group]] = group;
      else {
        const rivals = contested.get(stack[group]) ?? [rival];
        rivals.push(group);
        contested.set(stack[group], rivals);
        if (this.#isHeavier(group, rival, lists)) best[stack[group]] = group;
      }
    }
    const inputsOf = (group: number): number[] =>
      Array.from({ length: inputCount }, (_, input) => input).filter((input) => this.#inputs.find(group, input) >= 0);
    const conflicts = [...contested]
      .sort(([a], [b]) => a - b)
      .map(([at, groups]) => ({
        stack: at,
        kept: inputsOf(best[at]),
        dropped: [...new Set(groups.filter((group) => group !== best[at]).flatMap(inputsOf))].sort((a, b) => a - b),
      }));
    const columns = this.#columns(best, lists);
    return { columns, length: columns.count.length, conflicts, saturated: this.#sums.saturated };
  }

  /** By executions, then by targets: two groups of one stack differ in these. */
  #isHeavier(group: number, other: number, lists: TargetLists): boolean {
    const [start, length] = [this.#start.values, this.#length.values];
    const difference = this.#sums.compareRuns(start[group], length[group], start[other], length[other]);
    return difference === 0 ? lists.isBefore(group, other) : difference > 0;
  }

  #columns(best: Int32Array, lists: TargetLists): MergedBranches['columns'] {
    const length = best.reduce((sum, group) => (group < 0 ? sum : sum + this.#length.values[group]), 0);
    const columns = {
      stack: new Int32Array(length),
      index: new Int32Array(length),
      target: new Int32Array(length),
      count: new Float64Array(length),
    };
    let row = 0;
    best.forEach((group, stack) => {
      if (group < 0) return;
      const start = this.#start.values[group];
      lists.of(group).forEach(([index, target], i) => {
        columns.stack[row] = stack;
        columns.index[row] = index;
        columns.target[row] = target;
        columns.count[row++] = this.#sums.whole(start + i);
      });
    });
    return columns;
  }
}

/** The targets of each group, in order. */
class TargetLists {
  readonly #last: Int32Array;
  readonly #before: Int32Array;
  readonly #index: Int32Array;
  readonly #target: Int32Array;

  constructor(last: Int32Array, nodes: IntTable) {
    this.#last = last;
    [this.#before, this.#index, this.#target] = [nodes.column(0), nodes.column(1), nodes.column(2)];
  }

  of(group: number): (readonly [index: number, target: number])[] {
    const list: (readonly [number, number])[] = [];
    for (let node = this.#last[group]; node >= 0; node = this.#before[node])
      list.push([this.#index[node], this.#target[node]]);
    return list.reverse();
  }

  /** Orders lists that are not equal. */
  isBefore(group: number, other: number): boolean {
    const [a, b] = [this.of(group).flat(), this.of(other).flat()];
    const at = a.findIndex((value, i) => value !== b[i]);
    return at < 0 || (b[at] !== undefined && (a[at] ?? 0) < b[at]);
  }
}

/** Merges the branches of all inputs; `lost` counts entries with contexts that cannot be joined, by input. */
export function mergeBranches(
  tables: readonly WeightedTable[],
  stackCount: number,
  denominator: bigint,
  lost: (input: number, entries: number) => void,
): MergedBranches {
  const groups = new BranchGroups(denominator);
  for (const table of tables) lost(table.input, groups.add(table));
  return groups.finish(stackCount, Math.max(0, ...tables.map(({ input }) => input + 1)));
}
