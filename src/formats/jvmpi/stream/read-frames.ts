/**
 * Reads the frames of a recorded stream, one after another. A frame whose checksum is wrong is left out, and reading goes on behind it where
 * its length is sound. Memory: a window of 1 MiB, or the longest frame.
 */
import { FormatError } from '../../../base/errors.js';
import type { ProblemLog } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import { type ByteSource, type ByteStream, memorySource } from '../../../bytes/byte-source.js';
import { FRAME, LONGEST_FRAME } from '../wire/frames.js';
import {
  checksum,
  END_BYTES,
  END_FRAME,
  FILE_FRAMES,
  FILE_HEAD,
  FILE_MAGIC,
  FILE_VERSION,
  RECORD_HEAD,
  type StreamFrame,
} from './file.js';

const WINDOW = 1 << 20;
const FIRST_WINDOW = 1 << 16;

/** What the end of a file says. */
export interface StreamEnd {
  /** False if a part of the stream is lost. */
  readonly complete: boolean;
  /** Of the program; undefined where the end is missing. */
  readonly exitCode: number | undefined;
}

/** Calls `each` with every sound frame; a promise stops the reading until it is settled. The content is valid until then. Throws `FormatError` if the head is not that of such a file. */
export async function readFrames(
  source: ByteSource,
  problems: ProblemLog,
  each: (frame: StreamFrame) => void | Promise<void>,
  work: Work = {},
): Promise<StreamEnd> {
  const stream = await source.open();
  try {
    const reader = new FrameReader(stream, problems);
    await reader.head();
    for (let frame = await reader.next(); frame !== undefined; frame = await reader.next()) {
      const waits = each(frame);
      if (waits !== undefined) await waits;
      if (!reader.isNewWindow()) continue;
      work.signal?.throwIfAborted();
      work.progress?.({ phase: 'reading', done: frame.offset, total: source.size, unit: 'bytes' });
    }
    const damage = stream.damage();
    if (damage !== undefined) problems.add(damage);
    return reader.end(damage === undefined);
  } finally {
    await stream.close();
  }
}

/** The frames of a file in memory. */
export function framesIn(
  bytes: Uint8Array,
  problems: ProblemLog,
  each: (frame: StreamFrame) => void,
): Promise<StreamEnd> {
  return readFrames(memorySource('memory', bytes), problems, each);
}

class FrameReader {
  readonly #stream: ByteStream;
  readonly #problems: ProblemLog;
  #bytes = new Uint8Array(FIRST_WINDOW);
  #view = new DataView(this.#bytes.buffer);
  /** Bytes in the window, the next one, and the offset of the window in the file. */
  #length = 0;
  #at = 0;
  #start = 0;
  #ended = false;
  #refilled = false;
  #frames = 0;
  #complete = true;
  #exitCode: number | undefined;

  constructor(stream: ByteStream, problems: ProblemLog) {
    this.#stream = stream;
    this.#problems = problems;
  }

  isNewWindow(): boolean {
    const is = this.#refilled;
    this.#refilled = false;
    return is;
  }

  /** Whether so many bytes follow. */
  async #has(count: number): Promise<boolean> {
    if (this.#length - this.#at >= count) return true;
    if (this.#ended) return false;
    const rest = this.#bytes.subarray(this.#at, this.#length);
    // A damaged length must not take memory for bytes that are not there, nor a small file that of a window.
    const room = Math.max(this.#length > 0 ? WINDOW : FIRST_WINDOW, Math.min(count, this.#bytes.length * 4));
    const target = room <= this.#bytes.length ? this.#bytes : new Uint8Array(room);
    const kept = rest.length;
    if (target === this.#bytes) target.copyWithin(0, this.#at, this.#length);
    else target.set(rest);
    this.#start += this.#at;
    this.#bytes = target;
    this.#view = new DataView(target.buffer);
    this.#at = 0;
    const read = await this.#stream.read(target.subarray(kept));
    this.#ended = read < target.length - kept;
    this.#length = kept + read;
    this.#refilled = true;
    return this.#has(count);
  }

  async head(): Promise<void> {
    const fail = (offset: number, expected: string, found: string): never => {
      throw new FormatError({ format: 'JVMPI recording', offset, expected, found });
    };
    const isWhole = await this.#has(FILE_HEAD);
    const magic = String.fromCharCode(...this.#bytes.subarray(0, Math.min(this.#length, FILE_MAGIC.length)));
    if (magic !== FILE_MAGIC) fail(0, FILE_MAGIC, magic === '' ? 'an empty file' : 'other bytes');
    if (!isWhole) fail(FILE_MAGIC.length, 'the version', 'the end');
    const version = this.#view.getUint32(FILE_MAGIC.length, true);
    if (version !== FILE_VERSION) fail(FILE_MAGIC.length, `version ${FILE_VERSION}`, `version ${version}`);
    if (this.#view.getUint32(FILE_MAGIC.length + 4, true) !== 0)
      this.#lose('jvmpi-frame', 'four bytes of the head that should be 0 are not', FILE_MAGIC.length + 4);
    this.#at = FILE_HEAD;
  }

  #lose(code: string, message: string, offset: number): undefined {
    this.#complete = false;
    this.#problems.add({ code, severity: 'error', message, offset });
    return undefined;
  }

  /** The next sound frame; undefined at the end. */
  async next(): Promise<StreamFrame | undefined> {
    while (await this.#has(1)) {
      const offset = this.#start + this.#at;
      if (this.#exitCode !== undefined)
        return this.#lose('jvmpi-behind-end', 'there are bytes behind the last frame', offset);
      if (!(await this.#has(RECORD_HEAD)))
        return this.#lose('jvmpi-cut', 'the file ends within the head of a frame', offset);
      const length = this.#view.getUint32(this.#at, true);
      if (length > LONGEST_FRAME)
        return this.#lose('jvmpi-frame', `a frame of ${length} bytes, and what follows it, cannot be read`, offset);
      if (!(await this.#has(RECORD_HEAD + length)))
        return this.#lose('jvmpi-cut', `the file ends within a frame of ${length} bytes`, offset);
      const from = this.#at;
      const frame = this.#frame(from, length, offset);
      this.#at += RECORD_HEAD + length;
      this.#frames++;
      if (frame === undefined) continue;
      if (frame.kind !== END_FRAME) return frame;
      this.#finish(frame);
    }
    return undefined;
  }

  #frame(from: number, length: number, offset: number): StreamFrame | undefined {
    const content = this.#bytes.subarray(from + RECORD_HEAD, from + RECORD_HEAD + length);
    const kind = this.#bytes[from + 8];
    const sum = this.#view.getUint32(from + 4, true);
    if (sum !== checksum(this.#bytes, from + 8, from + RECORD_HEAD + length))
      return this.#lose('jvmpi-frame', `a frame of ${length} bytes is damaged: its checksum is another one`, offset);
    if (!FILE_FRAMES.has(kind)) return this.#lose('jvmpi-frame', `a frame has the unknown kind ${kind}`, offset);
    if (this.#frames === 0 && kind !== FRAME.hello)
      this.#lose('jvmpi-frame', 'the first frame is not the one in which the agent names itself', offset);
    return { kind, time: Number(this.#view.getBigUint64(from + 12, true)), content, offset };
  }

  #finish({ content, offset }: StreamFrame): void {
    if (content.length !== END_BYTES) {
      this.#lose('jvmpi-frame', 'the last frame has another length', offset);
      return;
    }
    const view = new DataView(content.buffer, content.byteOffset, content.length);
    this.#exitCode = view.getInt32(0, true);
    const frames = view.getUint32(4, true);
    if (frames !== this.#frames - 1)
      this.#lose(
        'jvmpi-frame',
        `the recorder wrote ${frames} frames before the last one, the file has ${this.#frames - 1}`,
        offset,
      );
  }

  end(isSound: boolean): StreamEnd {
    if (this.#exitCode === undefined && this.#complete)
      this.#lose(
        'jvmpi-cut',
        'the last frame is missing: the recorder was ended, or still runs',
        this.#start + this.#at,
      );
    return { complete: this.#complete && isSound, exitCode: this.#exitCode };
  }
}
