/**
 * Caches recordings in the user's cache folder: opening a large file again takes a tenth of the time.
 *
 * A copy is keyed by the file's size, its times, and a hash of its first and last 64 KiB and 16 blocks between; by the
 * format; and by the key parts of `ColumnStore`. Files that change while they are read, or changed a moment ago, are
 * not cached.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/digest.node.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource, FileIdentity } from '../../bytes/byte-source.js';
import { isUnchanged } from '../../bytes/file.node.js';
import { osPath } from '../../bytes/path-bytes.node.js';
import { cacheFolder } from '../../bytes/spool.node.js';
import type { Format } from '../../formats/format.js';
import { fromKept, type KeptTable, toKept } from '../../models/packed-columns.js';
import type { Recording } from '../../models/recording.js';
import type { ColumnCodec } from '../../models/stage-store.js';
import type { Table } from '../../models/table.js';
import type { ReadRecording } from '../opening.js';
import { ColumnStore, type StoreOptions } from './column-store.node.js';

/** Smaller files are read faster than their copy is found. */
export const SMALLEST_CACHED = 16 << 20;
const EDGE = 64 << 10;
const BLOCK = 4 << 10;
const BLOCKS = 16;
/** A file changed within this time may still be growing. */
const SETTLED_MS = 2000;

/** Files changed just before `now` are not cached. */
export interface CacheOptions extends StoreOptions {
  readonly smallest?: number;
  /** Takes the saving of the copy, which then goes on while questions are answered; else it ends before the recording is there. */
  readonly behind?: (saving: Promise<void>) => void;
}

/** Folder of the copies: the folder `recordings` of the user's cache folder. */
export function recordingsFolder(): string {
  return join(cacheFolder(), 'recordings');
}

/** Reads `source` with `format`, or loads the cached copy; for large files, with the identity of the content. */
export async function readCached(
  format: Format,
  source: ByteSource,
  work: Work,
  options: CacheOptions,
): Promise<ReadRecording> {
  const file = source.file;
  if (file === undefined || file.size < (options.smallest ?? SMALLEST_CACHED))
    return { recording: await format.read(source, work), content: undefined };
  const store = new ColumnStore(options);
  const content = contentOf(file);
  const key = `recording ${format.id} ${content}`;
  const stored = await store.load(key, RECORDING, work);
  if (stored !== undefined) return { recording: { ...stored, name: source.name }, content };
  const recording = await format.read(source, work);
  if (!(await isSettled(file, options.now))) return { recording, content: undefined };
  const { behind } = options;
  if (behind === undefined) await store.save(key, RECORDING, recording, work);
  else
    await new Promise<void>((begun) => {
      const saving = store.save(key, RECORDING, recording, silent(work), begun);
      // Answers leave it few turns, so it has to be under way.
      behind(saving.catch(() => undefined).finally(begun));
    });
  return { recording, content };
}

/** The progress that is shown is that of the questions. */
function silent({ signal, threads }: Work): Work {
  return { ...(signal && { signal }), ...(threads && { threads }) };
}

/** The identity of the content of a file that is large enough for the cache and is not about to change. */
export async function settledContent({ file }: ByteSource, now: number): Promise<string | undefined> {
  if (file === undefined || file.size < SMALLEST_CACHED || !(await isSettled(file, now))) return undefined;
  return contentOf(file);
}

/** A recording is plain data already, but for the columns that are unpacked when they are read. */
export const RECORDING: ColumnCodec<Recording> = {
  version: 3,
  toColumns: (recording) => withTables(recording, toKept),
  fromColumns: (columns) => (isRecording(columns) ? withTables(columns, fromKept) : undefined),
};

/** The recording with every table changed that may have packed columns. */
function withTables<Kept extends KeptTable>(recording: Recording, change: (table: Table) => Kept) {
  const { profile, ...rest } = recording;
  if (profile === undefined) return rest;
  const { events, counters, ranges } = profile;
  return {
    ...rest,
    profile: {
      ...profile,
      events: events.map(change),
      ...(counters && { counters: change(counters) }),
      ...(ranges && { ranges: change(ranges) }),
    },
  };
}

/** Key and checksums prove that it is the stored value; a check of its parts is enough. */
function isRecording(columns: unknown): columns is Recording {
  return typeof columns === 'object' && columns !== null && 'format' in columns && 'program' in columns;
}

/** The content of a file, by its size, its times and some of its bytes. Reads at once: 18 promises cost more than 200 KB. */
export function contentOf(file: FileIdentity): string {
  const hash = sha256();
  hash.update(`${file.size} ${file.modified} ${file.changed}\n`);
  const handle = openSync(osPath(file.path), 'r');
  try {
    const add = (offset: number, length: number): void => {
      const block = Buffer.alloc(length);
      hash.update(block.subarray(0, readSync(handle, block, 0, length, offset)));
    };
    add(0, EDGE);
    for (let i = 1; i <= BLOCKS; i++) add(Math.floor((file.size * i) / (BLOCKS + 1)), BLOCK);
    add(Math.max(0, file.size - EDGE), EDGE);
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}

/** Whether a file was not changed a moment before `now`, in ms since the epoch. */
export function isOld({ modified }: FileIdentity, now: number): boolean {
  return now - modified > SETTLED_MS;
}

async function isSettled(file: FileIdentity, now: number): Promise<boolean> {
  return isOld(file, now) && (await isUnchanged(file));
}
