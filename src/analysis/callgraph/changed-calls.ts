/**
 * Call sites and targets that one graph has and another lacks. A site is its caller, chain of indexes and declared target; ids and the order
 * in a report say nothing. Equal sites are counted: what one side has more often is new. Direct calls without a target are left out, since
 * reports in text do not have them. Cost: 30 bytes a different site or target, and the indexes.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntRuns, IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { CALL_KINDS } from '../../models/callgraph/call-graph.js';
import type { JoinedGraph } from './joined-graph.js';

/** Rows that differ. */
export interface ChangedRows {
  /** Numbers of rows of reachable methods on both sides. */
  readonly base: number;
  readonly value: number;
  readonly new: number;
  readonly gone: number;
  /** Different rows: 1 if the side now has it more often, else 0; a row of that side's graph, and how many more it has. */
  readonly isNew: Uint8Array;
  readonly row: Int32Array;
  readonly count: Int32Array;
}

export interface ChangedCalls {
  readonly sites: ChangedRows;
  readonly targets: ChangedRows;
}

const VIRTUAL = CALL_KINDS.indexOf('virtual');

export function changedCalls(base: JoinedGraph, now: JoinedGraph): ChangedCalls {
  const siteKeys = new IntRuns(now.index.graph.sites.length, 4);
  const targetKeys = new IntTable(now.index.graph.targets.length);
  const siteRows = new Tally();
  const targetRows = new Tally();
  for (const [side, { index, has }] of [base, now].entries()) {
    const { sites, targets } = index.graph;
    for (let site = 0; site < sites.length; site++) {
      const [from, end] = [sites.first[site], sites.first[site + 1]];
      const isVirtual = sites.kind[site] === VIRTUAL;
      if (has[sites.caller[site]] === 0 || (from === end && !isVirtual)) continue;
      siteKeys.push(sites.caller[site]);
      // What a direct call declares is in tables only; it is what it calls.
      siteKeys.push(isVirtual ? sites.declared[site] : -2 - targets.callee[from]);
      for (let i = sites.bciStart[site]; i < sites.bciStart[site + 1]; i++) siteKeys.push(sites.bcis[i]);
      const key = siteKeys.add();
      siteRows.add(side, key, site);
      for (let row = from; row < end; row++) targetRows.add(side, targetKeys.add(key, targets.callee[row]), row);
    }
  }
  return { sites: siteRows.finish(), targets: targetRows.finish() };
}

/** Rows of both sides by key. */
class Tally {
  /** By side. */
  readonly #sums = [0, 0];
  /** By key: rows now minus rows of the base, and the last row of each side. */
  readonly #more = new Int32Builder();
  readonly #rows = [new Int32Builder(), new Int32Builder()] as const;

  add(side: number, key: number, row: number): void {
    if (key === this.#more.length) {
      this.#more.push(0);
      for (const rows of this.#rows) rows.push(NONE);
    }
    this.#sums[side]++;
    this.#more.values[key] += side === 0 ? -1 : 1;
    const [base, now] = this.#rows;
    (side === 0 ? base : now).values[key] = row;
  }

  finish(): ChangedRows {
    const [base, now] = this.#rows;
    const rows = new Int32Builder(16);
    const counts = new Int32Builder(16);
    const sides: number[] = [];
    const changed = [0, 0];
    for (let key = 0; key < this.#more.length; key++) {
      const more = this.#more.values[key];
      if (more === 0) continue;
      const side = more > 0 ? 1 : 0;
      changed[side] += Math.abs(more);
      sides.push(side);
      rows.push((side === 1 ? now : base).values[key]);
      counts.push(Math.abs(more));
    }
    return {
      base: this.#sums[0],
      value: this.#sums[1],
      new: changed[1],
      gone: changed[0],
      isNew: Uint8Array.from(sides),
      row: rows.finish(),
      count: counts.finish(),
    };
  }
}
