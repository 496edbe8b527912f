/**
 * Random access to sources that can only be read forward: standard input, gzip, deflated members of archives.
 *
 * The bytes are copied once: up to 64 MiB stay in memory, more go to a file in the user's cache folder. That file is
 * readable by its owner only and is unlinked once it is open, so that nothing remains however the program ends. Only a copy that
 * is to be kept has a name from the beginning. Free space and a limit are checked before and while it is written.
 */
import { rmSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, statfs, unlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { UnreadableError } from '../base/errors.js';
import type { Problem } from '../base/problems.js';
import { formatBytes } from '../base/units.js';
import {
  type ByteSource,
  type ByteStream,
  isRandom,
  memorySource,
  type RandomSource,
  streamAt,
} from './byte-source.js';
import { readFully } from './file.node.js';
import { carryOver } from './file-tree.js';

/** Receives messages for the user, one line each. */
export type Announce = (message: string) => void;

export interface SpoolOptions {
  readonly announce?: Announce | undefined;
  /** Bytes that stay in memory; 64 MiB if not given. */
  readonly memory?: number;
  /** Bytes that are copied at most; if not given 1 TiB, or 64 GiB if the size of the source is unknown. */
  readonly limit?: number;
  /** Bytes of the disk that stay free; 512 MiB if not given. */
  readonly keepFree?: number;
  /** Where the file goes; the user's cache folder if not given. */
  readonly folder?: string;
  /** Keeps the file after use. */
  readonly keep?: KeptCopy | undefined;
}

/** A copy of one source that outlives the process. */
export interface KeptCopy {
  readonly folder: string;
  /** The copy that an earlier process left. */
  readonly find: () => Promise<ByteSource | undefined>;
  /** Path for a whole copy of this many bytes; undefined if it is too large to be kept. */
  readonly place: (size: number) => Promise<string | undefined>;
}

const MEMORY = 64 << 20;
const LIMIT = 2 ** 40;
const UNSIZED_LIMIT = 2 ** 36;
/** The user gets a message after each copy of this much data of unknown size. */
const REPORT_STEP = 2 ** 32;
const KEEP_FREE = 512 << 20;
const WINDOW = 1 << 22;
/** Free space is asked for again each time this much was written. */
const SPACE_STEP = 64 << 20;

/** The source itself if it supports random access, else a copy. */
export function randomAccess(source: ByteSource, options: SpoolOptions = {}): Promise<RandomSource> {
  return isRandom(source) ? Promise.resolve(source) : spool(source, options);
}

/**
 * A source that is copied when it is first opened, so that reading it several times decompresses it once. Where there is no
 * space for a copy, it is decompressed each time. Close it after use; that leaves the source open.
 */
export function copiedOnce(source: ByteSource, options: SpoolOptions = {}): ByteSource {
  if (isRandom(source)) return source;
  const { close: _, ...open } = source;
  let copy: Promise<ByteSource> | undefined;
  const copied = async (): Promise<ByteSource> => {
    try {
      return (await options.keep?.find()) ?? (await spool(open, options));
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return open;
    }
  };
  const once = (): Promise<ByteSource> => {
    copy ??= copied();
    return copy;
  };
  return {
    ...open,
    open: async () => (await once()).open(),
    copied: once,
    close: async () => (await copy)?.close?.(),
  };
}

/** Copies a source. Throws `UnreadableError` if there is no space for it. Close the copy after use. */
export async function spool(source: ByteSource, options: SpoolOptions = {}): Promise<RandomSource> {
  const limit = options.limit ?? (source.size === undefined ? UNSIZED_LIMIT : LIMIT);
  if (source.size !== undefined && source.size > limit) throw tooLarge(source.name, limit);
  const { close: closeSource, ...common } = carryOver(source);
  const stream = await source.open();
  let copy: RandomSource;
  try {
    const start = await readStart(stream, Math.min(options.memory ?? MEMORY, limit));
    if (start.whole) copy = memorySource(source.name, Buffer.concat(start.parts), stream.damage());
    else if (start.length > limit) throw tooLarge(source.name, limit);
    else copy = await toFile(source, start.parts, stream, limit, options);
  } finally {
    await stream.close();
  }
  const close = async (): Promise<void> => {
    await copy.close?.();
    await closeSource?.();
  };
  return { ...copy, ...common, close };
}

/** The first bytes, a few more than `limit` if there are more. */
async function readStart(
  stream: ByteStream,
  limit: number,
): Promise<{ parts: Uint8Array[]; length: number; whole: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length <= limit) {
    const part = new Uint8Array(Math.min(1 << 20, limit + 1 - length));
    const count = await stream.read(part);
    if (count === 0) return { parts, length, whole: true };
    parts.push(part.subarray(0, count));
    length += count;
  }
  return { parts, length, whole: false };
}

async function toFile(
  source: ByteSource,
  start: readonly Uint8Array[],
  stream: ByteStream,
  limit: number,
  options: SpoolOptions,
): Promise<RandomSource> {
  const { keep } = options;
  const file = await SpoolFile.create(keep?.folder ?? options.folder, keep !== undefined);
  try {
    const space = new SpaceCheck(source.name, file.folder, limit, options.keepFree ?? KEEP_FREE);
    const known = start.reduce((sum, part) => sum + part.length, 0);
    await space.before(Math.max(source.size ?? 0, known), 0);
    const where = keep === undefined ? 'a temporary file' : 'the cache';
    options.announce?.(`${source.name}: copying it to ${where} in ${file.folder} for random access`);
    let size = 0;
    for (const part of start) size = await file.write(part, size);
    const window = new Uint8Array(WINDOW);
    for (let count = await stream.read(window); count > 0; count = await stream.read(window)) {
      await space.before(size + count, size);
      const reported = Math.floor(size / REPORT_STEP);
      size = await file.write(window.subarray(0, count), size);
      if (source.size === undefined && Math.floor(size / REPORT_STEP) > reported)
        options.announce?.(`${source.name}: ${formatBytes(size)} copied so far`);
    }
    const damage = stream.damage();
    await file.settle(damage === undefined ? await keep?.place(size) : undefined);
    return file.source(source.name, size, damage);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Closes the files of copies that were not closed. */
const abandoned = new FinalizationRegistry<FileHandle>((handle) => void handle.close());

/** Name of a copy that is being written and then kept. */
export const UNFINISHED_COPY = /\.bytes\.[0-9a-f-]+$/;

/** An unlinked file. Where the system cannot unlink an open file, it is deleted when it is closed, as one that may be kept. */
class SpoolFile {
  readonly folder: string;
  readonly #path: string;
  readonly #handle: FileHandle;
  #removeLater: (() => void) | undefined;
  /** Where it is kept. */
  #kept: string | undefined;

  private constructor(folder: string, path: string, handle: FileHandle, isNamed: boolean) {
    this.folder = folder;
    this.#path = path;
    this.#handle = handle;
    this.#removeLater = isNamed ? () => rmSync(path, { force: true }) : undefined;
    if (this.#removeLater !== undefined) process.once('exit', this.#removeLater);
    abandoned.register(this, handle, this);
  }

  /** `named`: it may be kept. */
  static async create(folder: string | undefined, named: boolean): Promise<SpoolFile> {
    const candidates = folder === undefined ? [cacheFolder(), tmpdir()] : [folder];
    const failures: string[] = [];
    for (const candidate of candidates) {
      const path = join(candidate, `spool-${process.pid}${named ? '.bytes.' : '-'}${crypto.randomUUID()}`);
      try {
        await mkdir(candidate, { recursive: true, mode: 0o700 });
        const handle = await open(path, 'wx+', 0o600);
        return new SpoolFile(candidate, path, handle, named || !(await isUnlinked(path)));
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
    throw new UnreadableError(`cannot write a temporary file: ${failures.join('; ')}`, {
      code: 'no-temporary-file',
      advice: 'Set XDG_CACHE_HOME to a writable folder.',
    });
  }

  /** Writes all of `bytes` at `position`; returns their end. */
  async write(bytes: Uint8Array, position: number): Promise<number> {
    let at = 0;
    while (at < bytes.length) {
      const { bytesWritten } = await this.#handle.write(bytes, at, bytes.length - at, position + at);
      at += bytesWritten;
    }
    return position + at;
  }

  /** The file is whole: it gets the name under which it is kept; without one it is removed. */
  async settle(path: string | undefined): Promise<void> {
    if (this.#removeLater === undefined) return;
    if (path === undefined) {
      if (await isUnlinked(this.#path)) this.#forget();
      return;
    }
    await rename(this.#path, path);
    this.#kept = path;
    this.#forget();
  }

  /** Nothing is to be removed any more. */
  #forget(): void {
    if (this.#removeLater !== undefined) process.off('exit', this.#removeLater);
    this.#removeLater = undefined;
  }

  source(name: string, size: number, damage: Problem | undefined): RandomSource {
    const readAt = (offset: number, target: Uint8Array) => readFully(this.#handle, target, offset);
    const stream = () => streamAt(readAt, 0, () => damage);
    const kept = this.#kept === undefined ? {} : { path: this.#kept };
    return { name, size, readAt, ...kept, open: () => Promise.resolve(stream()), close: () => this.close() };
  }

  async close(): Promise<void> {
    abandoned.unregister(this);
    await this.#handle.close();
    if (this.#removeLater === undefined) return;
    process.removeListener('exit', this.#removeLater);
    this.#removeLater();
  }
}

/** Removes the name of an open file, where the system can. */
function isUnlinked(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    () => false,
  );
}

/** Stops a copy before it fills the disk. */
class SpaceCheck {
  readonly #name: string;
  readonly #folder: string;
  readonly #limit: number;
  readonly #keepFree: number;
  #allowed = 0;

  constructor(name: string, folder: string, limit: number, keepFree: number) {
    this.#name = name;
    this.#folder = folder;
    this.#limit = limit;
    this.#keepFree = keepFree;
  }

  /** Throws unless the file, with `written` bytes now, may grow to `size` bytes. Asks the system once per step. */
  async before(size: number, written: number): Promise<void> {
    if (size > this.#limit) throw tooLarge(this.#name, this.#limit);
    if (size <= this.#allowed) return;
    const { bavail, bsize } = await statfs(this.#folder);
    const free = bavail * bsize - this.#keepFree;
    if (free < size - written)
      throw new UnreadableError(
        `${this.#name}: not enough space in ${this.#folder} for a temporary copy (at least ${formatBytes(size)})`,
        { code: 'no-temporary-file', advice: 'Set XDG_CACHE_HOME to a folder on a larger disk.' },
      );
    this.#allowed = Math.min(size + SPACE_STEP, written + free);
  }
}

function tooLarge(name: string, limit: number): UnreadableError {
  return new UnreadableError(`${name}: larger than ${formatBytes(limit)}, the limit for a temporary copy`, {
    code: 'stream-too-large',
  });
}

/**
 * `$XDG_CACHE_HOME/kansoku`, or `~/.cache/kansoku`. A relative XDG_CACHE_HOME is ignored, as its specification
 * requires.
 */
export function cacheFolder(): string {
  const chosen = process.env.XDG_CACHE_HOME;
  return join(chosen !== undefined && isAbsolute(chosen) ? chosen : join(homedir(), '.cache'), 'kansoku');
}
