/** Bytes of mapped files by their offsets, read when they are asked for. Close it at the end. */
import { closeSync, openSync, readSync } from 'node:fs';

export class CodeBytes {
  readonly #files = new Map<string, number | undefined>();

  /** Up to `length` bytes that end at `end` in the file; none if it cannot be read. */
  before(path: string, end: number, length: number): Uint8Array {
    const file = this.#open(path);
    const start = Math.max(0, end - length);
    const bytes = new Uint8Array(end - start);
    if (file === undefined) return new Uint8Array();
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
  }

  close(): void {
    for (const file of this.#files.values()) if (file !== undefined) closeSync(file);
    this.#files.clear();
  }

  #open(path: string): number | undefined {
    if (this.#files.has(path)) return this.#files.get(path);
    const file = opened(path);
    this.#files.set(path, file);
    return file;
  }
}

/** Anonymous memory and files that are gone have no bytes. */
function opened(path: string): number | undefined {
  try {
    return path.startsWith('/') ? openSync(path, 'r') : undefined;
  } catch {
    return undefined;
  }
}
