/** Which traced allocations were never freed. One pass in the order of time; memory: an entry an address, and a row number a row if rows are not in this order. */
import { AddressTable } from '../../../base/columns/address-table.js';
import { Int32Builder } from '../../../base/columns/columns.js';
import { inTimeOrder } from '../../../base/columns/order.js';
import { firstNot } from '../../../base/columns/search.js';
import type { Column } from '../../../models/table.js';

export interface HeapSteps {
  readonly length: number;
  readonly time: Column;
  readonly address: Column;
  /** Index into `MEMORY_STEPS`. */
  readonly step: Column;
  /** Bytes of allocations; 0 in other rows. */
  readonly bytes: Column;
  /** Bytes that munmap was given; 0 in other rows. */
  readonly unmapped: Column | undefined;
  /** Address that realloc was given; 0 where it is unknown. */
  readonly previous: Column | undefined;
}

const FREE = 1;
const REALLOC = 2;
const MMAP = 3;
const MUNMAP = 4;

/** Bytes of each allocation that nothing freed, by row; 0 for all other rows. */
export function liveBytes({ length, time, address, step, bytes, unmapped, previous }: HeapSteps): Column {
  // No value is above the bytes of its row.
  const live = bytes instanceof Int32Array ? new Int32Array(length) : new Float64Array(length);
  const order = inTimeOrder(time);
  const blocks = new Blocks(live);
  const mapped = new MappedMemory(live);
  for (let i = 0; i < length; i++) {
    const row = order === undefined ? i : order[i];
    const [at, kind] = [address[row], step[row]];
    if (kind === FREE) blocks.free(at);
    else if (kind === MUNMAP) mapped.remove(at, unmapped?.[row] ?? 0);
    else if (kind === MMAP && at > 0) mapped.add(row, at, bytes[row]);
    else if (kind >= 0 && at > 0) {
      if (kind === REALLOC && previous !== undefined && previous[row] > 0) blocks.free(previous[row]);
      blocks.allocate(at, row);
      live[row] = bytes[row];
    }
  }
  return live;
}

/** Blocks by their addresses. */
class Blocks {
  readonly #addresses = new AddressTable();
  /** By address: the row of the block there, or -1. */
  readonly #rows = new Int32Builder();
  readonly #live: Column;

  constructor(live: Column) {
    this.#live = live;
  }

  free(at: number): void {
    const known = this.#addresses.find(at);
    if (known < 0) return;
    const row = this.#rows.values[known];
    if (row >= 0) this.#live[row] = 0;
    this.#rows.values[known] = -1;
  }

  /** An address that is returned again was freed before. */
  allocate(at: number, row: number): void {
    const known = this.#addresses.add(at);
    if (known === this.#rows.length) {
      this.#rows.push(row);
      return;
    }
    const before = this.#rows.values[known];
    if (before >= 0) this.#live[before] = 0;
    this.#rows.values[known] = row;
  }
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
  readonly #live: Column;

  constructor(live: Column) {
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
    return firstNot(0, this.#parts.length, (i) => (this.#parts[i]?.to ?? 0) <= at);
  }
}
