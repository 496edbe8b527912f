/**
 * Where bytes come from. A reader asks for a stream (forward, a window at a time) or, where the source can, for bytes
 * at an offset; it does not depend on whether they come from a file, an archive, a pipe or memory.
 */
import type { Problem } from '../base/problems.js';

/** A source of bytes: a file, a member of an archive, standard input, an array. */
export interface ByteSource {
  /** Name in messages: the path as the user wrote it. */
  readonly name: string;
  /** Number of bytes, if known without reading them all. */
  readonly size: number | undefined;
  /** Starts reading at byte 0. A source can be opened any number of times. */
  open(): Promise<ByteStream>;
  /** Fills `target` from `offset` on and returns how many bytes there were. Absent if only streaming is possible. */
  readonly readAt?: (offset: number, target: Uint8Array) => Promise<number>;
  /** The same, most often without a promise where the file is open: thousands of small reads take half the time. */
  readonly readSoon?: (offset: number, target: Uint8Array) => number | Promise<number>;
  /** The underlying file, if any: the cache is keyed by it. */
  readonly file?: FileIdentity;
  /** Path of a file with exactly these bytes, which other threads can open. */
  readonly path?: string;
  /** The copy that `open` reads, which is made now if it is missing; the source without a copy if there is no space for one. */
  readonly copied?: () => Promise<ByteSource>;
  /** What is wrong with the archive or directory it lies in, beyond its own bytes. The messages name the carrier. */
  readonly carrierProblems?: readonly Problem[];
  /** Frees its resources, such as a temporary file. Absent if there are none. */
  readonly close?: () => Promise<void>;
}

/** A source of known size whose bytes can be read in any order. */
export interface RandomSource extends ByteSource {
  readonly size: number;
  readonly readAt: (offset: number, target: Uint8Array) => Promise<number>;
}

export function isRandom(source: ByteSource): source is RandomSource {
  return source.readAt !== undefined && source.size !== undefined;
}

export interface FileIdentity {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  /** When content or attributes changed last, which no program can set. */
  readonly changed: number;
}

/** Bytes read forward. */
export interface ByteStream {
  /** Fills the whole of `target` unless the input ends; returns the number of bytes, 0 at the end. */
  read(target: Uint8Array): Promise<number>;
  /** After the end: damage of the container (such as a truncated gzip member), although bytes were delivered. */
  damage(): Problem | undefined;
  close(): Promise<void>;
}

/** Bytes in memory. `damage`: damage of the container they were taken from. */
export function memorySource(name: string, bytes: Uint8Array, damage?: Problem): RandomSource {
  const readAt = (offset: number, target: Uint8Array): Promise<number> => {
    const part = bytes.subarray(offset, offset + target.length);
    target.set(part);
    return Promise.resolve(part.length);
  };
  const open = () => Promise.resolve(streamAt(readAt, 0, () => damage));
  return { name, size: bytes.length, readAt, open };
}

/**
 * The bytes `offset` to `offset + length` of a source, as a source. If `whole` has fewer bytes, only those are read;
 * `damage` is their known damage.
 */
export function sliceSource(
  whole: RandomSource,
  name: string,
  offset: number,
  length: number,
  damage?: Problem,
): RandomSource {
  const size = Math.max(0, Math.min(length, whole.size - offset));
  const readAt = (at: number, target: Uint8Array): Promise<number> =>
    at >= size ? Promise.resolve(0) : whole.readAt(offset + at, target.subarray(0, Math.min(target.length, size - at)));
  return { name, size, readAt, open: () => Promise.resolve(streamAt(readAt, 0, () => damage)) };
}

/** A stream over a source that can be read at any offset. */
export function streamAt(
  readAt: RandomSource['readAt'],
  start: number,
  damage: () => Problem | undefined = () => undefined,
): ByteStream {
  let position = start;
  return {
    read: async (target) => {
      const count = await readAt(position, target);
      position += count;
      return count;
    },
    damage,
    close: () => Promise.resolve(),
  };
}

/** Starts reading at byte `offset`; the bytes before it are read and dropped if the source only streams. */
export async function openAt(source: ByteSource, offset: number): Promise<ByteStream> {
  if (offset > 0 && source.readAt !== undefined) return streamAt(source.readAt, offset);
  const stream = await source.open();
  const scratch = new Uint8Array(Math.min(offset, 1 << 18));
  for (let left = offset; left > 0; ) {
    const count = await stream.read(scratch.subarray(0, Math.min(left, scratch.length)));
    if (count === 0) break;
    left -= count;
  }
  return stream;
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
