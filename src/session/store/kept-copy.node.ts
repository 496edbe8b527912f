/**
 * Decompressed copies of large files that are read again and again, such as heap dumps in gzip: kept in the folder of the column
 * files, and removed by its rules. The name has the identity of the content and the number of bytes.
 */
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../base/digest.node.js';
import { UnreadableError } from '../../base/errors.js';
import type { RandomSource } from '../../bytes/byte-source.js';
import { fileSource } from '../../bytes/file.node.js';
import type { KeptCopy } from '../../bytes/spool.node.js';
import { LARGEST_STORE, makeRoom, type StoreOptions } from './column-store.node.js';

/** A copy takes at most this part of the folder. */
const LARGEST_PART = 0.5;

/** The copy of the content with this identity. `name`: of its source, for messages. */
export function keptCopy(name: string, content: string, options: StoreOptions): KeptCopy {
  const { folder, now, largest = LARGEST_STORE } = options;
  const prefix = `${sha256().update(`bytes ${content}`).digest('hex')}.`;
  return {
    folder,
    find: async () => {
      for (const file of await readdir(folder).catch(() => [])) {
        const size = /^(\d+)\.bytes$/.exec(file.startsWith(prefix) ? file.slice(prefix.length) : '')?.[1];
        if (size === undefined) continue;
        const copy = await wholeFile(join(folder, file), name, Number(size));
        if (copy === undefined) continue;
        // Only the order of removal depends on it.
        await utimes(join(folder, file), now / 1000, now / 1000).catch(() => undefined);
        return copy;
      }
      return undefined;
    },
    place: async (size) => {
      if (size > largest * LARGEST_PART) return undefined;
      await makeRoom(0, options);
      return join(folder, `${prefix}${size}.bytes`);
    },
  };
}

/** The file, unless it lost bytes; then it is removed. */
async function wholeFile(path: string, name: string, size: number): Promise<RandomSource | undefined> {
  const copy = await fileSource(path, name).catch((error: unknown) => {
    if (!(error instanceof UnreadableError)) throw error;
    return undefined;
  });
  if (copy === undefined || copy.size === size) return copy;
  // A file that cannot be removed is overwritten.
  await rm(path, { force: true }).catch(() => undefined);
  return undefined;
}
