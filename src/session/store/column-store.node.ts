/**
 * Values kept as column files in one folder: copies of recordings, and values derived from them.
 *
 * A file is named by a hash of the key, the codec's version and the program, so files of another program are never
 * used. All files together stay below 10 GB; the least recently used are removed first. They contain recorded data, so
 * only their owner can read them. Several processes may use the folder at once.
 */
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../base/digest.node.js';
import { type Phrase, phrase, theOption } from '../../base/phrase.js';
import type { Work } from '../../base/progress.js';
import { formatBytes } from '../../base/units.js';
import { type ColumnDraft, DamagedFileError, draftColumns, readColumns } from '../../bytes/column-file.node.js';
import { UNFINISHED_COPY } from '../../bytes/spool.node.js';
import type { ColumnCodec, StageStore } from '../../models/stage-store.js';
import { runningProgram } from './program-identity.node.js';

/** Bytes of all files together. */
export const LARGEST_STORE = 10e9;
const EXTENSION = '.columns';
/** Copies in the format before column files, and remains of interrupted writing. */
const OLD_COPY = /\.recording(?:\.[0-9a-f]+)?$/;
/** A file being written, or never completed. */
const INCOMPLETE = /\.columns\.[0-9a-f]+$/;
/** An incomplete file that did not grow for this time is abandoned. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

export interface StoreOptions {
  readonly folder: string;
  readonly announce: (message: Phrase) => void;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Bytes of all files together; 10 GB if not given. */
  readonly largest?: number;
  /** Identity of the program: files of another program are not used. Default: the running one. */
  readonly program?: string;
}

/** Keeps values as column files in a folder of this machine. */
export class ColumnStore implements StageStore {
  readonly #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  async load<Value>(key: string, codec: ColumnCodec<Value>, work: Work = {}): Promise<Value | undefined> {
    const path = this.#path(key, codec.version);
    let columns: unknown;
    try {
      columns = await readColumns(path, work);
    } catch (error) {
      await this.#refuse(path, error, work);
      return undefined;
    }
    const value = codec.fromColumns(columns);
    if (value === undefined) {
      await this.#refuse(path, new DamagedFileError(`${path}: unexpected structure`), work);
      return undefined;
    }
    const now = new Date(this.#options.now);
    // Only the order of removal depends on it.
    await utimes(path, now, now).catch(() => undefined);
    return value;
  }

  /** `begun`: called once it is being written, if it is. */
  async save<Value>(
    key: string,
    codec: ColumnCodec<Value>,
    value: Value,
    work: Work = {},
    begun?: () => void,
  ): Promise<void> {
    const { folder, announce } = this.#options;
    try {
      const draft = draftColumns(codec.toColumns(value));
      if (this.#isTooLarge(draft)) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await makeRoom(draft.size, this.#options);
      await draft.write(this.#path(key, codec.version), work, begun);
    } catch (error) {
      work.signal?.throwIfAborted();
      announce(phrase`cannot write the cache (${reason(error)}); ${theOption('cache', { value: false })} disables it`);
    }
  }

  #path(key: string, version: number): string {
    const { program = runningProgram(), folder } = this.#options;
    // An older version of V8 may be unable to read what a newer one wrote.
    const identity = `${program} ${process.versions.v8} ${version}\n${key}`;
    return join(folder, `${sha256().update(identity).digest('hex')}${EXTENSION}`);
  }

  get #largest(): number {
    return this.#options.largest ?? LARGEST_STORE;
  }

  #isTooLarge({ size }: ColumnDraft): boolean {
    if (size <= this.#largest) return false;
    const { announce } = this.#options;
    announce(`not cached: it needs ${formatBytes(size)}, more than the cache limit of ${formatBytes(this.#largest)}`);
    return true;
  }

  /** Announces why a file is not used, and removes a damaged one. A missing file is not announced. */
  async #refuse(path: string, error: unknown, work: Work): Promise<void> {
    work.signal?.throwIfAborted();
    if (isMissing(error)) return;
    const { announce } = this.#options;
    if (!(error instanceof DamagedFileError)) {
      announce(`ignoring the cached copy ${path} (${reason(error)}); rebuilding it`);
      return;
    }
    announce(`the cached copy is damaged; rebuilding it: ${error.message}`);
    // A file that cannot be removed is overwritten.
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Removes obsolete files, then the least recently used ones until there is room for `needed` bytes. */
export async function makeRoom(needed: number, { folder, now, largest = LARGEST_STORE }: StoreOptions): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => undefined);
      const used = stats?.mtimeMs ?? 0;
      const isOld = (INCOMPLETE.test(name) || UNFINISHED_COPY.test(name)) && now - used > ABANDONED_MS;
      return { path, size: stats?.size ?? 0, used, useless: OLD_COPY.test(name) || isOld };
    }),
  );
  let total = needed + files.reduce((sum, file) => sum + file.size, 0);
  for (const file of files.sort((a, b) => Number(b.useless) - Number(a.useless) || a.used - b.used)) {
    if (!file.useless && total <= largest) return;
    await rm(file.path, { force: true });
    total -= file.size;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
