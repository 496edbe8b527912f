/** Native memory in use after each event. One pass in the order of time; memory: 16 bytes an event, an entry a block. */
import { inTimeOrder } from '../../base/columns/order.js';
import { MEMORY_STEPS, type NativeMemoryEvents } from '../../models/events/memory.js';

/** By event. */
export interface MemoryInUse {
  /** Bytes in use by its process after the event. */
  readonly bytes: Float64Array;
  /** Bytes that the event freed. */
  readonly freed: Float64Array;
}

/**
 * Sizes of blocks less those that were freed. `processOf`: the process of an event, whose addresses mean nothing in others. `reallocFrees`: whether realloc frees
 * the block that it was given, and an address that is returned again was freed before; else both still count.
 */
export function memoryInUse(
  events: NativeMemoryEvents,
  processOf: (row: number) => number,
  { reallocFrees }: { readonly reallocFrees: boolean },
): MemoryInUse {
  const { address, bytes, allocations, step, unmapped, previous, time, length } = events;
  const order = time && inTimeOrder(time);
  const blocks = new Map<number, Blocks>();
  const use = { bytes: new Float64Array(length), freed: new Float64Array(length) };
  for (let i = 0; i < length; i++) {
    const row = order?.[i] ?? i;
    const processBlocks = blocks.get(processOf(row)) ?? new Blocks();
    blocks.set(processOf(row), processBlocks);
    const place = address[row];
    const name = step === undefined ? undefined : MEMORY_STEPS[step[row]];
    const before = processBlocks.freed;
    if (name === 'munmap') processBlocks.unmap(unmapped?.[row] ?? 0);
    else if (name === 'free' || (step === undefined && allocations[row] === 0)) processBlocks.free(place);
    else if (place > 0) {
      if (reallocFrees && name === 'realloc') processBlocks.free(previous?.[row] ?? 0);
      if (reallocFrees) processBlocks.free(place);
      processBlocks.add(place, bytes[row]);
    }
    use.freed[row] = processBlocks.freed - before;
    use.bytes[row] = processBlocks.bytes;
  }
  return use;
}

/** Sizes by address. A block where another was not freed counts, but only the first one there can be freed. */
class Blocks {
  bytes = 0;
  /** All that was freed so far. */
  freed = 0;
  readonly #sizes = new Map<number, number>();

  add(place: number, size: number): void {
    if (!this.#sizes.has(place)) this.#sizes.set(place, size);
    this.bytes += size;
  }

  /** Nothing happens if there is no block. */
  free(place: number): void {
    this.unmap(this.#sizes.get(place) ?? 0);
    this.#sizes.delete(place);
  }

  unmap(size: number): void {
    const freed = Math.min(this.bytes, size);
    this.bytes -= freed;
    this.freed += freed;
  }
}

/** The moment at which a process had most in use. */
export interface MemoryPeak {
  readonly process: number;
  readonly bytes: number;
  /** Nanoseconds since the start of the recording; NaN unknown. */
  readonly time: number;
}

/** The peak of each process, by its number, in the order of their first events; the first of equal ones in time. */
export function memoryPeaks(
  { bytes, time }: { readonly bytes: ArrayLike<number>; readonly time: ArrayLike<number> | undefined },
  processOf: (row: number) => number,
): MemoryPeak[] {
  const order = time && inTimeOrder(time);
  const peaks = new Map<number, MemoryPeak>();
  for (let i = 0; i < bytes.length; i++) {
    const row = order?.[i] ?? i;
    const process = processOf(row);
    const peak = peaks.get(process);
    if (peak === undefined || bytes[row] > peak.bytes)
      peaks.set(process, { process, bytes: bytes[row], time: time?.[row] ?? Number.NaN });
  }
  return [...peaks.values()];
}
