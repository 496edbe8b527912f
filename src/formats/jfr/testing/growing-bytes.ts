/** A file in memory that grows, and the bytes that were read of it. */
import type { RandomSource } from '../../../bytes/byte-source.js';

export class GrowingBytes {
  bytes: Uint8Array = new Uint8Array();
  bytesRead = 0;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** As it is now. What was opened before has the bytes that are added. */
  open(): RandomSource {
    const readAt = (offset: number, target: Uint8Array): Promise<number> => {
      const part = this.bytes.subarray(offset, offset + target.length);
      target.set(part);
      this.bytesRead += part.length;
      return Promise.resolve(part.length);
    };
    const open = () => Promise.reject(new Error('it is read at offsets'));
    return { name: this.#name, size: this.bytes.length, readAt, open };
  }
}
