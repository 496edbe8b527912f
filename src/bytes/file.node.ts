/** Files of this machine as byte sources. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { UnreadableError } from '../base/errors.js';
import type { Work } from '../base/progress.js';
import type { ByteStream, RandomSource } from './byte-source.js';
import { osPath } from './path-bytes.node.js';

/** A handle for random reads is closed after this time without use. */
const IDLE_MILLISECONDS = 2000;
/** These are read without a promise. */
const A_FEW_BYTES = 64 << 10;

/** A regular file. Throws `UnreadableError` if it cannot be opened. */
export async function fileSource(path: string, name: string = path): Promise<RandomSource> {
  const stats = await stat(osPath(path)).catch((error: unknown) => {
    throw cannotOpen(name, error);
  });
  if (!stats.isFile()) throw new UnreadableError(`${name}: not a regular file`);
  const handle = new IdleHandle(path, name);
  return {
    name,
    size: stats.size,
    file: { path, size: stats.size, modified: stats.mtimeMs },
    open: () => openFile(path, name),
    readAt: (offset, target) => handle.readAt(offset, target),
    readSoon: (offset, target) => handle.readSoon(offset, target),
    close: () => handle.close(),
  };
}

/** One handle for all random reads of a file, opened by the first; it closes by itself. */
class IdleHandle {
  readonly #path: string;
  readonly #name: string;
  #handle: Promise<FileHandle> | undefined;
  #opened: FileHandle | undefined;
  #users = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, name: string) {
    this.#path = path;
    this.#name = name;
  }

  readSoon(offset: number, target: Uint8Array): number | Promise<number> {
    if (this.#opened === undefined || target.length > A_FEW_BYTES) return this.readAt(offset, target);
    let filled = 0;
    for (let count = 1; count > 0 && filled < target.length; filled += count)
      count = readSync(this.#opened.fd, target, filled, target.length - filled, offset + filled);
    return filled;
  }

  async readAt(offset: number, target: Uint8Array): Promise<number> {
    this.#users++;
    clearTimeout(this.#timer);
    try {
      this.#handle ??= openHandle(this.#path, this.#name);
      const opening = this.#handle;
      const file = await opening;
      // It may have been closed meanwhile.
      if (this.#handle === opening) this.#opened = file;
      return await readFully(file, target, offset);
    } catch (error) {
      if (error instanceof UnreadableError) this.#handle = undefined;
      throw error;
    } finally {
      this.#users--;
      if (this.#users === 0) this.#timer = setTimeout(() => void this.close(), IDLE_MILLISECONDS).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const handle = this.#handle;
    this.#handle = undefined;
    this.#opened = undefined;
    await (await handle)?.close();
  }
}

async function openFile(path: string, name: string): Promise<ByteStream> {
  const handle = await openHandle(path, name);
  let position = 0;
  return {
    read: async (target) => {
      const count = await readFully(handle, target, position);
      position += count;
      return count;
    },
    damage: () => undefined,
    close: () => handle.close(),
  };
}

function openHandle(path: string, name: string): Promise<FileHandle> {
  return open(osPath(path), 'r').catch((error: unknown) => {
    throw cannotOpen(name, error);
  });
}

/** Fills `target` from byte `position` on unless the file ends; returns the number of bytes. */
export async function readFully(handle: FileHandle, target: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < target.length) {
    const { bytesRead } = await handle.read(target, filled, target.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Larger files are not read in bulk. */
const LARGEST_OF_MANY = 16 << 20;
/** Files that are read in one turn of the event loop. */
const FILES_A_TURN = 256;

/** Reads many small files; unreadable and larger files are skipped. Several times faster than one promise per file. */
export async function readFiles(
  paths: readonly string[],
  visit: (path: number, bytes: Uint8Array) => void,
  work: Work,
): Promise<void> {
  for (const [i, path] of paths.entries()) {
    const bytes = readSmall(path);
    if (bytes !== undefined) visit(i, bytes);
    if (i % FILES_A_TURN < FILES_A_TURN - 1) continue;
    await setImmediate();
    work.signal?.throwIfAborted();
    work.progress?.({ phase: 'reading', done: i + 1, total: paths.length, unit: 'rows' });
  }
}

function readSmall(path: string): Uint8Array | undefined {
  let handle: number;
  try {
    handle = openSync(osPath(path), 'r');
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > LARGEST_OF_MANY) return undefined;
    const bytes = new Uint8Array(stats.size);
    let filled = 0;
    for (let count = 1; count > 0 && filled < bytes.length; filled += count)
      count = readSync(handle, bytes, filled, bytes.length - filled, filled);
    return filled === bytes.length ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(handle);
  }
}

/** Words an error of the operating system. */
export function cannotOpen(name: string, error: unknown): UnreadableError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Record<string, string> = {
    ENOENT: 'no such file',
    EACCES: 'permission denied',
    EISDIR: 'is a directory',
    ENOTDIR: 'a part of its path is not a directory',
    ELOOP: 'its symbolic links form a loop',
    ENAMETOOLONG: 'the name is too long for the file system',
  };
  return new UnreadableError(`${name}: ${reasons[code] ?? (error instanceof Error ? error.message : String(error))}`);
}
