/** The bytes that the walk over records reads: at any offset, or forward only where the source is a stream. */
import type { Problem } from '../../../base/problems.js';
import { type ByteSource, isRandom } from '../../../bytes/byte-source.js';
import type { ReadAt } from '../heap/passes/windows.js';

export interface RecordInput {
  /**
   * Streams only move forward after the first `FIRST_BYTES`: no offset may be below the end of the previous read. Skipped bytes
   * are dropped.
   */
  readonly readAt: ReadAt;
  /** Number of bytes; of a stream undefined until its end was met. */
  readonly size: () => number | undefined;
  /** Number of bytes; reads a stream a second time. Only damaged files and those of more than 4 GiB need it. */
  readonly measure: () => Promise<number>;
  /** A file with its bytes, where there is one. */
  readonly path: string | undefined;
  /** After the end: damage of the container. */
  readonly damage: () => Problem | undefined;
  readonly close: () => Promise<void>;
}

/** The bytes of a source, or of its copy. To be closed. */
export async function openInput(given: ByteSource): Promise<RecordInput> {
  const source = (await given.copied?.()) ?? given;
  if (isRandom(source)) {
    const { size } = source;
    const damage = source === given ? undefined : await damageOf(source);
    return {
      readAt: source.readSoon ?? source.readAt,
      size: () => size,
      measure: async () => size,
      path: source.path,
      damage: () => damage,
      close: async () => undefined,
    };
  }
  const stream = await source.open();
  let position = 0;
  let size: number | undefined;
  const read = async (target: Uint8Array): Promise<number> => {
    const count = await stream.read(target);
    position += count;
    if (count < target.length) size = position;
    return count;
  };
  // The head is looked at before the walk begins behind it.
  const first = new Uint8Array(FIRST_BYTES);
  const there = await read(first);
  let scratch = new Uint8Array(SMALLEST_SCRATCH);
  const readOn = async (offset: number, target: Uint8Array): Promise<number> => {
    if (offset < position) throw new Error(`offset ${offset} of a stream is behind ${position}`);
    if (offset - position > scratch.length) scratch = new Uint8Array(SCRATCH);
    while (position < offset && size === undefined)
      await read(scratch.subarray(0, Math.min(scratch.length, offset - position)));
    return size === undefined ? read(target) : 0;
  };
  return {
    readAt: async (offset, target) => {
      const kept = Math.min(target.length, Math.max(0, there - offset));
      target.set(first.subarray(offset, offset + kept));
      return kept === target.length ? kept : kept + (await readOn(offset + kept, target.subarray(kept)));
    },
    size: () => size,
    measure: async () => size ?? lengthOf(source),
    path: undefined,
    damage: () => stream.damage(),
    close: () => stream.close(),
  };
}

const SCRATCH = 1 << 18;
const SMALLEST_SCRATCH = 4 << 10;
/** Bytes at the beginning of a stream that may be read again. */
export const FIRST_BYTES = 8 << 10;

/** A copy knows the damage of what it was made of. */
async function damageOf(copy: ByteSource): Promise<Problem | undefined> {
  const stream = await copy.open();
  try {
    return stream.damage();
  } finally {
    await stream.close();
  }
}

async function lengthOf(source: ByteSource): Promise<number> {
  const stream = await source.open();
  try {
    const scratch = new Uint8Array(SCRATCH);
    for (let length = 0; ; ) {
      const count = await stream.read(scratch);
      length += count;
      if (count < scratch.length) return length;
    }
  } finally {
    await stream.close();
  }
}
