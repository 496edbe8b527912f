/**
 * Finds files of debug information on this machine: below `FOLDER/.build-id`, by the name of `.gnu_debuglink` in the places that GDB documents
 * ("Debugging Information in Separate Files"), and by build id on a debuginfod server. A file counts if its build id, or the CRC-32 of a link, is the
 * wanted one. The protocol of servers is in the manual page debuginfod(8).
 */
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { crc32 } from 'node:zlib';
import { UnreadableError } from '../../base/errors.js';
import type { ByteSource, RandomSource } from '../../bytes/byte-source.js';
import { fileSource } from '../../bytes/file.node.js';
import { spool } from '../../bytes/spool.node.js';
import type { DebugFiles, DebugFileWanted, DebugPlaces, PathMap } from '../../models/program/debug-files.js';
import { buildIdOf } from './debug-links.js';
import { readElf } from './elf.js';

const WINDOW = 1 << 20;
/** Larger files of servers are not read. */
const MOST_DOWNLOADED = 2 ** 32;
/** Milliseconds until a server has answered, and until it has sent the next bytes. */
const PATIENCE = 30_000;

/** Looks in folders and on servers; folders that do not exist have no files. `announce` receives what users should know: downloads, and servers that cannot be reached. */
export function debugFiles(places: DebugPlaces, announce: (message: string) => void): DebugFiles {
  const { folders = [], servers = [], maps = [] } = places;
  const downloads = new Downloads(servers, announce);
  return {
    places: [...folders, ...servers].join(', '),
    mapped: (path) => regularFile(mappedPath(path, maps)),
    beside: (path, suffix) => regularFile(`${path}${suffix}`),
    find: async (wanted) => {
      for (const path of candidates(wanted, folders, maps)) {
        const file = await regularFile(path);
        if (file !== undefined && (await fits(file, wanted))) return file;
        await file?.close?.();
      }
      const file = wanted.buildId === undefined ? undefined : await downloads.debugInfo(wanted.buildId);
      return file !== undefined && (await fits(file, wanted)) ? file : undefined;
    },
    close: () => downloads.close(),
  };
}

/** The path on this machine; undefined if no rule has it. The longest rule counts. */
function mappedPath(path: string, maps: readonly PathMap[]): string | undefined {
  const plain = posix.normalize(path);
  let best: PathMap | undefined;
  for (const map of maps) {
    const isWithin = plain === map.from || plain.startsWith(map.from.endsWith('/') ? map.from : `${map.from}/`);
    if (isWithin && map.from.length > (best?.from.length ?? -1)) best = map;
  }
  return best && posix.join(best.to, plain.slice(best.from.length));
}

/** Paths of files that may be the wanted one, best first. */
function candidates(
  { buildId, link, path, from, program }: DebugFileWanted,
  folders: readonly string[],
  maps: readonly PathMap[],
): string[] {
  const found: (string | undefined)[] = [];
  if (buildId !== undefined && buildId.length > 2)
    for (const folder of folders)
      found.push(posix.join(folder, '.build-id', buildId.slice(0, 2), `${buildId.slice(2)}.debug`));
  const home = posix.dirname(program);
  if (path !== undefined) {
    found.push(from === undefined ? mappedPath(posix.resolve(home, path), maps) : posix.resolve(from, '..', path));
    for (const folder of folders) found.push(posix.join(folder, path), posix.join(folder, posix.basename(path)));
  }
  if (link !== undefined) {
    const beside = mappedPath(home, maps);
    if (beside !== undefined) found.push(posix.join(beside, link.name), posix.join(beside, '.debug', link.name));
    // A path that the recording names stays within the folder.
    const below = posix.normalize(`/${home}`);
    for (const folder of folders) found.push(posix.join(folder, below, link.name), posix.join(folder, link.name));
  }
  return [...new Set(found.filter((each) => each !== undefined))];
}

async function regularFile(path: string | undefined): Promise<RandomSource | undefined> {
  if (path === undefined) return undefined;
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() === true ? fileSource(path) : undefined;
}

/** Whether a file is the wanted one: by build ids if both have one, else by the checksum of the link. */
async function fits(file: RandomSource, { buildId, link }: DebugFileWanted): Promise<boolean> {
  try {
    const elf = await readElf(file);
    if (typeof elf === 'string') return false;
    const own = await buildIdOf(elf);
    if (own !== undefined && buildId !== undefined) return own === buildId;
    return link !== undefined && (await checksumOf(file)) === link.checksum;
  } catch (error) {
    if (error instanceof UnreadableError) return false;
    throw error;
  }
}

async function checksumOf(file: RandomSource): Promise<number> {
  const stream = await file.open();
  const window = new Uint8Array(WINDOW);
  let checksum = 0;
  try {
    for (let count = await stream.read(window); count > 0; count = await stream.read(window))
      checksum = crc32(window.subarray(0, count), checksum);
  } finally {
    await stream.close();
  }
  return checksum;
}

/** Files of debuginfod servers, each downloaded once and kept until `close`. A server that fails is not asked again. */
class Downloads {
  readonly #servers: Set<string>;
  readonly #announce: (message: string) => void;
  readonly #files = new Map<string, Promise<RandomSource | undefined>>();

  constructor(servers: readonly string[], announce: (message: string) => void) {
    this.#servers = new Set(servers);
    this.#announce = announce;
  }

  /** The file stays open until `close`. */
  async debugInfo(buildId: string): Promise<RandomSource | undefined> {
    const known = this.#files.get(buildId) ?? this.#first(buildId);
    this.#files.set(buildId, known);
    const file = await known;
    if (file === undefined) return undefined;
    const { close: _, ...open } = file;
    return open;
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await (await file)?.close?.();
    this.#files.clear();
  }

  async #first(buildId: string): Promise<RandomSource | undefined> {
    for (const server of this.#servers) {
      try {
        const file = await download(`${server.replace(/\/+$/, '')}/buildid/${buildId}/debuginfo`, this.#announce);
        if (file !== undefined) return file;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        this.#servers.delete(server);
        this.#announce(`${server}: not asked for more debug files: ${reasonOf(error)}`);
      }
    }
    return undefined;
  }
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

/** The file of a URL; undefined if the server does not have it. Throws if there is no usable answer. */
async function download(url: string, announce: (message: string) => void): Promise<RandomSource | undefined> {
  const patience = new Patience();
  try {
    const response = await fetch(url, { signal: patience.signal });
    const { body, status } = response;
    if (status === 404) {
      await body?.cancel();
      return undefined;
    }
    if (!response.ok || body === null) {
      await body?.cancel();
      throw new UnreadableError(`the answer is ${status} ${response.statusText}`.trimEnd(), {
        code: 'no-debug-server',
      });
    }
    announce(`${url}: downloading`);
    return await spool(streamedSource(url, body, patience), { limit: MOST_DOWNLOADED });
  } finally {
    patience.end();
  }
}

/** The body of an answer, which can be read once. */
function streamedSource(name: string, body: ReadableStream<Uint8Array>, patience: Patience): ByteSource {
  const reader = body.getReader();
  let piece: Uint8Array = new Uint8Array();
  const read = async (target: Uint8Array): Promise<number> => {
    let filled = 0;
    while (filled < target.length) {
      if (piece.length === 0) {
        const next = await reader.read();
        if (next.done) break;
        patience.renew();
        piece = next.value;
      }
      const taken = piece.subarray(0, target.length - filled);
      target.set(taken, filled);
      filled += taken.length;
      piece = piece.subarray(taken.length);
    }
    return filled;
  };
  const stream = { read, damage: () => undefined, close: () => reader.cancel() };
  return { name, size: undefined, open: () => Promise.resolve(stream) };
}

/** Ends a request that makes no progress. */
class Patience {
  readonly #controller = new AbortController();
  #timer = this.#start();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  renew(): void {
    this.end();
    this.#timer = this.#start();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #start(): NodeJS.Timeout {
    const late = new UnreadableError(`no answer within ${PATIENCE / 1000} seconds`, { code: 'no-debug-server' });
    return setTimeout(() => this.#controller.abort(late), PATIENCE);
  }
}
