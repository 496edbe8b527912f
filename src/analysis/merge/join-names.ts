/**
 * Joins the names of several programs into one table, independent of the order of the programs: each name once, sorted
 * by its bytes. Cost: one pass over the names, 30 to 60 bytes a distinct name while it runs.
 */
import { mapped, rowsWhere } from '../../base/columns/marks.js';
import type { StringTable } from '../../base/text.js';
import type { Program } from '../../models/program/program.js';
import { sharedNames } from '../identity/distinct.js';

export interface JoinedNames {
  readonly names: StringTable;
  /** For each program: its StringId → the joined one. */
  readonly rows: readonly Int32Array[];
}

export function joinNames(programs: readonly Program[]): JoinedNames {
  const { names: shared, rows } = sharedNames(programs);
  const { bytes, offsets } = { bytes: shared.bytes.finish(), offsets: shared.offsets.finish() };
  const order = sortedNames(bytes, offsets);
  const rank = new Int32Array(order.length);
  const sorted = { bytes: new Uint8Array(bytes.length), offsets: new Int32Array(order.length + 1) };
  let at = 0;
  order.forEach((id, row) => {
    rank[id] = row;
    sorted.bytes.set(bytes.subarray(offsets[id], offsets[id + 1]), at);
    at += offsets[id + 1] - offsets[id];
    sorted.offsets[row + 1] = at;
  });
  return { names: sorted, rows: rows.map((ids) => mapped(ids, rank)) };
}

/** Runs of so few names are sorted by insertion. */
const FEW = 12;

/**
 * Names by their bytes, without strings: multikey quicksort (Bentley, Sedgewick 1997), which looks at each byte of a common
 * beginning once for all names that have it. The names differ.
 */
function sortedNames(bytes: Uint8Array, offsets: Int32Array): Int32Array {
  const order = rowsWhere(offsets.length - 1, () => true);
  /** The byte of a name behind those in common; 0 behind its end. */
  const byteOf = (id: number, depth: number): number => {
    const at = offsets[id] + depth;
    return at < offsets[id + 1] ? bytes[at] + 1 : 0;
  };
  /** Runs still to be sorted: from, to, and the number of bytes that their names have in common. */
  const runs = [0, order.length, 0];
  for (let depth = runs.pop(); depth !== undefined; depth = runs.pop()) {
    const to = runs.pop() ?? 0;
    const from = runs.pop() ?? 0;
    if (to - from <= FEW) {
      sortFew(order.subarray(from, to), bytes, offsets, depth);
      continue;
    }
    const pivot = byteOf(order[(from + to) >> 1], depth);
    let smaller = from;
    let larger = to;
    for (let i = from; i < larger; ) {
      const id = order[i];
      const byte = byteOf(id, depth);
      const swapped = byte < pivot ? smaller++ : byte > pivot ? --larger : i;
      order[i] = order[swapped];
      order[swapped] = id;
      if (byte <= pivot) i++;
    }
    runs.push(from, smaller, depth, larger, to, depth);
    if (pivot > 0) runs.push(smaller, larger, depth + 1);
  }
  return order;
}

function sortFew(order: Int32Array, bytes: Uint8Array, offsets: Int32Array, depth: number): void {
  for (let i = 1; i < order.length; i++) {
    const id = order[i];
    let at = i;
    for (; at > 0 && isBefore(bytes, offsets, id, order[at - 1], depth); at--) order[at] = order[at - 1];
    order[at] = id;
  }
}

/** Whether name `a` precedes `b`; their first `depth` bytes are equal. */
function isBefore(bytes: Uint8Array, offsets: Int32Array, a: number, b: number, depth: number): boolean {
  const endOfA = offsets[a + 1];
  const endOfB = offsets[b + 1];
  let i = offsets[a] + depth;
  let j = offsets[b] + depth;
  while (i < endOfA && j < endOfB && bytes[i] === bytes[j]) {
    i++;
    j++;
  }
  return j < endOfB && (i >= endOfA || bytes[i] < bytes[j]);
}
