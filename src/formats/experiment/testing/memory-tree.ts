/** The files of a written set as a tree in memory, for tests. */
import { UnreadableError } from '../../../base/errors.js';
import { memorySource } from '../../../bytes/byte-source.js';
import type { FileTree } from '../../../bytes/file-tree.js';
import type { FileSet } from '../../capabilities/sets.js';

export interface MemorySet {
  readonly tree: FileTree;
  readonly set: FileSet;
}

/** A directory with these files, and the set of all of them. */
export function memorySet(files: ReadonlyMap<string, Uint8Array>): MemorySet {
  const tree: FileTree = {
    name: 'test.er',
    carrier: 'directory',
    members: [...files].map(([path, bytes]) => ({ path, kind: 'file', size: bytes.length })),
    problems: [],
    nameOf: (path) => `test.er/${path}`,
    open: (path) => {
      const bytes = files.get(path);
      if (bytes === undefined) return Promise.reject(new UnreadableError(`${path}: no such member`));
      return Promise.resolve(memorySource(`test.er/${path}`, bytes));
    },
    close: () => Promise.resolve(),
  };
  return { tree, set: { folder: '', parts: new Map([...files.keys()].map((path) => [path, path])) } };
}

/** The bytes of each part. */
export function wholeParts(parts: ReadonlyMap<string, Iterable<Uint8Array>>): Map<string, Uint8Array> {
  return new Map([...parts].map(([path, chunks]) => [path, Buffer.concat([...chunks])]));
}
