/** Reads a range of a file window by window, for readers that say how far they came. */
import type { Work } from '../../../../base/progress.js';
import type { ReadAt } from '../../../capabilities/file-pass.js';

export type { ReadAt };

/** Reads the complete records of a range of a file, one window at a time. */
export interface WindowReader {
  /** Returns the start of the first record that the window cuts off, or a position after `end` to continue from. */
  window(view: DataView, from: number, end: number, base: number): number;
  /** Defined after a record that cannot be read. */
  unknown: number | undefined;
  /** Where it wants its windows, if it cares. */
  readonly room?: WindowRoom | undefined;
}

/** More records than any window has. */
export const ALL = 1 << 30;

/** Reads a window with a kernel, which takes usual records from a place on, and, where it stops, one record by `takeOne`. */
export function alternate(
  from: number,
  end: number,
  takeUsual: (at: number) => number,
  takeOne: (at: number) => number,
): number {
  let at = from;
  while (at < end) {
    at = takeUsual(at);
    if (at >= end) break;
    const next = takeOne(at);
    if (next === at) break;
    at = next;
  }
  return at;
}

/** Small enough for the second-level cache, large enough that a call costs nothing beside it. */
const WINDOW = 1 << 20;
/** No head of a record is longer: three times 65,535 members of at most 17 bytes. */
const LARGEST_WINDOW = 4 << 20;
/** Distance of the places that `mark` gets, at least. */
export const MARK_STEP = 4 << 20;

/** Where the windows are that a kernel reads: at this address there is room for the largest. */
export interface WindowRoom {
  readonly buffer: SharedArrayBuffer;
  readonly at: number;
}

/** Bytes of the room: a kernel may load some behind the end of a window. */
export const ROOM_BYTES = LARGEST_WINDOW + 64;

/** Buffer of a thread, used again for each range. */
export class WindowBuffer {
  readonly #room: WindowRoom | undefined;
  bytes: Uint8Array;
  view: DataView;

  /** For ranges of at most so many bytes. */
  constructor(longest = WINDOW, room?: WindowRoom) {
    this.#room = room;
    this.bytes = this.#bytes(Math.min(longest, WINDOW));
    this.view = this.#view();
  }

  /** Doubles the room, up to the longest record; false if it is reached. */
  grow(): boolean {
    if (this.bytes.length >= LARGEST_WINDOW) return false;
    const bytes = this.#bytes(Math.min(LARGEST_WINDOW, this.bytes.length * 2));
    if (this.#room === undefined) bytes.set(this.bytes);
    this.bytes = bytes;
    this.view = this.#view();
    return true;
  }

  #bytes(length: number): Uint8Array {
    return this.#room === undefined ? new Uint8Array(length) : new Uint8Array(this.#room.buffer, this.#room.at, length);
  }

  #view(): DataView {
    return new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
  }
}

export interface WindowOptions {
  readonly work?: Work;
  /** Gets each byte that was read added to its second place, in units of 64 KiB. */
  readonly counters?: Int32Array;
  /** Gets a place between two records now and then, of ranges longer than `MARK_STEP`. */
  readonly mark?: (offset: number) => void;
}

/**
 * Reads bytes `from` to `to` of a file. Returns the place that was reached: `to` if the last record ends there, a larger one
 * if it goes on behind, a smaller one where a record is cut, or unknown, or the file ends.
 */
export async function eachWindow(
  readAt: ReadAt,
  from: number,
  to: number,
  reader: WindowReader,
  buffer: WindowBuffer,
  { work = {}, counters, mark }: WindowOptions = {},
): Promise<number> {
  let position = from;
  let marked = from;
  /** Bytes that were read but not used yet: the first of the buffer. */
  let kept = 0;
  while (position + kept < to) {
    work.signal?.throwIfAborted();
    const room = Math.min(buffer.bytes.length - kept, to - position - kept);
    const reading = readAt(position + kept, buffer.bytes.subarray(kept, kept + room));
    const count = typeof reading === 'number' ? reading : await reading;
    const end = kept + count;
    const next = reader.window(buffer.view, 0, end, position);
    position += next;
    if (counters !== undefined) Atomics.add(counters, 1, Math.ceil(count / 65536));
    if (reader.unknown !== undefined) return position;
    if (mark !== undefined && position - marked >= MARK_STEP && position < to) {
      mark(position);
      marked = position;
    }
    if (next >= end) kept = 0;
    else {
      kept = end - next;
      if (count < room || position + kept >= to) return position;
      if (next === 0 && end === buffer.bytes.length) {
        if (!buffer.grow()) return position;
      } else buffer.bytes.copyWithin(0, next, end);
    }
    if (count < room) return position;
  }
  return position;
}
