/** A dump in a file. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Sink } from '../../src/formats/hprof/write/bytes.js';

export class FileSink implements Sink {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  write(chunk: Uint8Array): void {
    for (let done = 0; done < chunk.length; ) done += writeSync(this.#file, chunk, done);
  }

  patch(offset: number, bytes: Uint8Array): void {
    writeSync(this.#file, bytes, 0, bytes.length, offset);
  }

  close(): void {
    closeSync(this.#file);
  }
}
