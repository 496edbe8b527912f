/**
 * Files of chunks that are one recording: a JVM writes its chunks into a folder, its repository, each into a file named by the time it
 * began, `2026_11_23_01_45_46.jfr`. What a user dumped beside them has some of the same chunks: each is read once.
 */
import { KansokuError } from '../../base/errors.js';
import { named, type Problem } from '../../base/problems.js';
import { type ByteSource, isRandom, type RandomSource } from '../../bytes/byte-source.js';
import type { FileTree } from '../../bytes/file-tree.js';
import { type JoinedSource, joinedSource, type SourceRange } from '../../bytes/joined/joined-source.js';
import type { Claim, FileSet } from '../capabilities/sets.js';
import { splitPath } from '../shared/member-paths.js';
import { type ChunkHeader, chunkHeader, HEADER_BYTES } from './chunk/header.js';

const ENDING = '.jfr';
/** A second chunk of the same second has a number behind its time. */
const NAMED_BY_TIME = /^\d{4}(?:_\d\d){5}(?:_\d+)?\.jfr$/;
/** Files of one folder that are looked at. */
const MOST_FILES = 10_000;
/** Chunks of one file that are looked at; the bytes behind them stay together. */
const MOST_CHUNKS = 10_000;

/** The folders of a tree with several files of chunks, at least one of them named by its time. */
export async function claimChunkFiles(tree: FileTree): Promise<Claim | undefined> {
  const folders = new Map<string, string[]>();
  for (const { path, kind } of tree.members) {
    if (kind !== 'file' || !path.endsWith(ENDING)) continue;
    const [folder] = splitPath(path);
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  const recordings: FileSet[] = [];
  for (const [folder, paths] of folders) {
    if (paths.length < 2 || paths.length > MOST_FILES || !paths.some(isNamedByTime)) continue;
    const parts = await filesOfRecording(tree, paths);
    if (parts.length > 1) recordings.push({ folder, parts: new Map(parts.map((path) => [path, path])) });
  }
  if (recordings.length === 0) return undefined;
  return { title: 'JDK Flight Recorder repository', because: 'files of chunks named by their times', recordings };
}

/** Those named by their times, and others with a chunk of these. */
async function filesOfRecording(tree: FileTree, paths: readonly string[]): Promise<readonly string[]> {
  const timed = paths.filter(isNamedByTime);
  const known = new Set((await chunksOfFiles(tree, timed))?.map(({ key }) => key));
  const found = [...timed];
  for (const path of paths) {
    if (isNamedByTime(path)) continue;
    const chunks = await chunksOfFiles(tree, [path]);
    if (chunks?.some(({ key }) => known.has(key)) === true) found.push(path);
  }
  return known.size === 0 ? [] : found;
}

/** Whether a file has the name of a chunk in a repository. */
export function isNamedByTime(path: string): boolean {
  return NAMED_BY_TIME.test(splitPath(path)[1]);
}

/** The chunks of the files of a set in the order of their starts, each once: the finished one, or the longest. */
export async function joinChunkFiles(tree: FileTree, { folder, parts }: FileSet): Promise<JoinedSource> {
  const problems = [...tree.problems];
  const chunks = (await chunksOfFiles(tree, [...parts.values()], (problem) => problems.push(problem))) ?? [];
  const best = new Map<string, FoundChunk>();
  for (const chunk of chunks) {
    const known = best.get(chunk.key);
    if (known === undefined || isBetter(chunk, known)) best.set(chunk.key, chunk);
  }
  const ordered = [...best.values()].sort((a, b) => startOf(a) - startOf(b));
  return joinedSource(folder === '' ? tree.name : tree.nameOf(folder), ordered, problems);
}

export interface FoundChunk extends SourceRange {
  /** Equal for copies of one chunk. */
  readonly key: string;
  /** Undefined for bytes that are no chunk. */
  readonly header: ChunkHeader | undefined;
}

function isBetter(chunk: FoundChunk, known: FoundChunk): boolean {
  const isFinished = ({ header }: FoundChunk): boolean => header?.state === 0;
  if (isFinished(chunk) !== isFinished(known)) return isFinished(chunk);
  return chunk.to - chunk.from > known.to - known.from;
}

/** Bytes that are no chunk come last, since a recording begins with one. */
export function startOf({ header }: FoundChunk): number {
  return header === undefined ? Infinity : header.startMillis + header.startNanos / 1e6;
}

/** The chunks of files; undefined if one of them is read forward only, as in a compressed archive. */
async function chunksOfFiles(
  tree: FileTree,
  paths: readonly string[],
  lose: (problem: Problem) => void = () => undefined,
): Promise<readonly FoundChunk[] | undefined> {
  const found: FoundChunk[] = [];
  for (const path of paths) {
    try {
      const source: ByteSource = await tree.open(path);
      if (!isRandom(source)) return undefined;
      found.push(...(await chunksIn(source)));
    } catch (error) {
      // The recorder may have cleaned it up since the folder was listed.
      if (!(error instanceof KansokuError)) throw error;
      lose(named(tree.nameOf(path), { code: 'file-lost', severity: 'error', message: error.message }));
    }
  }
  return found;
}

/** The chunks of a file, from head to head. An unfinished chunk, and what follows bytes that are none, lasts to the end of the file. */
export async function chunksIn(source: RandomSource): Promise<FoundChunk[]> {
  const found: FoundChunk[] = [];
  const head = new Uint8Array(HEADER_BYTES);
  for (let from = 0; from < source.size; ) {
    const header = chunkHeader(head.subarray(0, await source.readAt(from, head)), from);
    const isFinished = header?.state === 0 && header.size >= HEADER_BYTES && found.length < MOST_CHUNKS;
    const to = isFinished ? Math.min(from + header.size, source.size) : source.size;
    found.push({ source, from, to, header, key: header === undefined ? `${source.name} ${from}` : keyOf(head) });
    from = to;
  }
  return found;
}

/** Start as time and in ticks, and ticks a second. */
function keyOf(head: Uint8Array): string {
  return [...head.subarray(32, 40), ...head.subarray(48, 64)].join(' ');
}
