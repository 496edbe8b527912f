/** Writes the frames between a VM and Kansoku to a file (docs/formats/jvmpi.md), as they are handled. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import { endFrame, FRAME, fileFrame, fileHead, frameBytes, putFrame, readHello } from '../../formats/jvmpi/index.js';

/** Bytes that are written together. */
const WHOLE = 1 << 20;

export class StreamRecorder {
  readonly #path: string;
  readonly #file: number;
  readonly #bytes = new Uint8Array(WHOLE);
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

  /** Makes room for so many bytes; gives their place, or -1 if they must be written on their own. */
  #room(length: number): number {
    if (this.#length + length > WHOLE) this.#write();
    if (length > WHOLE) return -1;
    const at = this.#length;
    this.#length += length;
    return at;
  }

  #add(bytes: Uint8Array): void {
    const at = this.#room(bytes.length);
    if (at < 0) this.#writeAll(bytes);
    else this.#bytes.set(bytes, at);
  }

  #write(): void {
    this.#writeAll(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
  }

  #writeAll(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += this.#try(() => writeSync(this.#file, bytes, at));
  }

  /** A frame that was handled or sent just now. */
  frame(kind: number, bytes: Uint8Array): void {
    if (this.#failed) return;
    this.#frames++;
    const content = kind === FRAME.hello ? withoutToken(bytes) : bytes;
    const time = process.hrtime.bigint();
    const at = this.#room(frameBytes(content));
    if (at < 0) this.#writeAll(fileFrame(kind, time, content));
    else putFrame(this.#bytes, at, { kind, time, content });
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
