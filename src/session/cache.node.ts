/**
 * Recordings that were read before, in the user's cache folder: opening a large file again takes a tenth of the time.
 *
 * A copy is keyed by the file's size, its time, and a hash of its first and last 64 KiB and 16 blocks between; by the
 * format; and by the identity of the program that read it. Files that change while they are read, or were changed a moment ago, are not
 * cached. All copies together stay below 10 GB, the oldest go first. They hold what the recordings hold, so they are
 * readable by their owner only.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Work } from '../base/progress.js';
import type { ByteSource, FileIdentity } from '../bytes/byte-source.js';
import { cacheFolder } from '../bytes/spool.node.js';
import type { Format } from '../formats/format.js';
import type { Recording } from '../models/recording.js';
import { runningProgram } from './program-identity.node.js';

/** Smaller files are read faster than their copy is looked up. */
export const SMALLEST_CACHED = 16 << 20;
const LARGEST_CACHE = 10e9;
/** What `readFile` can load: larger copies could never be read again. */
const LARGEST_COPY = 2 ** 31 - 1;
const EDGE = 64 << 10;
const BLOCK = 4 << 10;
const BLOCKS = 16;
/** A file changed within this time may still be growing. */
const SETTLED_MS = 2000;
const MAGIC = 'kansoku-recording-1\n';
/** Bytes before the payload: the magic and its CRC-32. */
const HEAD = MAGIC.length + 4;

export interface CacheOptions {
  readonly folder: string;
  readonly announce: (message: string) => void;
  /** Milliseconds since the epoch; files changed just before it are not cached. */
  readonly now: number;
  readonly smallest?: number;
  readonly largest?: number;
  readonly largestCopy?: number;
  /** Which program reads: copies that another one made are not used. The running one where it is not given. */
  readonly program?: string;
}

/** Where copies lie: the folder `recordings` of the user's cache folder. */
export function recordingsFolder(): string {
  return join(cacheFolder(), 'recordings');
}

/** Reads `source` with `format`, or takes the copy of what was read before. */
export async function readCached(
  format: Format,
  source: ByteSource,
  work: Work,
  options: CacheOptions,
): Promise<Recording> {
  const file = source.file;
  if (file === undefined || file.size < (options.smallest ?? SMALLEST_CACHED)) return format.read(source, work);
  const path = join(options.folder, `${await fingerprint(file, format.id, options)}.recording`);
  const known = await load(path, options);
  if (known !== undefined) return { ...known, name: source.name };
  const recording = await format.read(source, work);
  if (await isSettled(file, options.now)) await store(path, recording, options);
  return recording;
}

async function fingerprint(file: FileIdentity, format: string, options: CacheOptions): Promise<string> {
  const hash = createHash('sha256');
  // What one version of V8 serialised, an older one may not know how to read.
  hash.update(
    `${options.program ?? runningProgram()} ${process.versions.v8} ${format} ${file.size} ${file.modified}\n`,
  );
  const handle = await open(file.path, 'r');
  try {
    const add = async (offset: number, length: number): Promise<void> => {
      const block = Buffer.alloc(length);
      const { bytesRead } = await handle.read(block, 0, length, offset);
      hash.update(block.subarray(0, bytesRead));
    };
    await add(0, EDGE);
    for (let i = 1; i <= BLOCKS; i++) await add(Math.floor((file.size * i) / (BLOCKS + 1)), BLOCK);
    await add(Math.max(0, file.size - EDGE), EDGE);
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}

async function isSettled(file: FileIdentity, now: number): Promise<boolean> {
  const stats = await stat(file.path);
  return stats.size === file.size && stats.mtimeMs === file.modified && now - stats.mtimeMs > SETTLED_MS;
}

async function load(path: string, options: CacheOptions): Promise<Recording | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (!isMissing(error))
      options.announce(`the cached copy ${path} is not used (${reason(error)}); the file is read again`);
    return undefined;
  }
  const sound = bytes.length > HEAD && bytes.toString('latin1', 0, MAGIC.length) === MAGIC;
  if (!sound || crc32(bytes.subarray(HEAD)) !== bytes.readUInt32LE(MAGIC.length)) {
    options.announce(`the cached copy ${path} is damaged; the file is read again`);
    await rm(path, { force: true });
    return undefined;
  }
  const now = new Date(options.now);
  await utimes(path, now, now).catch(() => undefined);
  return deserialize(bytes.subarray(HEAD));
}

/** Stores a copy; a cache that cannot be written costs time later and nothing else, so that is only announced. */
async function store(path: string, recording: Recording, options: CacheOptions): Promise<void> {
  try {
    const payload = serialize(recording);
    const size = HEAD + payload.length;
    if (size > Math.min((options.largest ?? LARGEST_CACHE) / 4, options.largestCopy ?? LARGEST_COPY)) return;
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32LE(crc32(payload));
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    await makeRoom(size, options);
    const temporary = `${path}.${randomBytes(6).toString('hex')}`;
    await writeFile(temporary, [MAGIC, checksum, payload], { mode: 0o600, flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    options.announce(`what was read could not be cached (${reason(error)}); --no-cache leaves it out`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function makeRoom(needed: number, options: CacheOptions): Promise<void> {
  const names = await readdir(options.folder);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(options.folder, name);
      const stats = await stat(path).catch(() => undefined);
      return { path, size: stats?.size ?? 0, used: stats?.mtimeMs ?? 0 };
    }),
  );
  let total = needed + files.reduce((sum, file) => sum + file.size, 0);
  for (const file of files.sort((a, b) => a.used - b.used)) {
    if (total <= (options.largest ?? LARGEST_CACHE)) return;
    await rm(file.path, { force: true });
    total -= file.size;
  }
}
