/** How long the blocks of the heap lived, as gprofng has it. */
import { eventEnds } from '../../../analysis/index-objects/event-values.js';
import { AddressTable } from '../../../base/columns/address-table.js';
import { Int32Builder } from '../../../base/columns/columns.js';
import { inTimeOrder } from '../../../base/columns/order.js';
import type { EventFacts } from '../../../formats/experiment/index.js';
import { MEMORY_STEPS } from '../../../models/events/memory.js';
import type { Table } from '../../../models/table.js';
import { heapColumns } from '../peer/event-columns.js';

const FREE = MEMORY_STEPS.indexOf('free');
const MAP = MEMORY_STEPS.indexOf('mmap');
const UNMAP = MEMORY_STEPS.indexOf('munmap');

/**
 * Nanoseconds from each allocation to what freed it, or to the last event of its process; 0 of what frees. Blocks are freed by their addresses, mappings
 * by the ranges of `munmap`. `lastOf`: the time of the last event of a process.
 */
export function heapLives(table: Table, { process }: EventFacts, lastOf: (process: number) => number): Float64Array {
  const { step, address, bytes, unmapped } = heapColumns(table);
  const ends = eventEnds(table);
  const lives = new Float64Array(table.length);
  if (!step || !address) return lives;
  const blocks = new LiveBlocks();
  const order = inTimeOrder(ends);
  for (let i = 0; i < table.length; i++) {
    const row = order?.[i] ?? i;
    const [kind, at, owner] = [step[row], address[row], process[row]];
    const end = (freed: number): void => {
      lives[freed] = ends[row] - ends[freed];
    };
    if (kind === FREE) {
      const freed = blocks.free(owner, at);
      if (freed >= 0) end(freed);
    } else if (kind === UNMAP) for (const freed of blocks.unmap(owner, at, unmapped?.[row] ?? 0)) end(freed);
    else {
      lives[row] = Math.max(0, lastOf(owner) - ends[row]);
      if (at <= 0) continue;
      if (kind === MAP) for (const freed of blocks.map(owner, { at, size: bytes[row], row })) end(freed);
      else blocks.allocate(owner, at, row);
    }
  }
  return lives;
}

/** A part of a mapping, and the row of the event that made it. */
interface Mapped {
  readonly at: number;
  readonly size: number;
  readonly row: number;
}

/** The blocks and mappings of all processes. */
class LiveBlocks {
  readonly #addresses = new Map<number, AddressTable>();
  /** By process, the first block at each address, or -1. */
  readonly #first = new Map<number, Int32Builder>();
  readonly #mapped = new Map<number, Mapped[]>();
  /** Bytes left of each mapping, by the row that made it. */
  readonly #left = new Map<number, number>();

  /** An address that is returned again before it was freed stays that of the first block. */
  allocate(process: number, at: number, row: number): void {
    const { place, first } = this.#at(process, at);
    if (first.values[place] < 0) first.values[place] = row;
  }

  /** The row of the block that is freed; -1 if it is unknown. */
  free(process: number, at: number): number {
    if (at <= 0) return -1;
    const { place, first } = this.#at(process, at);
    const row = first.values[place];
    first.values[place] = -1;
    return row;
  }

  #at(process: number, at: number): { readonly place: number; readonly first: Int32Builder } {
    const addresses = this.#addresses.get(process) ?? new AddressTable();
    const first = this.#first.get(process) ?? new Int32Builder();
    this.#addresses.set(process, addresses);
    this.#first.set(process, first);
    const place = addresses.add(at);
    if (place === first.length) first.push(-1);
    return { place, first };
  }

  /** Adds a mapping; returns the rows of those that it replaces whole. */
  map(process: number, mapping: Mapped): number[] {
    const replaced = this.unmap(process, mapping.at, mapping.size);
    const mapped = this.#mapped.get(process) ?? [];
    this.#mapped.set(process, mapped);
    mapped.push(mapping);
    this.#left.set(mapping.row, mapping.size);
    return replaced;
  }

  /** The rows of mappings of which nothing is left. */
  unmap(process: number, at: number, size: number): number[] {
    const mapped = this.#mapped.get(process) ?? [];
    const [parts, rows]: [Mapped[], number[]] = [[], []];
    for (const part of mapped) {
      const start = Math.max(at, part.at);
      const end = Math.min(at + size, part.at + part.size);
      if (start >= end) {
        parts.push(part);
        continue;
      }
      const left = (this.#left.get(part.row) ?? 0) - (end - start);
      this.#left.set(part.row, left);
      if (left === 0) rows.push(part.row);
      if (part.at < start) parts.push({ ...part, size: start - part.at });
      if (end < part.at + part.size) parts.push({ ...part, at: end, size: part.at + part.size - end });
    }
    this.#mapped.set(process, parts);
    return rows;
  }
}
