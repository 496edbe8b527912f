/**
 * Where bytes come from. A reader asks for a stream (forward, a window at a time) or, where the source can, for bytes at
 * an offset; it never knows whether they come from a file, an archive, a pipe or memory.
 */
import type { Problem } from '../base/problems.js';

/** Something with bytes: a file, a member of an archive, standard input, an array. */
export interface ByteSource {
  /** What to call it in messages: the path as the user wrote it. */
  readonly name: string;
  /** Number of bytes, where it is known without reading them all. */
  readonly size: number | undefined;
  /** Starts reading at byte 0. A source can be opened any number of times. */
  open(): Promise<ByteStream>;
  /** Fills `target` from `offset` on and returns how many bytes there were. Absent where only streaming is possible. */
  readonly readAt?: (offset: number, target: Uint8Array) => Promise<number>;
  /** The file behind it, when there is one: the cache is keyed by it. */
  readonly file?: FileIdentity;
}

export interface FileIdentity {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

/** Bytes read forward. */
export interface ByteStream {
  /** Fills the whole of `target` unless the input ends; returns the number of bytes, 0 at the end. */
  read(target: Uint8Array): Promise<number>;
  /** After the end: what was wrong with the wrapping (a gzip member cut short, say), although bytes were delivered. */
  damage(): Problem | undefined;
  close(): Promise<void>;
}

/** Bytes in memory. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  const readAt = (offset: number, target: Uint8Array): Promise<number> => {
    const part = bytes.subarray(offset, offset + target.length);
    target.set(part);
    return Promise.resolve(part.length);
  };
  return {
    name,
    size: bytes.length,
    readAt,
    open: () => {
      let position = 0;
      return Promise.resolve({
        read: async (target: Uint8Array) => {
          const count = await readAt(position, target);
          position += count;
          return count;
        },
        damage: () => undefined,
        close: () => Promise.resolve(),
      });
    },
  };
}

/** The first bytes of a source, at most `length` of them. */
export async function readHead(source: ByteSource, length: number): Promise<Uint8Array> {
  const head = new Uint8Array(length);
  const stream = await source.open();
  try {
    return head.subarray(0, await stream.read(head));
  } finally {
    await stream.close();
  }
}

/** All bytes of a source that must not have more than `limit` of them. */
export async function readAll(source: ByteSource, limit: number): Promise<Uint8Array> {
  if (source.size !== undefined && source.size > limit) throw tooLarge(source, limit);
  const parts: Uint8Array[] = [];
  let total = 0;
  const stream = await source.open();
  try {
    for (;;) {
      const part = new Uint8Array(Math.min(1 << 20, limit + 1));
      const count = await stream.read(part);
      if (count === 0) break;
      total += count;
      if (total > limit) throw tooLarge(source, limit);
      parts.push(part.subarray(0, count));
    }
  } finally {
    await stream.close();
  }
  const all = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function tooLarge(source: ByteSource, limit: number): RangeError {
  return new RangeError(`${source.name}: more than the ${limit} bytes that may be held in memory`);
}
