/**
 * The walk over the events of a chunk: size, type, payload. One pass forward through a window; what nobody asked for is skipped by
 * its size.
 */
import { NONE } from '../../../base/flavor.js';
import type { ReadAt } from '../../format.js';
import { Cursor } from './cursor.js';

export const METADATA_EVENT = 0;
export const CHECKPOINT_EVENT = 1;

/** Small enough for the second-level cache, large enough that a read costs nothing beside it. */
const WINDOW = 1 << 20;
/** A number may be read to its ninth byte before its end is compared with that of the event. */
const SPARE = 16;
/** Larger events are skipped: a checkpoint of a large program has some MB. */
export const LARGEST_EVENT = 1 << 28;
/** Longest head of an event: two numbers. */
const LONGEST_HEAD = 18;
const SMALL_IDS = 1 << 12;

/** Gets the events of a type. */
export interface EventVisitor {
  /** The payload is `bytes[at .. end)`, the event begins at `offset` of the chunk. */
  visit(bytes: Uint8Array, at: number, end: number, offset: number): void;
}

/** Why the walk stopped before the end of the chunk. */
export interface Stop {
  /** In the chunk. */
  readonly offset: number;
  readonly found: string;
}

/** Counts and bytes of events by their types, whose ids get dense numbers. */
export class EventCounts {
  readonly #direct = new Int32Array(SMALL_IDS).fill(NONE);
  readonly #other = new Map<number, number>();
  /** By number. */
  readonly ids: number[] = [];
  readonly counts: number[] = [];
  readonly bytes: number[] = [];

  /** The number of a type. */
  of(id: number): number {
    const known = id < SMALL_IDS ? this.#direct[id] : (this.#other.get(id) ?? NONE);
    if (known >= 0) return known;
    const number = this.ids.push(id) - 1;
    this.counts.push(0);
    this.bytes.push(0);
    if (id < SMALL_IDS) this.#direct[id] = number;
    else this.#other.set(id, number);
    return number;
  }
}

/** A window that moves forward over the bytes of a chunk. */
class EventWindow {
  bytes: Uint8Array = new Uint8Array(WINDOW + SPARE);
  /** Offset in the file of its first byte, and number of bytes. */
  base = 0;
  length = 0;
  readonly #readAt: ReadAt;

  constructor(readAt: ReadAt) {
    this.#readAt = readAt;
  }

  /** Moves its beginning to `offset` and fills it, up to `limit`; room for `need` bytes. False if nothing was added. */
  async fill(offset: number, limit: number, need: number): Promise<boolean> {
    const kept = Math.max(0, this.base + this.length - offset);
    const from = this.length - kept;
    if (need > this.bytes.length - SPARE) {
      // Grown only as far as there are bytes, so a damaged size takes no memory.
      const bytes = new Uint8Array(Math.min(need, limit - offset, 2 * this.bytes.length) + SPARE);
      bytes.set(this.bytes.subarray(from, this.length));
      this.bytes = bytes;
    } else if (from > 0) this.bytes.copyWithin(0, from, this.length);
    this.base = offset;
    this.length = kept;
    const wanted = Math.min(this.bytes.length - SPARE - kept, limit - offset - kept);
    if (wanted <= 0) return false;
    const reading = this.#readAt(offset + kept, this.bytes.subarray(kept, kept + wanted));
    const count = typeof reading === 'number' ? reading : await reading;
    this.length += count;
    return count > 0;
  }
}

export interface WalkOptions {
  readonly compressed: boolean;
  readonly visitors: ReadonlyMap<number, EventVisitor>;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((bytes: number) => void) | undefined;
}

export class EventWalk {
  readonly counts: EventCounts;
  readonly #compressed: boolean;
  readonly #cursor: Cursor;
  readonly #visitors: ReadonlyMap<number, EventVisitor>;
  /** By number of the type. */
  readonly #visitorOf: (EventVisitor | undefined)[] = [];
  readonly #options: WalkOptions;
  /** What the last event needs beyond the window, or why it is none. */
  #need = 0;
  #fault = '';

  constructor(counts: EventCounts, options: WalkOptions) {
    this.counts = counts;
    this.#options = options;
    this.#compressed = options.compressed;
    this.#cursor = new Cursor(options.compressed);
    this.#visitors = options.visitors;
  }

  /**
   * Visits the events from `from` to `to`, offsets in the file; `chunk`: offset of the chunk. Returns where the last whole event
   * ends, and why no other follows if that is before `to`.
   */
  async run(readAt: ReadAt, chunk: number, from: number, to: number): Promise<{ end: number; stop?: Stop }> {
    const window = new EventWindow(readAt);
    let at = from;
    this.#need = 0;
    while (at < to) {
      this.#options.signal?.throwIfAborted();
      const added = await window.fill(at, to, this.#need);
      if (!added && window.length === 0) return { end: at, stop: { offset: at - chunk, found: 'the end of the file' } };
      const isLast = window.base + window.length >= to || !added;
      const next = this.#window(window, chunk, isLast);
      this.#options.progress?.(next);
      at += next;
      if (this.#fault !== '') return { end: at, stop: { offset: at - chunk, found: this.#fault } };
      if (this.#need > LARGEST_EVENT && this.#need <= to - at) {
        at += this.#need;
        this.#need = 0;
      } else if (next === 0 && (!added || window.base + window.length >= to))
        return { end: at, stop: { offset: at - chunk, found: this.#cut(to - at) } };
    }
    return { end: at };
  }

  #cut(left: number): string {
    return `an event of ${this.#need} bytes where ${left} are left`;
  }

  /** Visits the whole events of the window; returns the bytes they take. */
  #window({ bytes, base, length }: EventWindow, chunk: number, isLast: boolean): number {
    const { counts } = this;
    const cursor = this.#cursor;
    let at = 0;
    this.#fault = '';
    this.#need = 0;
    while (at < length) {
      // The end of the file may cut an event in its head.
      if (length - at < LONGEST_HEAD && !isLast) {
        this.#need = LONGEST_HEAD;
        break;
      }
      let size = bytes[at];
      let type = bytes[at + 1];
      let payload = at + 2;
      if (!this.#compressed || size >= 0x80 || type >= 0x80) {
        cursor.set(bytes, at, length);
        size = cursor.int() >>> 0;
        type = cursor.long();
        payload = cursor.at;
      }
      if (payload > length) {
        this.#need = Math.max(payload - at, 2);
        break;
      }
      const end = at + size;
      if (end < payload || type < 0) {
        this.#fault = size === 0 ? 'an event of 0 bytes' : `an event of ${size} bytes and type ${type}`;
        break;
      }
      if (end > length) {
        this.#need = size;
        break;
      }
      const number = counts.of(type);
      counts.counts[number]++;
      counts.bytes[number] += size;
      if (number >= this.#visitorOf.length) this.#know();
      this.#visitorOf[number]?.visit(bytes, payload, end, base + at - chunk);
      at = end;
    }
    return at;
  }

  #know(): void {
    const { ids } = this.counts;
    while (this.#visitorOf.length < ids.length) this.#visitorOf.push(this.#visitors.get(ids[this.#visitorOf.length]));
  }
}
