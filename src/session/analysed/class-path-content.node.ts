/**
 * The content of a class path, for results that are kept: files are named as other cached files are, directories by the bytes of their class files and
 * of what is in META-INF. Costs a read of the classes in directories.
 */
import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/digest.node.js';
import type { FileIdentity } from '../../bytes/byte-source.js';
import { directoryTree } from '../../bytes/directory.node.js';
import { osPath } from '../../bytes/path-bytes.node.js';
import { contentOf, isOld } from '../store/cache.node.js';

/** What an analysis reads of a directory. */
const READ = /\.class$|^META-INF\//;

/** The content of files and directories; undefined if one was changed a moment before `now`, or cannot be read. */
export async function classPathContent(places: readonly string[], now: number): Promise<string | undefined> {
  const hash = sha256();
  for (const place of places) {
    const content = await contentOfPlace(place, now).catch(() => undefined);
    if (content === undefined) return undefined;
    hash.update(`${content}\n`);
  }
  return hash.digest('hex');
}

async function contentOfPlace(place: string, now: number): Promise<string | undefined> {
  const stats = statSync(place);
  if (stats.isDirectory()) return contentOfDirectory(place, now);
  const file = identityOf(place, stats);
  return isOld(file, now) ? contentOf(file) : undefined;
}

function identityOf(path: string, { size, mtimeMs: modified, ctimeMs: changed }: Stats): FileIdentity {
  return { path, size, modified, changed };
}

async function contentOfDirectory(place: string, now: number): Promise<string | undefined> {
  const tree = await directoryTree(place);
  try {
    const paths = tree.members.flatMap(({ path, kind }) => (kind === 'file' && READ.test(path) ? [path] : []));
    const identities = paths.map((path) => identityOf(path, statSync(osPath(join(place, path)))));
    if (identities.some((file) => !isOld(file, now))) return undefined;
    // What is too large to be read has its size only.
    const contents = new Map<number, string>();
    await tree.readMany?.(paths, (i, bytes) => void contents.set(i, sha256().update(bytes).digest('hex')));
    const hash = sha256();
    for (const [i, { path, size }] of identities.entries()) hash.update(`${path} ${size} ${contents.get(i)}\n`);
    return hash.digest('hex');
  } finally {
    await tree.close();
  }
}
