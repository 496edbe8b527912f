/**
 * A window that moves forward over a file. Reads are small after a jump and grow to 1 MiB where bytes are read in a row, so that
 * large segments cost a few KiB each and small ones no read of their own.
 */
import type { ReadAt } from '../heap/passes/windows.js';

const SMALLEST_READ = 4 << 10;
const LARGEST_READ = 1 << 20;
/** A jump over fewer bytes costs less than a read of its own. */
const NEAR = 64 << 10;

export class RecordWindow {
  readonly #readAt: ReadAt;
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  /** Offset of the first byte in the file, and number of bytes. */
  #base: number;
  #length = 0;
  #read = SMALLEST_READ;
  /** Whether the window has the last byte of the file. */
  ended = false;

  constructor(readAt: ReadAt, base: number) {
    this.bytes = new Uint8Array(SMALLEST_READ);
    this.view = new DataView(this.bytes.buffer);
    this.#readAt = readAt;
    this.#base = base;
  }

  /** Where the byte at `offset` is in `bytes`, after `need` returned that it is there. */
  at(offset: number): number {
    return offset - this.#base;
  }

  /** Number of bytes from `offset` on that are in the window. */
  here(offset: number): number {
    return this.#base + this.#length - offset;
  }

  /**
   * Reads until `count` bytes from `offset` on are there, or the file ends; returns how many there are. `offset` is not below
   * that of a former call unless it is in the window; bytes before it stay only where there is room.
   */
  async need(offset: number, count: number): Promise<number> {
    while (this.here(offset) < count && !this.ended) {
      this.#moveTo(offset);
      await this.#fill(count);
    }
    return Math.max(0, this.here(offset));
  }

  /** Drops the bytes before `offset`. */
  #moveTo(offset: number): void {
    const at = offset - this.#base;
    const left = this.#length - at;
    if (left < 0 && left <= -NEAR) this.#read = SMALLEST_READ;
    if (left > 0 && at > 0) this.bytes.copyWithin(0, at, this.#length);
    this.#base = offset;
    this.#length = Math.max(0, left);
  }

  async #fill(count: number): Promise<void> {
    const isFull = this.#length === this.bytes.length;
    if (this.#read > this.bytes.length || (isFull && count > this.bytes.length)) this.#grow();
    const room = this.bytes.length - this.#length;
    const wanted = Math.min(room, Math.max(this.#read, Math.min(count - this.#length, LARGEST_READ)));
    this.#read = Math.min(LARGEST_READ, this.#read * 2);
    const reading = this.#readAt(this.#base + this.#length, this.bytes.subarray(this.#length, this.#length + wanted));
    const got = typeof reading === 'number' ? reading : await reading;
    this.#length += got;
    if (got < wanted) this.ended = true;
  }

  /** Doubles the room: only where as much was read already, so a damaged length takes no more memory than the file has bytes. */
  #grow(): void {
    const bytes = new Uint8Array(this.bytes.length * 2);
    bytes.set(this.bytes.subarray(0, this.#length));
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }
}
