/**
 * gzip (RFC 1952) of one or many members, decompressed while it is read: no temporary file, memory of a few windows. Small members of
 * a large file are unpacked ahead, several at once (`gzip-ahead.node.ts`).
 *
 * All bytes before damage are delivered. The checksum of a member is compared after its bytes were delivered; a
 * mismatch does not end reading. Zero padding and other bytes after the last member are reported.
 */
import { crc32 } from 'node:zlib';
import type { Problem, Severity } from '../base/problems.js';
import { Inflater, InputCursor } from './archive/inflate.node.js';
import { type ByteSource, type ByteStream, isRandom, readHead } from './byte-source.js';
import { carryOver, type FileTree } from './file-tree.js';
import { MembersAhead } from './gzip-ahead.node.js';

const HAS_HEADER_CHECK = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
const RESERVED_FLAGS = 0xe0;
/** A header with a longer name or comment counts as damaged. */
const LONGEST_NAME = 1 << 15;
/** Members of smaller files are not unpacked ahead. */
const LEAST_FOR_AHEAD = 1 << 20;

export function isGzip(head: Uint8Array): boolean {
  return head.length >= 3 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 0x08;
}

/**
 * The decompressed bytes of `source`. Bytes before damage are delivered; `damage()` then reports it. `aheadFrom`: bytes of a file
 * from which members are unpacked ahead; the result is the same.
 */
export function gunzip(source: ByteSource, aheadFrom = LEAST_FOR_AHEAD): ByteSource {
  return {
    name: source.name,
    size: undefined,
    ...carryOver(source),
    open: async () => {
      const ahead = isRandom(source) && source.size >= aheadFrom ? new MembersAhead(source) : undefined;
      return new GunzipStream(await InputCursor.open(source), ahead);
    },
  };
}

/** The tree with all its gzipped members decompressed. Sizes of members are those in the container. */
export function gunzipMembers(tree: FileTree): FileTree {
  const open = async (path: string): Promise<ByteSource> => {
    const source = await tree.open(path);
    return isGzip(await readHead(source, 3)) ? gunzip(source) : source;
  };
  const { readMany: _, ...rest } = tree;
  return { ...rest, open, close: () => tree.close() };
}

class GunzipStream implements ByteStream {
  readonly #cursor: InputCursor;
  readonly #ahead: MembersAhead | undefined;
  #inflater: Inflater | undefined;
  /** Bytes that were unpacked ahead and not taken yet. */
  #unpacked: Uint8Array = new Uint8Array(0);
  /** Offset in the input where the next member begins. */
  #position = 0;
  #problem: Problem | undefined;
  #done = false;
  /** Members, or groups of them, that were read. */
  #members = 0;
  /** Of the current member. */
  #checkSum = 0;
  #length = 0;
  /** Of all members. */
  #total = 0;

  constructor(cursor: InputCursor, ahead: MembersAhead | undefined) {
    this.#cursor = cursor;
    this.#ahead = ahead;
  }

  async read(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length && !this.#done) {
      const rest = target.subarray(filled);
      if (this.#unpacked.length > 0 || (this.#inflater === undefined && (await this.#takeAhead()))) {
        filled += this.#take(rest);
        continue;
      }
      this.#inflater ??= await this.#nextMember();
      if (this.#inflater === undefined) break;
      const count = await this.#inflater.read(rest);
      filled += count;
      this.#length += count;
      this.#total += count;
      this.#checkSum = crc32(rest.subarray(0, count), this.#checkSum);
      if (count < rest.length) await this.#endMember(this.#inflater);
    }
    return filled;
  }

  /** Gets the next members if they were unpacked ahead. */
  async #takeAhead(): Promise<boolean> {
    const members = await this.#ahead?.at(this.#position);
    if (members === undefined) return false;
    this.#unpacked = members.bytes;
    this.#position = members.end;
    this.#members++;
    return true;
  }

  #take(target: Uint8Array): number {
    const part = this.#unpacked.subarray(0, target.length);
    target.set(part);
    this.#unpacked = this.#unpacked.subarray(part.length);
    this.#total += part.length;
    return part.length;
  }

  damage(): Problem | undefined {
    return this.#problem ?? (this.#done ? this.#cursor.damage() : undefined);
  }

  close(): Promise<void> {
    this.#inflater?.close();
    return this.#cursor.close();
  }

  /** Reads the header of the next member; undefined if there is none. */
  async #nextMember(): Promise<Inflater | undefined> {
    if (this.#cursor.position !== this.#position) await this.#cursor.restart(this.#position);
    const head = await this.#cursor.peek(10);
    if (head.length === 0 || !isGzip(head)) {
      await this.#trailing(head);
      return undefined;
    }
    if (!(await skipHeader(this.#cursor))) {
      this.#stop('gzip-damaged', 'error', 'the header of a gzip member is damaged or truncated');
      return undefined;
    }
    this.#members++;
    this.#checkSum = 0;
    this.#length = 0;
    return new Inflater(this.#cursor);
  }

  async #endMember(inflater: Inflater): Promise<void> {
    this.#inflater = undefined;
    if (inflater.state === 'cut') return this.#stop('gzip-damaged', 'error', 'the gzip data is truncated');
    if (inflater.state === 'damaged') return this.#stop('gzip-damaged', 'error', 'the gzip data is damaged');
    const trailer = await this.#cursor.peek(8);
    if (trailer.length < 8)
      return this.#stop('gzip-damaged', 'error', 'the gzip data is truncated before its checksum');
    const view = new DataView(trailer.buffer, trailer.byteOffset, 8);
    if (view.getUint32(0, true) !== this.#checkSum || view.getUint32(4, true) !== this.#length % 2 ** 32)
      this.#note('gzip-checksum', 'error', 'checksum mismatch in a gzip member');
    this.#cursor.advance(8);
    this.#position = this.#cursor.position;
  }

  /** Handles bytes where a member should begin. */
  async #trailing(head: Uint8Array): Promise<void> {
    const start = this.#cursor.position;
    if (this.#members === 0) return this.#stop('gzip-damaged', 'error', 'no gzip header found');
    for (let rest = head; ; rest = await this.#cursor.peek(1)) {
      const garbage = rest.findIndex((byte) => byte !== 0);
      if (garbage >= 0) return this.#stop('gzip-trailing', 'warning', 'data after the last gzip member is ignored');
      if (rest.length === 0) break;
      this.#cursor.advance(rest.length);
    }
    this.#done = true;
    const zeros = this.#cursor.position - start;
    if (zeros > 0) this.#note('gzip-padding', 'info', `${zeros} zero bytes follow the last gzip member`);
  }

  #stop(code: string, severity: Severity, what: string): void {
    this.#done = true;
    this.#note(code, severity, what);
  }

  /** Keeps the first problem; a padding note is always the last. */
  #note(code: string, severity: Severity, what: string): void {
    const where = `compressed byte ${this.#cursor.position}`;
    const message = `${what} (at ${where}); the ${this.#total} bytes before it were read`;
    this.#problem ??= { code, severity, message, offset: this.#total };
  }
}

/** Moves the cursor past the header of a member. False if it is cut or damaged. */
async function skipHeader(cursor: InputCursor): Promise<boolean> {
  const head = await cursor.peek(12);
  if (head.length < 10 || (head[3] & RESERVED_FLAGS) !== 0) return false;
  const flags = head[3];
  const extra = (flags & HAS_EXTRA) === 0 ? 0 : 2 + head[10] + head[11] * 256;
  if (!(await skip(cursor, 10)) || !(await skip(cursor, extra))) return false;
  if ((flags & HAS_NAME) !== 0 && !(await skipText(cursor))) return false;
  if ((flags & HAS_COMMENT) !== 0 && !(await skipText(cursor))) return false;
  return skip(cursor, (flags & HAS_HEADER_CHECK) === 0 ? 0 : 2);
}

async function skip(cursor: InputCursor, count: number): Promise<boolean> {
  if (!((await cursor.peek(Math.min(count, LONGEST_NAME))).length >= Math.min(count, LONGEST_NAME))) return false;
  cursor.advance(Math.min(count, LONGEST_NAME));
  return count <= LONGEST_NAME || skip(cursor, count - LONGEST_NAME);
}

async function skipText(cursor: InputCursor): Promise<boolean> {
  const end = (await cursor.peek(LONGEST_NAME)).indexOf(0);
  if (end < 0) return false;
  cursor.advance(end + 1);
  return true;
}
