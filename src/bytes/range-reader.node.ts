/**
 * Small reads close to each other from a source with random access, such as headers of archives. One window is kept, so
 * neighbouring headers cost one read of the source.
 */
import type { RandomSource } from './byte-source.js';

const WINDOW = 1 << 16;

export class RangeReader {
  readonly #source: RandomSource;
  #window: Uint8Array = new Uint8Array(0);
  #offset = 0;

  constructor(source: RandomSource) {
    this.#source = source;
  }

  get size(): number {
    return this.#source.size;
  }

  /** The bytes from `offset` on, fewer than `length` at the end of the source. The caller bounds `length`. */
  async bytes(offset: number, length: number): Promise<Uint8Array> {
    if (!Number.isSafeInteger(offset) || offset >= this.size) return new Uint8Array(0);
    const end = Math.min(offset + length, this.size);
    if (offset < this.#offset || end > this.#offset + this.#window.length) {
      const window = new Uint8Array(Math.min(Math.max(length, WINDOW), this.size - offset));
      const count = await this.#source.readAt(offset, window);
      this.#window = window.subarray(0, count);
      this.#offset = offset;
    }
    return this.#window.subarray(offset - this.#offset, end - this.#offset);
  }

  /** Offset of the first occurrence of `pattern` (a few bytes) from `offset` on; -1 if there is none. */
  async indexOf(pattern: Uint8Array, offset: number): Promise<number> {
    for (let at = offset; at < this.size; ) {
      const bytes = await this.bytes(at, WINDOW);
      const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(pattern);
      if (found >= 0) return at + found;
      if (bytes.length < WINDOW) return -1;
      at += WINDOW - pattern.length + 1;
    }
    return -1;
  }
}
