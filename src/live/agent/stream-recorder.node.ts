/** Writes the frames between a VM and Kansoku to a file (docs/formats/jvmpi.md), as they are handled. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import { endFrame, FRAME, fileFrame, fileHead, readHello } from '../../formats/jvmpi/index.js';

/** Bytes that are written together. */
const WHOLE = 1 << 20;

export class StreamRecorder {
  readonly #path: string;
  readonly #file: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #frames = 0;
  #failed = false;

  /** Makes the file, readable by its user only: events may have secrets. Throws if that fails. */
  constructor(path: string) {
    this.#path = path;
    this.#file = this.#try(() => openSync(path, 'w', 0o600));
    this.#add(fileHead());
  }

  #try<Result>(action: () => Result): Result {
    try {
      return action();
    } catch (error) {
      this.#failed = true;
      throw new UsageError(`${this.#path} cannot be written: ${error instanceof Error ? error.message : error}`);
    }
  }

  #add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    if (this.#length >= WHOLE) this.#write();
  }

  #write(): void {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    for (let at = 0; at < bytes.length; ) at += this.#try(() => writeSync(this.#file, bytes, at));
  }

  /** A frame that was handled or sent just now. */
  frame(kind: number, bytes: Uint8Array): void {
    if (this.#failed) return;
    this.#frames++;
    this.#add(fileFrame(kind, process.hrtime.bigint(), kind === FRAME.hello ? withoutToken(bytes) : bytes));
  }

  /** The program has ended with this code. */
  end(exitCode: number): void {
    if (this.#failed) return;
    this.#add(endFrame(process.hrtime.bigint(), exitCode, this.#frames));
    this.#write();
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The token is a secret of the run. */
function withoutToken(bytes: Uint8Array): Uint8Array {
  const { token } = readHello(bytes);
  const at = Buffer.from(bytes).indexOf(token, 0, 'latin1');
  return at < 0 || token === '' ? bytes : new Uint8Array(bytes).fill(0x30, at, at + token.length);
}
