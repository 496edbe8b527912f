/**
 * Copies of files in the folder `archives` of an experiment: `libc.so.6_dnWuQRcLhw9` is the file name and a hash of its folder. archive.log says which
 * file a copy is of; without it the only copy of that name is taken.
 */
import { ProblemLog } from '../../../base/problems.js';
import { decodeUtf8 } from '../../../base/text.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import type { FileTree } from '../../../bytes/file-tree.js';
import type { FileSet } from '../../capabilities/sets.js';
import { splitPath } from '../../shared/member-paths.js';
import { wholeFile } from '../markup.js';

const FOLDER = 'archives/';
/** `_` and the hash. */
const SUFFIX = 12;
const COPIED = /^Copying `(.+)' +to `(?:.*\/)?([^/]+)'$/gm;
const MOST_LOG = 16 << 20;

/** Opens the copy of a file; undefined if there is none. */
export async function archivedCopy(tree: FileTree, set: FileSet, path: string): Promise<ByteSource | undefined> {
  const name = splitPath(path)[1];
  const copies = [...set.parts.keys()].filter(
    (part) => part.startsWith(`${FOLDER}${name}_`) && part.length === FOLDER.length + name.length + SUFFIX,
  );
  const wanted = copies.length === 0 ? undefined : await copyOf(path, copies, await copiedFiles(tree, set));
  const member = wanted === undefined ? undefined : set.parts.get(wanted);
  return member === undefined ? undefined : tree.open(member);
}

/** The file names of the originals of all copies. */
export function archivedNames({ parts }: FileSet): readonly string[] {
  return [...parts.keys()].flatMap((part) =>
    part.startsWith(FOLDER) && part.length > FOLDER.length + SUFFIX ? [part.slice(FOLDER.length, -SUFFIX)] : [],
  );
}

/** By the name of the copy, the path of the original. */
async function copiedFiles(tree: FileTree, set: FileSet): Promise<ReadonlyMap<string, string>> {
  const originals = new Map<string, string>();
  for (const [part, path] of set.parts) {
    if (splitPath(part)[1] !== 'archive.log') continue;
    const source = await tree.open(path);
    try {
      const bytes = await wholeFile(source, new ProblemLog(), MOST_LOG);
      const text = decodeUtf8(bytes, 0, bytes.length);
      for (const [, original = '', copy = ''] of text.matchAll(COPIED)) originals.set(copy, original);
    } finally {
      await source.close?.();
    }
  }
  return originals;
}

function copyOf(path: string, copies: readonly string[], originals: ReadonlyMap<string, string>): string | undefined {
  const original = (copy: string): string | undefined => originals.get(copy.slice(FOLDER.length));
  const exact = copies.find((copy) => original(copy) === path);
  if (exact !== undefined) return exact;
  // Classes are asked for without the folder that they were loaded from.
  const [first, ...others] = copies.filter((copy) => original(copy)?.endsWith(`/${path}`));
  if (first !== undefined && others.length === 0) return first;
  const unknown = copies.filter((copy) => original(copy) === undefined);
  return unknown.length === 1 ? unknown[0] : undefined;
}
