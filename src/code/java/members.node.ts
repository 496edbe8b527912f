/** Class files out of directories and archives, and the zlib streams of compressed images. */
import { inflateSync } from 'node:zlib';
import { KansokuError } from '../../base/errors.js';
import type { Problem } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { formatBytes } from '../../base/units.js';
import type { FileTree } from '../../bytes/file-tree.js';
import { LARGEST_CLASS } from './class-container.js';

/** Inflates a zlib stream that must give `size` bytes. Throws where it is damaged or gives more. */
export function inflateZlib(bytes: Uint8Array, size: number): Uint8Array {
  return inflateSync(bytes, { maxOutputLength: Math.max(1, size) });
}

/** Reads files of a tree: many at a time where the tree can, and alone those of which something is wrong. */
export async function readMembers(
  tree: FileTree,
  paths: readonly string[],
  visit: (path: number, bytes: Uint8Array) => void,
  fail: (path: number, problem: Problem) => void,
  work: Work,
): Promise<void> {
  const left = new Set(paths.keys());
  const visitSound = (i: number, bytes: Uint8Array): void => {
    left.delete(i);
    visit(i, bytes);
  };
  await tree.readMany?.(paths, visitSound, work);
  for (const i of left) {
    work.signal?.throwIfAborted();
    const path = paths[i];
    const content = await readMember(tree, path, LARGEST_CLASS);
    if ('code' in content) fail(i, content);
    else visit(i, content);
  }
}

/** The bytes of a file of a tree, or why they cannot be had: it is larger than `limit`, or damaged. */
export async function readMember(tree: FileTree, path: string, limit: number): Promise<Uint8Array | Problem> {
  const lost = (message: string): Problem => ({ code: 'class-unreadable', severity: 'error', message });
  try {
    const source = await tree.open(path);
    const size = source.size;
    if (size === undefined || size > limit)
      return lost(`${source.name}: more than the ${formatBytes(limit)} that are read of it`);
    const bytes = new Uint8Array(size);
    const stream = await source.open();
    try {
      const count = await stream.read(bytes);
      // The damage of a member is known once its end was seen.
      await stream.read(new Uint8Array(1));
      const damage = stream.damage();
      if (damage !== undefined) return damage;
      return count === size ? bytes : lost(`${source.name}: has ${count} of its ${size} bytes`);
    } finally {
      await stream.close();
      await source.close?.();
    }
  } catch (error) {
    if (error instanceof KansokuError) return lost(error.message);
    throw error;
  }
}
