/** Reads one file: a tree in text, or a table that has no other tables beside it. */
import type { Work } from '../../base/progress.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import type { FileTree } from '../../bytes/file-tree.js';
import type { Recording } from '../../models/recording.js';
import { headOf, RECOGNISED } from '../capabilities/probe.js';
import { splitPath } from '../shared/member-paths.js';
import { readCallTree } from './read-text.js';
import { probeTables } from './tables/probe.js';
import { readCallTreeSet } from './tables/read-set.js';
import { METHOD_COLUMNS, tableFileOf } from './tables/set-names.js';

const HEAD_BYTES = 1 << 12;

/** Throws `FormatError` for a table other than that of the methods, and for text without a line of a tree. */
export async function readTextOrTable(source: ByteSource, work: Work = {}): Promise<Recording> {
  const bytes = await readHead(source, HEAD_BYTES);
  const head = headOf(source.name, bytes, bytes.length < HEAD_BYTES);
  if (probeTables(head).confidence < RECOGNISED) return readCallTree(source, work);
  const named = tableFileOf(splitPath(source.name)[1])?.table;
  const table = named ?? (head.text.includes(METHOD_COLUMNS) ? 'methods' : 'other tables');
  const tree = treeOf(source);
  return readCallTreeSet(tree, { folder: '', parts: new Map([[table, source.name]]) }, work);
}

/** A tree of one file. */
function treeOf(source: ByteSource): FileTree {
  return {
    name: source.name,
    carrier: 'directory',
    members: [{ path: source.name, kind: 'file', size: source.size }],
    problems: [],
    nameOf: (path) => path,
    open: () => Promise.resolve(source),
    close: () => Promise.resolve(),
  };
}
