/** Which traced allocations were never freed. One pass in the order of time; memory: an entry a live block. */
import type { Column } from '../../../models/table.js';

export interface HeapSteps {
  readonly length: number;
  readonly time?: Column | undefined;
  readonly address: Column;
  /** Index into `HEAP_STEPS`. */
  readonly step: Column;
  readonly size: Column;
  readonly previous: Column;
}

const FREE = 1;
const REALLOC = 2;
const MMAP = 3;
const MUNMAP = 4;

/** Bytes of each allocation that nothing freed, by row; 0 for all other rows. */
export function liveBytes({ length, time, address, step, size, previous }: HeapSteps): Float64Array {
  const live = new Float64Array(length);
  const order = new Int32Array(length);
  let isOrdered = true;
  for (let row = 0; row < length; row++) {
    order[row] = row;
    if (time !== undefined && row > 0 && time[row] < time[row - 1]) isOrdered = false;
  }
  if (time !== undefined && !isOrdered) order.sort((a, b) => time[a] - time[b] || a - b);
  /** Address → row of the block there. */
  const blocks = new Map<number, number>();
  const mapped = new MappedMemory(live);
  const free = (at: number): void => {
    const row = blocks.get(at);
    if (row === undefined) return;
    live[row] = 0;
    blocks.delete(at);
  };
  for (const row of order) {
    const [at, kind, bytes] = [address[row], step[row], size[row]];
    if (kind === FREE) free(at);
    else if (kind === MUNMAP) mapped.remove(at, bytes);
    else if (kind === MMAP && at > 0) mapped.add(row, at, bytes);
    else if (kind >= 0 && at > 0) {
      if (kind === REALLOC && previous[row] > 0) free(previous[row]);
      free(at);
      blocks.set(at, row);
      live[row] = bytes;
    }
  }
  return live;
}

interface Part {
  from: number;
  to: number;
  readonly row: number;
}

/** Ranges of mapped memory; parts of them may be unmapped. */
class MappedMemory {
  /** In the order of addresses, not overlapping. */
  readonly #parts: Part[] = [];
  readonly #live: Float64Array;

  constructor(live: Float64Array) {
    this.#live = live;
  }

  /** A mapping at addresses that others have replaces these. */
  add(row: number, at: number, bytes: number): void {
    this.remove(at, bytes);
    this.#live[row] = bytes;
    if (bytes > 0) this.#parts.splice(this.#firstAfter(at), 0, { from: at, to: at + bytes, row });
  }

  remove(at: number, bytes: number): void {
    const end = at + bytes;
    let i = this.#firstAfter(at);
    for (let part = this.#parts[i]; part !== undefined && part.from < end; part = this.#parts[i]) {
      const [from, to] = [Math.max(part.from, at), Math.min(part.to, end)];
      this.#live[part.row] = (this.#live[part.row] ?? 0) - (to - from);
      const left = [
        ...(part.from < from ? [{ ...part, to: from }] : []),
        ...(to < part.to ? [{ ...part, from: to }] : []),
      ];
      this.#parts.splice(i, 1, ...left);
      i += left.length;
    }
  }

  /** The first part that ends after an address. */
  #firstAfter(at: number): number {
    let [from, to] = [0, this.#parts.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#parts[middle]?.to ?? 0) > at) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}
