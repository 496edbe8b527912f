/**
 * Unpacks members of gzip before they are asked for, several at once in the threads of zlib: `jcmd GC.heap_dump -gz=N` writes a
 * member for each MiB, bgzip for each 64 KiB.
 *
 * Headers have no length of the member, so its end is a guess: where the next header seems to be, or the source ends. Members are
 * joined to groups of about 1 MiB. A group is taken only if it is proven: zlib found whole members with correct checksums that end
 * exactly there. Everything else is left to the stream, which reads it byte by byte and reports damage, so the result is the same.
 *
 * Memory: at most `GROUPS` groups of 5 MiB, and the compressed bytes of them in windows of 4 MiB: 54 MiB; usually 10.
 */
import { availableParallelism } from 'node:os';
import { gunzip } from 'node:zlib';
import { LARGEST_RATIO } from './archive/inflate.node.js';
import type { RandomSource } from './byte-source.js';

/** Groups that are unpacked at once. */
const GROUPS = Math.min(6, availableParallelism() + 2);
/** A group is complete with this many bytes. */
const USUAL_GROUP = 1 << 20;
/** Larger members are read by the stream. */
const LARGEST_MEMBER = 4 << 20;
const WINDOW = 4 << 20;
const MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);
const RESERVED_FLAGS = 0xe0;
/** Header, an empty block, checksum and length. */
const SMALLEST_MEMBER = 10 + 2 + 8;

/** Bytes of whole members, and where they end in the source. */
export interface GzipMembers {
  readonly bytes: Uint8Array;
  readonly end: number;
}

interface Group {
  readonly from: number;
  readonly end: number;
  /** Undefined if they are no whole members. */
  readonly bytes: Promise<Uint8Array | undefined>;
}

export class MembersAhead {
  readonly #source: RandomSource;
  readonly #groups: Group[] = [];
  #window: Buffer = Buffer.alloc(0);
  /** Offset of the window in the source. */
  #base = 0;
  /** Where the next group begins. */
  #next = 0;
  /** Before this offset nothing is looked for: the stream has to read that. */
  #blindTo = 0;

  constructor(source: RandomSource) {
    this.#source = source;
  }

  /** The members from an offset of the source on; undefined if the stream has to read the next one. */
  async at(offset: number): Promise<GzipMembers | undefined> {
    if (offset < this.#blindTo) return undefined;
    if (this.#groups[0]?.from !== offset) this.#restart(offset);
    while (this.#groups.length < GROUPS && (await this.#begin()));
    const group = this.#groups.shift();
    if (group === undefined) return undefined;
    const bytes = await group.bytes;
    if (bytes !== undefined) return { bytes, end: group.end };
    this.#blindTo = group.end;
    return undefined;
  }

  #restart(offset: number): void {
    this.#groups.length = 0;
    this.#next = offset;
  }

  /** Begins to unpack the next group; false if its end is not found. */
  async #begin(): Promise<boolean> {
    const from = this.#next;
    if (from >= this.#source.size) return false;
    let found = this.#find(from);
    if (found === undefined && this.#base + this.#window.length < Math.min(from + WINDOW, this.#source.size)) {
      await this.#read(from);
      found = this.#find(from);
    }
    if (found === undefined) {
      // With groups before it, it is looked for again once these are taken.
      if (this.#groups.length === 0) this.#blindTo = from + this.#window.length;
      return false;
    }
    const { end, length } = found;
    const packed = this.#window.subarray(from - this.#base, end - this.#base);
    this.#groups.push({ from, end, bytes: unpack(packed, length) });
    this.#next = end;
    return true;
  }

  /** Zlib may still look at the old window. */
  async #read(from: number): Promise<void> {
    const window = Buffer.allocUnsafe(Math.min(WINDOW, this.#source.size - from));
    this.#window = window.subarray(0, await this.#source.readAt(from, window));
    this.#base = from;
  }

  /** A group in the window: its end in the source, and the bytes that its members announce. */
  #find(from: number): { end: number; length: number } | undefined {
    const window = this.#window;
    const start = from - this.#base;
    if (start < 0 || start >= window.length) return undefined;
    const isLast = this.#base + window.length === this.#source.size;
    let found: { end: number; length: number } | undefined;
    for (let member = start, search = start; ; ) {
      const end = nextHeader(window, search + SMALLEST_MEMBER, isLast);
      if (end < 0) return found;
      search = end;
      const length = window.readUInt32LE(end - 4);
      // Else the end of a member is no end, or this member is none for this way.
      if (length <= Math.min(LARGEST_MEMBER, (end - member) * LARGEST_RATIO)) {
        found = { end: this.#base + end, length: (found?.length ?? 0) + length };
        if (found.length >= USUAL_GROUP) return found;
        member = end;
      }
      if (end === window.length) return found;
    }
  }
}

/** Where the next header may be, or the source ends; -1 if neither is in the window. */
function nextHeader(window: Buffer, from: number, isLast: boolean): number {
  for (let at = window.indexOf(MAGIC, from); at >= 0; at = window.indexOf(MAGIC, at + 1))
    if (at + 3 < window.length && (window[at + 3] & RESERVED_FLAGS) === 0) return at;
  return isLast && from <= window.length ? window.length : -1;
}

/** Unpacks members that announce `length` bytes; undefined unless they are whole and have no more than that. */
function unpack(packed: Uint8Array, length: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    // With a byte of room zlib sees the end in one step.
    const options = { chunkSize: Math.max(64, length + 1), maxOutputLength: Math.max(1, length), info: true };
    gunzip(packed, options, (error, result) => resolve(error === null ? whole(result, packed.length) : undefined));
  });
}

/** With `info`, zlib also returns its engine, which knows how much of the input it used. */
function whole(result: unknown, packed: number): Uint8Array | undefined {
  if (typeof result !== 'object' || result === null || !('buffer' in result) || !('engine' in result)) return undefined;
  const { buffer, engine } = result;
  if (!(buffer instanceof Uint8Array) || typeof engine !== 'object' || engine === null) return undefined;
  return 'bytesWritten' in engine && engine.bytesWritten === packed ? buffer : undefined;
}
