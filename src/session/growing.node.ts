/** Opens recordings that are still being written. */
import { stat } from 'node:fs/promises';
import { KansokuError, UnreadableError, UsageError } from '../base/errors.js';
import type { RandomSource } from '../bytes/byte-source.js';
import { directoryTree } from '../bytes/directory.node.js';
import { fileSource } from '../bytes/file.node.js';
import { osPath } from '../bytes/path-bytes.node.js';
import type { GrowingFiles } from '../formats/capabilities/growing.js';
import { type GrowingOptions, openGrowingSet } from './growing-set.node.js';
import { detect } from './inputs/detect.js';
import { type Session, sessionOfOpen } from './session.js';

export type { GrowingOptions };

/**
 * A session of a recording that grows: a file, or a folder that its recorder writes files into. `refresh` of its source reads what was
 * added; a snapshot is final where all files are whole and a refresh found nothing more. Throws `UnreadableError` if there is no file yet,
 * and `UsageError` for formats whose files do not grow.
 */
export async function openGrowing(path: string, options: GrowingOptions = {}): Promise<Session> {
  const { work, foreseen, derived } = options;
  const inFolder = await openGrowingSet(path, options);
  if (inFolder !== undefined) return inFolder;
  const [first] = await filesOf(path);
  if (first === undefined)
    throw new UnreadableError(`${path}: the folder has no files yet`, { code: 'nothing-recorded-yet' });
  const format = await detect(first);
  await first.close?.();
  if (format.growing === undefined)
    throw new UsageError(`${path}: a ${format.title} cannot be followed while it is written`, {
      code: 'cannot-follow',
    });
  let isOpen = false;
  // Where the recorder ends, it may remove what it wrote.
  const files: GrowingFiles = (isRead) =>
    filesOf(path, isRead).catch((error: unknown) => {
      if (!isOpen || !(error instanceof UnreadableError)) throw error;
      return [];
    });
  const opened = await format.growing(files, path, work, foreseen);
  isOpen = true;
  return sessionOfOpen([opened], { ...(derived && { derived }) });
}

async function filesOf(
  path: string,
  isRead: (name: string) => boolean = () => false,
): Promise<readonly RandomSource[]> {
  const stats = await stat(osPath(path)).catch(() => undefined);
  return stats?.isDirectory() === true ? filesIn(path, isRead) : [await fileSource(path, path, true)];
}

/** Those that are there: files may be removed while they are listed. */
async function filesIn(path: string, isRead: (name: string) => boolean): Promise<readonly RandomSource[]> {
  const { members, nameOf } = await directoryTree(path);
  const growingSources: RandomSource[] = [];
  for (const member of members) {
    if (member.kind !== 'file') continue;
    const name = nameOf(member.path);
    if (isRead(name)) continue;
    const source = await fileSource(name, name, true).catch((error: unknown) => {
      if (!(error instanceof KansokuError)) throw error;
      return undefined;
    });
    if (source !== undefined) growingSources.push(source);
  }
  return growingSources;
}
