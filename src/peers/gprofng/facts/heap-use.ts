/** What a process had on its heap after each event of heap tracing. */
import { inTimeOrder } from '../../../base/columns/order.js';
import type { EventFacts } from '../../../formats/experiment/index.js';
import { TIME } from '../../../models/events/shared-fields.js';
import { columnOf, type Table } from '../../../models/table.js';
import { heapColumns } from '../peer/event-columns.js';
import { HEAP_STEPS_BY_NUMBER } from './words.js';

/** By row of the table. */
export interface HeapUse {
  /** Bytes on the heap of its process after the event. */
  readonly bytes: Float64Array;
  /** Bytes that the event freed. */
  readonly freed: Float64Array;
}

/** Sizes of blocks less those that were freed, in the order of time. `strict`: gprofng misses what realloc frees, in place or not. */
export function heapUse(table: Table, facts: EventFacts, strict: boolean): HeapUse {
  const { address, bytes, step, unmapped, previous } = heapColumns(table);
  const times = columnOf(table, TIME);
  const order = times && inTimeOrder(times);
  const heaps = new Map<number, Heap>();
  const use = { bytes: new Float64Array(table.length), freed: new Float64Array(table.length) };
  for (let i = 0; i < table.length; i++) {
    const row = order === undefined ? i : order[i];
    const heap = heaps.get(facts.process[row]) ?? new Heap();
    heaps.set(facts.process[row], heap);
    const at = address?.[row] ?? 0;
    const kind = HEAP_STEPS_BY_NUMBER[step?.[row] ?? -1];
    const before = heap.freed;
    if (kind === 'free') heap.free(at);
    else if (kind === 'munmap') heap.unmap(unmapped?.[row] ?? 0);
    else if (at > 0) {
      if (!strict && kind === 'realloc') heap.free(previous?.[row] ?? 0);
      if (!strict) heap.free(at);
      heap.add(at, bytes[row], kind === 'realloc');
    }
    use.freed[row] = heap.freed - before;
    // gprofng has no bytes where the freed block is unknown.
    use.bytes[row] = strict && kind === 'free' && heap.freed === before ? 0 : heap.bytes;
  }
  return use;
}

/** Sizes by address: several where gprofng misses that a block was freed; those of realloc come last. */
class Heap {
  bytes = 0;
  /** All that was freed so far. */
  freed = 0;
  readonly #sizes = new Map<number, number[]>();

  add(at: number, size: number, isLast: boolean): void {
    const sizes = this.#sizes.get(at) ?? [];
    if (isLast) sizes.push(size);
    else sizes.unshift(size);
    this.#sizes.set(at, sizes);
    this.bytes += size;
  }

  /** Nothing happens if there is no block. */
  free(at: number): void {
    const sizes = this.#sizes.get(at);
    this.unmap(sizes?.shift() ?? 0);
    if (sizes?.length === 0) this.#sizes.delete(at);
  }

  unmap(size: number): void {
    const freed = Math.min(this.bytes, size);
    this.bytes -= freed;
    this.freed += freed;
  }
}
