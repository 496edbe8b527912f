/** Files of this machine as byte sources. */
import { closeSync, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { UnreadableError } from '../base/errors.js';
import type { Work } from '../base/progress.js';
import type { ByteStream, FileIdentity, RandomSource } from './byte-source.js';
import { osPath } from './path-bytes.node.js';

/** A handle for random reads is closed after this time without use. */
const IDLE_MILLISECONDS = 2000;
/** So many bytes are read without a promise, then others may run: signals, and the messages of threads. */
const BYTES_A_TURN = 8 << 20;

/**
 * A regular file. Throws `UnreadableError` if it cannot be opened. `stays`: it stays open from the first random read until `close`, so
 * that it can be read after it was removed.
 */
export async function fileSource(path: string, name: string = path, stays = false): Promise<RandomSource> {
  const stats = await stat(osPath(path)).catch((error: unknown) => {
    throw cannotOpen(name, error);
  });
  if (!stats.isFile()) throw new UnreadableError(`${name}: not a regular file`, { code: 'not-a-file' });
  const handle = new IdleHandle(path, name, stays);
  return {
    name,
    size: stats.size,
    file: { path, size: stats.size, modified: stats.mtimeMs, changed: stats.ctimeMs },
    path,
    open: () => openFile(path, name),
    readAt: (offset, target) => handle.readAt(offset, target),
    readSoon: (offset, target) => handle.readSoon(offset, target),
    close: () => handle.close(),
  };
}

/** Whether a file has the size and times that it had. */
export async function isUnchanged({ path, size, modified, changed }: FileIdentity): Promise<boolean> {
  const stats = await stat(osPath(path));
  return stats.size === size && stats.mtimeMs === modified && stats.ctimeMs === changed;
}

/** One handle for all random reads of a file, opened by the first; it closes by itself unless it stays open. */
class IdleHandle {
  readonly #path: string;
  readonly #name: string;
  readonly #stays: boolean;
  #handle: Promise<FileHandle> | undefined;
  #opened: FileHandle | undefined;
  #users = 0;
  /** Bytes that were read at once since others could run. */
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, name: string, stays: boolean) {
    this.#path = path;
    this.#name = name;
    this.#stays = stays;
  }

  readSoon(offset: number, target: Uint8Array): number | Promise<number> {
    const file = this.#opened;
    if (file === undefined) return this.readAt(offset, target);
    this.#turn += target.length;
    if (this.#turn <= BYTES_A_TURN) return readNow(file, target, offset, this.#name);
    this.#turn = 0;
    return this.#readInTurn(offset, target);
  }

  async #readInTurn(offset: number, target: Uint8Array): Promise<number> {
    await setImmediate();
    return this.#opened === undefined ? this.readAt(offset, target) : readNow(this.#opened, target, offset, this.#name);
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
      throw cannotRead(this.#name, error);
    } finally {
      this.#users--;
      if (this.#users === 0 && !this.#stays)
        this.#timer = setTimeout(() => void this.close(), IDLE_MILLISECONDS).unref();
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

function readNow({ fd }: FileHandle, target: Uint8Array, offset: number, name: string): number {
  let filled = 0;
  try {
    for (let count = 1; count > 0 && filled < target.length; filled += count)
      count = readSync(fd, target, filled, target.length - filled, offset + filled);
  } catch (error) {
    throw cannotRead(name, error);
  }
  return filled;
}

async function openFile(path: string, name: string): Promise<ByteStream> {
  const handle = await openHandle(path, name);
  let position = 0;
  return {
    read: async (target) => {
      const count = await readFully(handle, target, position).catch((error: unknown) => {
        throw cannotRead(name, error);
      });
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
    EIO: 'the system fails to read it (EIO)',
  };
  const target = code === 'ENOENT' ? linkTarget(error) : undefined;
  if (target !== undefined)
    return new UnreadableError(`${name}: a link to ${target}, which does not exist`, { code: 'broken-link' });
  return new UnreadableError(`${name}: ${reasons[code] ?? (error instanceof Error ? error.message : String(error))}`, {
    code: 'cannot-open',
  });
}

/** Words an error of the operating system while a file is read; other errors stay. */
function cannotRead(name: string, error: unknown): unknown {
  return error instanceof Error && 'syscall' in error ? cannotOpen(name, error) : error;
}

/** What the link names that could not be followed; undefined if the path of an error is no link. */
function linkTarget(error: unknown): string | undefined {
  if (!(error instanceof Error && 'path' in error) || typeof error.path !== 'string') return undefined;
  const isLink = lstatSync(error.path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? readlinkSync(error.path) : undefined;
}
