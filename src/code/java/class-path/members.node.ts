/** Class files from directories and archives, and the zlib streams of compressed images. */
import { inflateSync } from 'node:zlib';
import type { Problem } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import { LARGEST_RATIO } from '../../../bytes/archive/inflate.node.js';
import type { FileTree } from '../../../bytes/file-tree.js';
import { readWhole } from '../../read-whole.js';
import { LARGEST_CLASS } from './class-container.js';

/** Inflates a zlib stream that must give `size` bytes; returns a text if it is damaged or longer. */
export function inflateZlib(bytes: Uint8Array, size: number): Uint8Array | string {
  if (size > (bytes.length + 1) * LARGEST_RATIO) return `${bytes.length} bytes cannot expand to ${size}`;
  try {
    // One byte more than it has, so that zlib sees its end without a second buffer.
    return inflateSync(bytes, { maxOutputLength: size + 1, chunkSize: Math.max(64, size + 1) });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Reads files of a tree: in bulk if the tree supports it, and one by one those with damage. */
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
    const content = await readWhole(() => tree.open(path), LARGEST_CLASS, 'class-unreadable');
    if ('code' in content) fail(i, content);
    else visit(i, content);
  }
}
