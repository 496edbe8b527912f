/** Files that list recordings, such as experiment groups (`.erg`): each stands for the recordings that it lists. */
import { open, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { osPath } from '../../bytes/path-bytes.node.js';
import { headOf, RECOGNISED } from '../../formats/capabilities/probe.js';
import type { KnownKind } from '../../formats/format.js';
import { NAMED_KINDS } from '../../formats/registry.js';

/** Larger files are no lists. */
const MOST_BYTES = 1 << 20;
/** Enough for the mark of a list. */
const MARK_BYTES = 256;
/** Lists in lists. */
const DEEPEST = 8;

type Lister = KnownKind & Required<Pick<KnownKind, 'lists'>>;
const LISTERS = NAMED_KINDS.filter((kind): kind is Lister => kind.lists !== undefined);

/** The names with those that groups list in place of the groups. Relative paths begin in the folder of the group. Throws `UsageError` for groups without recordings. */
export async function expandGroups(names: readonly string[], depth = 0): Promise<readonly string[]> {
  const all: string[] = [];
  for (const name of names) {
    const members = await listedIn(name);
    if (members === undefined) all.push(name);
    else if (members.length === 0)
      throw new UsageError(`${name}: the group lists no recordings`, { code: 'no-recordings' });
    else if (depth >= DEEPEST)
      throw new UsageError(`${name}: groups that list each other`, { code: 'groups-in-circle' });
    else all.push(...(await expandGroups(members, depth + 1)));
  }
  return all;
}

/** Undefined for all that is no group, and for what cannot be read: opening it says why. */
async function listedIn(name: string): Promise<readonly string[] | undefined> {
  const stats = await stat(osPath(name)).catch(() => undefined);
  if (stats?.isFile() !== true || stats.size > MOST_BYTES) return undefined;
  const mark = await bytesOf(name, MARK_BYTES).catch(() => undefined);
  const head = mark && headOf(name, mark, false);
  const kind = head && LISTERS.find(({ probe }) => probe(head).confidence >= RECOGNISED);
  if (kind === undefined) return undefined;
  const text = new TextDecoder().decode(await bytesOf(name, stats.size));
  return kind.lists(text).map((path) => (isAbsolute(path) ? path : join(dirname(name), path)));
}

async function bytesOf(name: string, size: number): Promise<Uint8Array> {
  const file = await open(osPath(name));
  try {
    const bytes = new Uint8Array(size);
    const { bytesRead } = await file.read(bytes);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
