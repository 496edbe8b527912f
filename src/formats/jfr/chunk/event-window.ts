/** A window that moves forward over the bytes of a chunk. */
import type { ReadAt } from '../../capabilities/file-pass.js';

/** Small enough for the second-level cache, large enough that a read costs nothing beside it. */
const WINDOW = 1 << 20;
/** A number may be read to its ninth byte before its end is compared with that of the event. */
const SPARE = 16;
/** Length of the usual bytes. */
export const WINDOW_BYTES = WINDOW + SPARE;

export class EventWindow {
  /** The usual bytes, or a larger array as long as an event needs it. */
  bytes: Uint8Array;
  /** Offset in the file of its first byte, and number of bytes. */
  base = 0;
  length = 0;
  readonly #readAt: ReadAt;
  #usual: Uint8Array;
  /** The file ends where the window does. */
  #ended = false;

  /** `usual`: `WINDOW_BYTES` bytes; if not given, as many as chunks need. */
  constructor(readAt: ReadAt, usual: Uint8Array = new Uint8Array(SPARE)) {
    this.#readAt = readAt;
    this.#usual = usual;
    this.bytes = usual;
  }

  /** Whether it has the bytes up to `limit`, or up to the end of the file. */
  hasAll(limit: number): boolean {
    return this.#ended || this.base + this.length >= limit;
  }

  /**
   * Makes sure that it has `need` bytes from `offset` on, as far as there are so many before `limit` and the end of the file. It moves
   * only if it lacks some, so that a call costs nothing otherwise.
   */
  async ensure(offset: number, limit: number, need: number): Promise<void> {
    if (offset < this.base) {
      this.base = offset;
      this.length = 0;
      this.#ended = false;
    }
    while (this.base + this.length < Math.min(offset + need, limit) && !this.#ended) {
      this.#widen(limit - offset);
      this.#moveTo(offset, need);
      const room = Math.min(this.bytes.length - SPARE - this.length, limit - this.base - this.length);
      const reading = this.#readAt(this.base + this.length, this.bytes.subarray(this.length, this.length + room));
      const count = typeof reading === 'number' ? reading : await reading;
      this.length += count;
      this.#ended = count < room;
    }
  }

  /** Makes the usual bytes long enough for `rest` bytes, at the most those of a window: clearing a megabyte takes longer than reading a small file. */
  #widen(rest: number): void {
    const room = this.#usual.length - SPARE;
    if (room === WINDOW || rest <= room) return;
    const usual = new Uint8Array(Math.min(WINDOW, Math.max(rest, 2 * room)) + SPARE);
    usual.set(this.#usual);
    if (this.bytes === this.#usual) this.bytes = usual;
    this.#usual = usual;
  }

  /** Drops the bytes before `offset`; grows where it is full, so a damaged size takes no more memory than the file has bytes. */
  #moveTo(offset: number, need: number): void {
    const from = Math.min(offset - this.base, this.length);
    const room = this.bytes.length - SPARE;
    if (from === 0 && this.length === room && need > room) {
      const bytes = new Uint8Array(2 * room + SPARE);
      bytes.set(this.bytes);
      this.bytes = bytes;
      return;
    }
    const left = this.bytes.subarray(from, this.length);
    if (Math.max(need, left.length) <= WINDOW) this.bytes = this.#usual;
    this.bytes.set(left);
    this.length = left.length;
    this.base = offset;
  }
}
