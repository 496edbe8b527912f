/**
 * Raw deflate streams (RFC 1951), inflated as they are read, delivering everything before damage.
 *
 * Node's zlib drops the output of the write in which it finds damage, up to a whole window. The stream is then inflated
 * again from its start, the last window in ever smaller steps, up to the damaged byte. Cost: that of zlib; memory of a
 * few windows whatever the ratio; a damaged stream is inflated up to four times.
 */
import { createInflateRaw } from 'node:zlib';
import type { Problem } from '../../base/problems.js';
import { type ByteSource, type ByteStream, openAt } from '../byte-source.js';

/** Bytes of input that zlib gets at once; after damage, in the passes that follow. The last must be 1. */
const STEPS = [1 << 16, 1 << 11, 1 << 6, 1] as const;
const WINDOW = STEPS[0];
const OUTPUT = 1 << 17;

/** Highest ratio that deflate can reach: a larger claim is rejected. */
export const LARGEST_RATIO = 1032;

/** Bytes of a source, read forward through a window, that a reader can look at before it takes them. */
export class InputCursor {
  /** Offset of the next byte in the source. */
  position = 0;
  readonly #source: ByteSource;
  #stream: ByteStream;
  #window = new Uint8Array(WINDOW);
  #from = 0;
  #to = 0;

  private constructor(source: ByteSource, stream: ByteStream) {
    this.#source = source;
    this.#stream = stream;
  }

  static async open(source: ByteSource): Promise<InputCursor> {
    return new InputCursor(source, await source.open());
  }

  /** All bytes in the window; at least `count` (a window at most) unless the input ends. Valid until the next call. */
  async peek(count: number): Promise<Uint8Array> {
    if (this.#to - this.#from < count) {
      this.#window.copyWithin(0, this.#from, this.#to);
      this.#to -= this.#from;
      this.#from = 0;
      this.#to += await this.#stream.read(this.#window.subarray(this.#to));
    }
    return this.#window.subarray(this.#from, this.#to);
  }

  /** Consumes bytes that `peek` returned. */
  advance(count: number): void {
    this.#from += count;
    this.position += count;
  }

  async restart(offset: number): Promise<void> {
    await this.#stream.close();
    this.#stream = await openAt(this.#source, offset);
    // zlib may still look at the old window.
    this.#window = new Uint8Array(WINDOW);
    this.#from = 0;
    this.#to = 0;
    this.position = offset;
  }

  /** What is wrong with the input itself, known after it was read to its end. */
  damage(): Problem | undefined {
    return this.#stream.damage();
  }

  close(): Promise<void> {
    return this.#stream.close();
  }
}

/** State of a deflate stream: it continues, it ended, its input ended too early, it is not a deflate stream. */
export type InflateState = 'running' | 'ended' | 'cut' | 'damaged';

/** Inflates the deflate stream that begins at the cursor, and leaves the cursor after it. */
export class Inflater {
  state: InflateState = 'running';
  readonly #cursor: InputCursor;
  readonly #start: number;
  #engine = new Engine();
  /** Output not taken yet. */
  #chunk: Uint8Array = new Uint8Array(0);
  /** Bytes of output that were delivered, that the current pass still has to skip. */
  #delivered = 0;
  #toSkip = 0;
  /** Bytes of the window that the engine has. */
  #fed = 0;
  #pass = 0;
  /** From this input offset on, the current pass takes small steps. */
  #smallFrom = 0;

  constructor(cursor: InputCursor) {
    this.#cursor = cursor;
    this.#start = cursor.position;
  }

  /** Fills `target` unless the stream ends; 0 at the end; `state` is then the kind of end. */
  async read(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length && (this.#chunk.length > 0 || (await this.#next()))) {
      const part = this.#chunk.subarray(0, target.length - filled);
      target.set(part, filled);
      filled += part.length;
      this.#chunk = this.#chunk.subarray(part.length);
      this.#delivered += part.length;
    }
    return filled;
  }

  close(): void {
    this.#engine.close();
  }

  /** Gets the next output into `#chunk`; false at the end. */
  async #next(): Promise<boolean> {
    while (this.state === 'running') {
      const output = await this.#engine.next();
      if (output === 'hungry') await this.#feed();
      else if (output === 'ended') this.#finish('ended');
      else if (output === 'failed') await this.#fail();
      else {
        const skipped = Math.min(this.#toSkip, output.length);
        this.#toSkip -= skipped;
        this.#chunk = output.subarray(skipped);
        if (this.#chunk.length > 0) return true;
      }
    }
    return false;
  }

  async #feed(): Promise<void> {
    this.#cursor.advance(this.#fed);
    const window = await this.#cursor.peek(1);
    const position = this.#cursor.position;
    const step = position < this.#smallFrom ? this.#smallFrom - position : STEPS[this.#pass];
    this.#fed = Math.min(window.length, step);
    if (this.#fed === 0) this.#engine.finish();
    else this.#engine.feed(window.subarray(0, this.#fed));
  }

  #finish(state: InflateState): void {
    // The last window may reach beyond the stream: only the bytes that zlib used are consumed.
    if (state === 'ended') this.#cursor.advance(this.#start + this.#engine.consumed - this.#cursor.position);
    this.state = state;
    this.#engine.close();
  }

  async #fail(): Promise<void> {
    if (this.#fed === 0) return this.#finish('cut');
    if (this.#fed === 1) return this.#finish('damaged');
    this.#engine.close();
    while (STEPS[this.#pass] >= this.#fed) this.#pass++;
    this.#smallFrom = this.#cursor.position;
    this.#fed = 0;
    this.#toSkip = this.#delivered;
    this.#engine = new Engine();
    await this.#cursor.restart(this.#start);
  }
}

/** zlib with a push and pull interface. Its own back pressure bounds the output that waits. */
class Engine {
  readonly #zlib = createInflateRaw({ chunkSize: OUTPUT });
  #given = 0;
  #writing = false;
  #ended = false;
  #failed = false;
  #wake: (() => void) | undefined;

  constructor() {
    const wake = () => this.#wake?.();
    this.#zlib.on('readable', wake);
    this.#zlib.on('end', () => {
      this.#ended = true;
      wake();
    });
    this.#zlib.on('error', () => {
      this.#failed = true;
      wake();
    });
  }

  /** Bytes of input that the stream was made of, so far. */
  get consumed(): number {
    return this.#zlib.bytesWritten;
  }

  /** Gives it input, which must not change until it needs more. */
  feed(input: Uint8Array): void {
    this.#writing = true;
    this.#given += input.length;
    this.#zlib.write(input, (error) => {
      if (error) this.#failed = true;
      this.#writing = false;
      this.#wake?.();
    });
  }

  /** Signals the end of the input. */
  finish(): void {
    this.#writing = true;
    this.#zlib.end();
  }

  /** The next output, or why there is none. */
  async next(): Promise<Uint8Array | 'hungry' | 'ended' | 'failed'> {
    for (;;) {
      if (this.#failed) return 'failed';
      const output: Uint8Array | null = this.#zlib.read();
      if (output !== null) return output;
      if (this.#ended) return 'ended';
      // Input that it leaves lies after the end of the stream, which it reports next.
      if (!this.#writing && this.consumed === this.#given) return 'hungry';
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#zlib.destroy();
  }
}
