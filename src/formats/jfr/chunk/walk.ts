/**
 * The walk over the events of a chunk: size, type, payload. One pass forward through a window; what nobody asked for is skipped by
 * its size. Where no event can begin, it goes on at the next place from which several follow each other.
 */
import type { WalkKernel } from '../kernel/walk-kernel.js';
import { Cursor } from './cursor.js';
import { EventCounts } from './event-counts.js';
import type { EventWindow } from './event-window.js';
import { CHECKPOINT_EVENT, type ChunkHeader, isChunkAt, METADATA_EVENT } from './header.js';
import type { Rows } from './rows.js';

/** Larger events are skipped: a checkpoint of a large program has some MB. */
export const LARGEST_EVENT = 1 << 28;
/** Longest head of an event: two numbers. */
const LONGEST_HEAD = 18;
/** Events in a row that make a place the beginning of one. */
const IN_A_ROW = 4;
/** Bytes in which they are looked for. */
const ROW_BYTES = 1 << 16;
/** The header of an unfinished chunk has the duration up to its last flush. */
const LATER_SECONDS = 3600;

/** Gets the events of a type. */
export interface EventVisitor {
  /** Where the values of its events go, if that is all it does with them. */
  readonly rows?: Rows;
  /** The event is `bytes[start .. end)`, its payload begins at `at`. `offset`: of the event in the chunk. */
  visit(bytes: Uint8Array, at: number, end: number, offset: number, start: number): void;
}

export interface EventWalkOptions {
  readonly header: ChunkHeader;
  readonly visitors: ReadonlyMap<number, EventVisitor>;
  /** Whether the metadata have an event of this id; undefined if nothing is known. */
  readonly isEvent: ((id: number) => boolean) | undefined;
  /** Bytes that are no events: offset of the first in the file, their number, and what was found there. */
  readonly gap: (offset: number, bytes: number, found: string) => void;
  /** No other chunk begins before the end of the walk. */
  readonly isEndSure?: boolean;
  /** Walks over the usual events of the window whose bytes are its own. */
  readonly kernel?: WalkKernel | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets the offset in the file that was reached, once a window. */
  readonly progress?: ((offset: number) => void) | undefined;
}

export class EventWalk {
  readonly counts = new EventCounts();
  readonly #options: EventWalkOptions;
  readonly #window: EventWindow;
  readonly #cursor: Cursor;
  /** By number of the type. */
  readonly #visitors: (EventVisitor | undefined)[] = [];
  /** Where the walk ends at the latest, in the file. */
  #limit = 0;
  /** Bytes that the next event needs; why there is none. */
  #need = 0;
  #fault = '';

  constructor(window: EventWindow, options: EventWalkOptions) {
    this.#window = window;
    this.#options = options;
    this.#cursor = new Cursor(options.header.compressed);
  }

  /**
   * Visits the events from `from` to `to`, offsets in the file. Returns where it ended: `to`, the end of the file, or where the next
   * chunk begins.
   */
  async run(from: number, to: number): Promise<number> {
    const { progress } = this.#options;
    const windows = this.windows(from, to);
    for (;;) {
      const { value, done } = await windows.next();
      if (done === true) return value;
      progress?.(value);
    }
  }

  /** The same, window by window: yields the offset that was reached; the bytes that visitors got are valid until the next one. */
  async *windows(from: number, to: number): AsyncGenerator<number, number> {
    const { kernel, header } = this.#options;
    kernel?.begin(header);
    const end = yield* this.#steps(from, to);
    kernel?.finish(this.counts);
    return end;
  }

  async *#steps(from: number, to: number): AsyncGenerator<number, number> {
    const { signal, gap } = this.#options;
    const window = this.#window;
    this.#limit = to;
    this.#need = LONGEST_HEAD;
    let at = from;
    while (at < to) {
      signal?.throwIfAborted();
      await window.ensure(at, to, this.#need);
      if (at >= window.base + window.length) return at;
      at = this.#events(at);
      yield at;
      if (this.#need > LARGEST_EVENT) this.#fault ||= `an event of ${this.#need} bytes`;
      if (this.#fault === '') continue;
      const after = await this.#nextEvent(at, to);
      if (after === at) return at;
      gap(at, after - at, this.#fault);
      at = after;
    }
    return at;
  }

  /** Visits the whole events of the window from an offset in the file on; returns where they end. The hot loop. */
  #events(from: number): number {
    const { bytes, base } = this.#window;
    const length = this.#length;
    const { counts } = this;
    const { compressed, offset: chunk } = this.#options.header;
    const isLast = this.#window.hasAll(this.#limit);
    const cursor = this.#cursor;
    const { kernel: loaded } = this.#options;
    const kernel = loaded?.window === bytes ? loaded : undefined;
    // Rows keep the order of the file.
    if (kernel === undefined) loaded?.flush();
    let at = from - base;
    this.#fault = '';
    this.#need = LONGEST_HEAD;
    while (at < length) {
      if (length - at < LONGEST_HEAD && !isLast) break;
      let size = bytes[at];
      let type = bytes[at + 1];
      let payload = at + 2;
      if (!compressed || size >= 0x80 || type >= 0x80) {
        // Nearly all heads have a size of one byte and a type of two.
        if (compressed && size < 0x80 && bytes[at + 2] < 0x80) {
          type = (type & 0x7f) | (bytes[at + 2] << 7);
          payload = at + 3;
        } else {
          cursor.set(bytes, at, length);
          size = cursor.int() >>> 0;
          type = cursor.long();
          payload = cursor.at;
        }
      }
      const end = at + size;
      if (end <= payload || type < 0 || (size === 0x46 && this.#isChunk(at))) {
        this.#fault = `an event of ${size} bytes and type ${type}`;
        break;
      }
      if (end > length) {
        this.#need = size;
        if (isLast) this.#fault = `an event of ${size} bytes where ${length - at} are left`;
        break;
      }
      const number = counts.of(type);
      if (number >= this.#visitors.length && !this.#know(type, end)) break;
      if (kernel?.takes(number)) {
        const next = kernel.walk(at, length, number);
        if (next > at) {
          at = next;
          continue;
        }
      }
      counts.counts[number]++;
      counts.bytes[number] += size;
      this.#visitors[number]?.visit(bytes, payload, end, base + at - chunk, at);
      at = end;
    }
    return base + at;
  }

  /** Called for the first event of a type. False if no event begins here: the metadata lack the type, and none follows. */
  #know(type: number, end: number): boolean {
    const { isEvent, visitors, kernel } = this.#options;
    const isKnown = isEvent === undefined || this.#isEvent(type);
    if (!isKnown && end < this.#length && this.#inARow(end) < 1) {
      this.#fault = `an event of type ${type}, which the metadata lack`;
      return false;
    }
    while (this.#visitors.length < this.counts.ids.length) {
      const number = this.#visitors.length;
      const id = this.counts.ids[number];
      const visitor = visitors.get(id);
      this.#visitors.push(visitor);
      kernel?.know(number, id, visitor === undefined ? undefined : (visitor.rows ?? false));
    }
    return true;
  }

  #isEvent(type: number): boolean {
    return type === METADATA_EVENT || type === CHECKPOINT_EVENT || this.#options.isEvent?.(type) === true;
  }

  /** Bytes of the window before the limit: it may have some behind it that were looked at before. */
  get #length(): number {
    return Math.min(this.#window.length, this.#limit - this.#window.base);
  }

  #isChunk(at: number): boolean {
    return isChunkAt(this.#window.bytes, at, this.#window.length);
  }

  /**
   * Number of events from a place of the window on, at most `IN_A_ROW`, that are of known types and began while the chunk was
   * written. Events that the window does not have whole are not counted; those before its end suffice.
   */
  #inARow(from: number): number {
    const { bytes } = this.#window;
    const length = this.#length;
    const cursor = this.#cursor;
    let at = from;
    for (let count = 0; count < IN_A_ROW; count++) {
      if (count > 0 && (at === length || this.#isChunk(at))) return IN_A_ROW;
      cursor.set(bytes, at, length);
      const size = cursor.int() >>> 0;
      const type = cursor.long();
      const head = cursor.at - at;
      cursor.long();
      if (cursor.isBehind || size <= head || at + size > length || !this.#isEvent(type) || !this.#isTime())
        return count;
      at += size;
    }
    return IN_A_ROW;
  }

  /** Whether the number that the cursor read is a time of the chunk. */
  #isTime(): boolean {
    const { ticksHigh, ticksLow, ticksPerSecond, duration } = this.#options.header;
    const ticks = (this.#cursor.high - ticksHigh) * 2 ** 32 + (this.#cursor.low >>> 0) - (ticksLow >>> 0);
    return ticks >= 0 && ticks / ticksPerSecond <= duration / 1e9 + LATER_SECONDS;
  }

  /** The next place behind `from` where events, or a chunk, begin; where the bytes end if there is none; `from` if a chunk does. */
  async #nextEvent(from: number, to: number): Promise<number> {
    const window = this.#window;
    const { isEndSure = false } = this.#options;
    let at = from;
    for (;;) {
      this.#options.signal?.throwIfAborted();
      await window.ensure(at, to, ROW_BYTES);
      const isLast = window.hasAll(to);
      // Close to the end of the window, a row cannot be seen whole.
      const last = isLast ? this.#length : Math.max(at - window.base + 1, window.length - ROW_BYTES / 2);
      for (let i = at - window.base; i < last; i++) {
        if (!isEndSure && this.#isChunk(i)) return window.base + i;
        if (window.base + i > from && this.#inARow(i) === IN_A_ROW) return window.base + i;
      }
      if (isLast) return window.base + this.#length;
      at = window.base + last;
    }
  }
}
