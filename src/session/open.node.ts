/** Opens what a command line names, from the cache where it can. */

import type { Work } from '../base/progress.js';
import { fileSource } from '../bytes/file.node.js';
import { cacheFolder, readCached } from './cache.node.js';
import { openSession, type Session } from './session.js';

export interface OpenOptions {
  /** Look for copies of recordings that were read before, and keep them. */
  readonly cache: boolean;
  /** Receives what the user should know beside the answers. */
  readonly announce: (message: string) => void;
  readonly work: Work;
}

/** Opens the named inputs together. Throws `UnreadableError` or `FormatError` for the first that cannot be read at all. */
export async function openInputs(names: readonly string[], options: OpenOptions): Promise<Session> {
  const sources = await Promise.all(names.map((name) => fileSource(name)));
  const { announce, work } = options;
  if (!options.cache) return openSession(sources, { work });
  const cache = { folder: cacheFolder(process.env), announce, now: Date.now() };
  return openSession(sources, { work, read: (format, source) => readCached(format, source, work, cache) });
}
