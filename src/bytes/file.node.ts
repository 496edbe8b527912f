/** Files of this machine as byte sources. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { UnreadableError } from '../base/errors.js';
import type { ByteSource, ByteStream } from './byte-source.js';

/** A regular file. Throws `UnreadableError` where it cannot be opened. */
export async function fileSource(path: string, name: string = path): Promise<ByteSource> {
  const stats = await stat(path).catch((error: unknown) => {
    throw cannotOpen(name, error);
  });
  if (!stats.isFile()) throw new UnreadableError(`${name}: not a regular file`);
  return {
    name,
    size: stats.size,
    file: { path, size: stats.size, modified: stats.mtimeMs },
    open: () => openFile(path, name),
    readAt: async (offset, target) => {
      const handle = await open(path, 'r');
      try {
        return await readFully(handle, target, offset);
      } finally {
        await handle.close();
      }
    },
  };
}

async function openFile(path: string, name: string): Promise<ByteStream> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw cannotOpen(name, error);
  });
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

async function readFully(handle: FileHandle, target: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < target.length) {
    const { bytesRead } = await handle.read(target, filled, target.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

function cannotOpen(name: string, error: unknown): UnreadableError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Record<string, string> = {
    ENOENT: 'no such file',
    EACCES: 'permission denied',
    EISDIR: 'is a directory',
    ENOTDIR: 'a part of its path is not a directory',
  };
  return new UnreadableError(`${name}: ${reasons[code] ?? (error instanceof Error ? error.message : String(error))}`);
}
