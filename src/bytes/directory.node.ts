/**
 * A directory of this machine as a tree, and the folder around a file.
 *
 * Symbolic links to files count as files, since recordings use them (archived load objects); links to directories are
 * listed and not followed, so that cycles are impossible. Special files are listed and never opened. Cost: one call a folder, and
 * one a symbolic link.
 */
import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RandomSource } from './byte-source.js';
import { cannotOpen, fileSource, readFiles } from './file.node.js';
import { type FileTree, MemberList, type SourceWithSiblings } from './file-tree.js';
import { osPath, pathText } from './path-bytes.node.js';

/** Lists a directory and everything below it. Throws `UnreadableError` if the directory itself cannot be read. */
export function directoryTree(path: string, name: string = path): Promise<FileTree> {
  return listTree(path, name, true);
}

/** A file that knows the files beside it. */
export async function fileWithSiblings(path: string, name: string = path): Promise<RandomSource & SourceWithSiblings> {
  const source = await fileSource(path, name);
  return { ...source, siblings: () => listTree(dirname(path), dirname(name), false) };
}

async function listTree(root: string, name: string, deep: boolean): Promise<FileTree> {
  const list = new MemberList<string>(name);
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && !list.full; folder = folders.pop()) {
    for (const entry of await entriesOf(root, folder, name, list)) {
      if (list.full) break;
      const entryName = pathText(entry.name);
      const path = folder === '' ? entryName : `${folder}/${entryName}`;
      await addEntry(list, root, path, entry);
      if (deep && entry.isDirectory()) folders.push(path);
    }
  }
  const nameOf = (path: string) => (name.endsWith('/') ? name + path : `${name}/${path}`);
  return {
    name,
    carrier: 'directory',
    members: list.sorted(),
    problems: list.problems,
    nameOf,
    open: async (path) => fileWithSiblings(list.placeOf(path, nameOf(path)), nameOf(path)),
    readMany: (paths, visit, work = {}) =>
      readFiles(
        paths.map((path) => list.placeOf(path, nameOf(path))),
        visit,
        work,
      ),
    close: () => Promise.resolve(),
  };
}

async function entriesOf(
  root: string,
  folder: string,
  name: string,
  list: MemberList<string>,
): Promise<Dirent<Buffer>[]> {
  try {
    return await readdir(osPath(join(root, folder)), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    const reason = cannotOpen(folder === '' ? name : join(name, folder), error);
    if (folder === '') throw reason;
    list.problems.push({ code: 'directory-unreadable', severity: 'warning', message: reason.message, path: folder });
    return [];
  }
}

async function addEntry(list: MemberList<string>, root: string, path: string, entry: Dirent<Buffer>): Promise<void> {
  const place = join(root, path);
  if (entry.isDirectory()) return list.add(path, 'directory', undefined, place);
  // Sizes are known when files are opened: to ask for those of all takes longer than the files that are.
  if (entry.isFile()) return list.add(path, 'file', undefined, place);
  let isLost = false;
  const stats = await stat(osPath(place)).catch((error: NodeJS.ErrnoException) => {
    isLost = error.code === 'ENOENT';
    // A file deleted in the meantime is listed as such.
    return lstat(osPath(place)).catch(() => undefined);
  });
  if (stats?.isFile()) list.add(path, 'file', undefined, place);
  else list.add(path, !entry.isSymbolicLink() ? 'other' : isLost ? 'dangling' : 'link', undefined, place);
}
