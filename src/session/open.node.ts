/** Opens what a command line names: files, standard input, members of archives, all recordings of a directory. */

import { UnreadableError } from '../base/errors.js';
import type { Work } from '../base/progress.js';
import { plural } from '../base/units.js';
import type { ByteSource } from '../bytes/byte-source.js';
import { type FileTree, isFileTree } from '../bytes/file-tree.js';
import { readCached, recordingsFolder } from './cache.node.js';
import { detect } from './detect.js';
import { openInput, sourcesOf } from './inputs.node.js';
import { type LibraryPaths, openLibrary } from './library.node.js';
import { openSession, type Session } from './session.js';
import { detectTree } from './tree.js';

export interface OpenOptions {
  /** Look for copies of recordings that were read before, and keep them. */
  readonly cache: boolean;
  /** Receives what the user should know beside the answers. */
  readonly announce: (message: string) => void;
  readonly work: Work;
  /** Code of what was recorded. The session must be closed where it is given. */
  readonly library?: LibraryPaths;
}

/** Opens the named inputs together, and the code that was named beside them. */
export async function openInputs(names: readonly string[], options: OpenOptions): Promise<Session> {
  const session = await openRecordings(names, options);
  if (options.library === undefined) return session;
  const { close, ...library } = await openLibrary(options.library, options.announce);
  return { ...session, library, close };
}

/**
 * Opens the named inputs together. A directory or an archive stands for all recordings in it. Throws `UnreadableError`
 * or `FormatError` for the first that cannot be read at all.
 */
async function openRecordings(names: readonly string[], options: OpenOptions): Promise<Session> {
  const { announce, work } = options;
  const opened: (ByteSource | FileTree)[] = [];
  try {
    const sources: ByteSource[] = [];
    for (const name of names) {
      const input = await openInput(name, announce);
      opened.push(input);
      sources.push(...(isFileTree(input) ? await recordingsIn(input, announce) : [input]));
    }
    if (!options.cache) return await openSession(sources, { work });
    const cache = { folder: recordingsFolder(), announce, now: Date.now() };
    return await openSession(sources, { work, read: (format, source) => readCached(format, source, work, cache) });
  } finally {
    // What was read is in memory; what stood behind it (open archives, spooled copies) is not needed any more.
    for (const input of opened) await input.close?.();
  }
}

/** The members of a tree that can be read as recordings. */
async function recordingsIn(tree: FileTree, announce: (message: string) => void): Promise<ByteSource[]> {
  for (const problem of tree.problems) announce(`${tree.name}: ${problem.message}`);
  const found: ByteSource[] = [];
  const refused: string[] = [];
  for (const source of await sourcesOf(tree, announce)) {
    try {
      await detect(source);
      found.push(source);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      refused.push(error.message);
    }
  }
  if (found.length > 0) {
    if (refused.length > 0) announce(`${tree.name}: ${plural(refused.length, 'file')} in it passed over`);
    return found;
  }
  const whole = detectTree(tree);
  if (whole !== undefined) {
    throw new UnreadableError(
      `${tree.name}: recognised as ${whole.title} (${whole.because}); Kansoku does not read such recordings yet`,
    );
  }
  const first =
    refused[0] === undefined
      ? 'it is empty'
      : refused.length === 1
        ? refused[0]
        : `${refused.length} files; the first: ${refused[0]}`;
  throw new UnreadableError(`${tree.name}: there is no recording in it that Kansoku reads (${first})`);
}
