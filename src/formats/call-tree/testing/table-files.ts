/** Tables in memory: sets of files for the tests, and one text that holds all of a set. */
import { type ByteSource, memorySource } from '../../../bytes/byte-source.js';
import type { FileTree } from '../../../bytes/file-tree.js';
import type { Recording } from '../../../models/recording.js';
import type { WrittenSet } from '../../capabilities/writer.js';
import { readCallTreeSet } from '../tables/read-set.js';
import { claimCallTrees } from '../tables/set-names.js';

/** Files by their names. */
export type TableFiles = ReadonlyMap<string, Uint8Array>;

export function treeOfFiles(files: TableFiles): FileTree {
  return {
    name: 'reports',
    carrier: 'directory',
    members: [...files].map(([path, bytes]) => ({ path, kind: 'file', size: bytes.length })),
    problems: [],
    nameOf: (path) => path,
    open: (path) => Promise.resolve(memorySource(path, files.get(path) ?? new Uint8Array())),
    close: () => Promise.resolve(),
  };
}

/** Reads the first report of the files. */
export async function readTableFiles(files: TableFiles): Promise<Recording> {
  const tree = treeOfFiles(files);
  const set = claimCallTrees(tree)?.recordings[0];
  return readCallTreeSet(tree, set ?? { folder: '', parts: new Map() });
}

/** Files named `call_tree_<table>.csv` from texts by table. */
export function tableFiles(texts: Readonly<Record<string, string>>): TableFiles {
  return new Map(
    Object.entries(texts).map(([table, text]) => [`call_tree_${table}.csv`, new TextEncoder().encode(text)]),
  );
}

/** The files of a written set. */
export function filesOf({ parts }: WrittenSet): TableFiles {
  return new Map([...parts].map(([table, chunks]) => [`call_tree_${table}.csv`, Buffer.concat([...chunks])]));
}

const HEAD = /^== (\w+) ==$/;

/** The files in one text, each after a line `== table ==`. Their bytes are those of the text. */
export function bundledFiles(bytes: Uint8Array): TableFiles {
  const files = new Map<string, Uint8Array>();
  let [table, from] = ['', 0];
  const end = (to: number): void => {
    if (table !== '') files.set(`call_tree_${table}.csv`, bytes.subarray(from, to));
  };
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(10, at);
    const next = feed < 0 ? bytes.length : feed + 1;
    const [, name] = HEAD.exec(new TextDecoder('latin1').decode(bytes.subarray(at, next)).trimEnd()) ?? [];
    if (name !== undefined) {
      end(at);
      [table, from] = [name, next];
    }
    at = next;
  }
  end(bytes.length);
  return files;
}

/** Reads a source that holds all tables of a report. */
export async function readBundle(source: ByteSource): Promise<Recording> {
  const stream = await source.open();
  const chunks: Uint8Array[] = [];
  try {
    for (;;) {
      const chunk = new Uint8Array(1 << 14);
      const count = await stream.read(chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    await stream.close();
  }
  return readTableFiles(bundledFiles(Buffer.concat(chunks)));
}
