/**
 * The bytes of a recording at any offset. The metadata of a chunk come after most of its events, so a stream keeps its last windows,
 * and begins again for what is further back: once a chunk of more than 32 MiB.
 */
import type { Problem } from '../../base/problems.js';
import { type ByteSource, type ByteStream, isRandom } from '../../bytes/byte-source.js';
import { isJoined } from '../../bytes/joined/joined-source.js';
import type { ReadAt } from '../capabilities/file-pass.js';

const BLOCK = 1 << 20;
const BLOCKS_KEPT = 32;

export interface JfrInput {
  /** Whether reading at any offset costs the same. */
  readonly isRandom: boolean;
  readonly readAt: ReadAt;
  /** Number of bytes; of a stream the bytes read so far, and all of them after its end. */
  readonly size: () => number;
  /** Where the file ends that has the byte at an offset: the same, unless several files were joined. */
  readonly endOf: (offset: number) => number;
  readonly damage: () => Problem | undefined;
  readonly close: () => Promise<void>;
}

export async function openInput(source: ByteSource): Promise<JfrInput> {
  if (!isRandom(source)) return new StreamBlocks(source);
  const { size } = source;
  const endOf = isJoined(source) ? source.endOf : () => size;
  const { readSoon = source.readAt } = source;
  return {
    isRandom: true,
    readAt: readSoon,
    size: () => size,
    endOf,
    damage: () => undefined,
    close: async () => undefined,
  };
}

class StreamBlocks implements JfrInput {
  readonly isRandom = false;
  readonly #source: ByteSource;
  #stream: ByteStream | undefined;
  /** The next block of the stream. */
  #next = 0;
  readonly #blocks = new Map<number, Uint8Array>();
  #size = Infinity;
  #damage: Problem | undefined;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  readonly size = (): number => this.#size;
  readonly endOf = (): number => this.#size;
  readonly damage = (): Problem | undefined => this.#damage;
  readonly close = async (): Promise<void> => {
    await this.#stream?.close();
    this.#stream = undefined;
  };

  readonly readAt = async (offset: number, target: Uint8Array): Promise<number> => {
    let filled = 0;
    while (filled < target.length && offset + filled < this.#size) {
      const at = offset + filled;
      const block = await this.#block(Math.floor(at / BLOCK));
      const part = block.subarray(at % BLOCK, (at % BLOCK) + target.length - filled);
      if (part.length === 0) break;
      target.set(part, filled);
      filled += part.length;
    }
    return filled;
  };

  async #block(number: number): Promise<Uint8Array> {
    const known = this.#blocks.get(number);
    if (known !== undefined) return known;
    if (number < this.#next) await this.close();
    if (this.#stream === undefined) this.#next = 0;
    this.#stream ??= await this.#source.open();
    for (;;) {
      const block = await this.#read(this.#stream);
      if (this.#next++ === number || block.length < BLOCK) return this.#next - 1 === number ? block : new Uint8Array();
    }
  }

  async #read(stream: ByteStream): Promise<Uint8Array> {
    // The block that was read longest ago is used again.
    const oldest = this.#blocks.size < BLOCKS_KEPT ? undefined : this.#blocks.keys().next().value;
    if (oldest !== undefined) this.#blocks.delete(oldest);
    const bytes = new Uint8Array(BLOCK);
    const count = await stream.read(bytes);
    if (count < BLOCK) {
      this.#size = this.#next * BLOCK + count;
      this.#damage = stream.damage();
    }
    const block = count < BLOCK ? bytes.slice(0, count) : bytes;
    this.#blocks.set(this.#next, block);
    return block;
  }
}
