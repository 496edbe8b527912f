/**
 * Column files: plain data with typed arrays of any size inside. Arrays are read straight into their own memory, so
 * reading needs only the memory of the value and its skeleton (`column-skeleton.node.ts`).
 *
 *   byte 0   8   `kcolumns`
 *        8   4   version of this layout
 *       12   4   0x01020304: all numbers are in the byte order of the machine that wrote them
 *       16   4   number of sections
 *       20   4   CRC-32 of bytes 0 to 19 and of the directory
 *       24  16n  directory: of each section the length in bytes, and the CRC-32 of its bytes and padding, as doubles
 *               the sections, each padded with zeros to a multiple of 8 bytes; the first is the skeleton
 *
 * The file ends with the last section. Every byte is covered by a checksum, and lengths must add up to the size of the
 * file before memory is taken for them. A damaged file is never read as another value: reading throws a
 * `DamagedFileError`.
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { randomDigits } from '../base/digest.node.js';
import { KansokuError } from '../base/errors.js';
import type { Work } from '../base/progress.js';
import { putTogether, takeApart } from './column-skeleton.node.js';
import { readFully } from './file.node.js';

const MAGIC = Buffer.from('kcolumns', 'latin1');
const VERSION = 1;
const BYTE_ORDER = 0x01020304;
/** Bytes before the directory. */
const HEAD = 24;
/** Bytes of a section's row of the directory. */
const ROW = 16;
const ALIGNMENT = 8;
/** Bytes that are read or written at a time. Node counts them in 31 bits, so a section may span many windows. */
const WINDOW = 4 << 20;
/** Batches that are written at a time. */
const MOST_UNDER_WAY = 16;
/** Systems take no more pieces of memory at a time. */
const MOST_PIECES = 1024;

/** The file is not a complete column file: truncated, changed, or of another version. It must be rebuilt. */
export class DamagedFileError extends KansokuError {}

/** A value that is ready to be written. It must not change until then. */
export interface ColumnDraft {
  /** Bytes that the file will have. */
  readonly size: number;
  /**
   * Writes the file, readable by its owner only. It replaces the file at `path` once it is complete; if writing fails
   * or is aborted, that file is unchanged. `begun`: called once another thread
   * has it, or the system has all of it or as much as it gets at a time.
   */
  write(path: string, work?: Work, begun?: () => void): Promise<void>;
}

/** The bytes of a section in memory, not yet padded to a multiple of `ALIGNMENT`. */
type Section = Pick<NodeJS.ArrayBufferView, 'buffer' | 'byteOffset' | 'byteLength'>;

/** Lays out a column file. Throws if `value` contains anything but data, such as a function. */
export function draftColumns(value: unknown, window: number = WINDOW): ColumnDraft {
  const { skeleton, arrays } = takeApart(value);
  const sections: Section[] = [skeleton, ...arrays];
  const lengths = sections.map((section) => section.byteLength);
  const write = (path: string, work: Work = {}, begun?: () => void): Promise<void> => {
    const { threads } = work;
    if (threads === undefined || !isWorthThread(sections))
      return writeSections({ path, sections, window }, work, begun);
    const writing = threads.run(WRITING, { path, sections: sections.map(plainBytes), window }, work.signal);
    begun?.();
    return writing.then(() => undefined);
  };
  return { size: sizeOf(lengths), write };
}

/** What a thread does that writes a column file (`writeSections`). */
export const WRITING = 'write-columns';

/** Bytes from which another thread writes them, and bytes that may be copied for it. */
const WORTH_A_THREAD = 16 << 20;
const MAY_BE_COPIED = 1 << 20;

/** Whether another thread can write the sections, since it shares the memory of nearly all. */
function isWorthThread(sections: readonly Section[]): boolean {
  const bytesOf = (some: readonly Section[]): number => some.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const copied = sections.filter(({ buffer }) => !(buffer instanceof SharedArrayBuffer));
  return bytesOf(sections) >= WORTH_A_THREAD && bytesOf(copied) <= MAY_BE_COPIED;
}

/** What is sent to a thread: a part of a buffer that is not shared would take all of the buffer along. */
function plainBytes({ buffer, byteOffset, byteLength }: Section): Section {
  if (buffer instanceof SharedArrayBuffer) return { buffer, byteOffset, byteLength };
  return { buffer: buffer.slice(byteOffset, byteOffset + byteLength), byteOffset: 0, byteLength };
}

/** A column file to write. */
export interface SectionFile {
  readonly path: string;
  readonly sections: readonly Section[];
  readonly window: number;
}

/** Writes the file as `ColumnDraft.write` does. */
export async function writeSections(
  { path, sections, window }: SectionFile,
  work: Work = {},
  begun?: () => void,
): Promise<void> {
  const lengths = sections.map((section) => section.byteLength);
  const temporary = `${path}.${randomDigits(6)}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    try {
      const stream = { handle, direction: 'write', position: headLength(sections.length), window } as const;
      const checksums = await writeAll(stream, sections, work, begun);
      await moveAll(stream, [{ section: 0, bytes: headOf(lengths, checksums) }], 0);
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Reads a column file. Throws `DamagedFileError`, or the error of the operating system where the file cannot be opened or
 * read.
 */
export async function readColumns(path: string, work: Work = {}, window: number = WINDOW): Promise<unknown> {
  const handle = await open(path, 'r');
  try {
    const { lengths, checksums } = await readHead(handle, path);
    const sections = lengths.map((length) => new ArrayBuffer(length));
    const views = sections.map((buffer) => ({ buffer, byteOffset: 0, byteLength: buffer.byteLength }));
    const stream = { handle, direction: 'read', position: headLength(sections.length), window } as const;
    const found = await readAll(stream, views, work);
    const wrong = found.findIndex((checksum, section) => checksum !== checksums[section]);
    if (wrong >= 0) throw new DamagedFileError(`${path}: checksum mismatch in section ${wrong}`);
    return joined(path, sections);
  } finally {
    await handle.close();
  }
}

function joined(path: string, sections: readonly ArrayBuffer[]): unknown {
  try {
    return putTogether(new Uint8Array(sections[0] ?? 0), sections);
  } catch (error) {
    throw new DamagedFileError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function headLength(sections: number): number {
  return HEAD + sections * ROW;
}

function paddingOf(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

function sizeOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length + paddingOf(length), headLength(lengths.length));
}

function headOf(lengths: readonly number[], checksums: readonly number[]): Uint8Array {
  const head = new Uint8Array(headLength(lengths.length));
  head.set(MAGIC);
  new Uint32Array(head.buffer, MAGIC.length, 3).set([VERSION, BYTE_ORDER, lengths.length]);
  new Float64Array(head.buffer, HEAD).set(lengths.flatMap((length, i) => [length, checksums[i]]));
  new Uint32Array(head.buffer, HEAD - 4, 1)[0] = checksumOf(head);
  return head;
}

/** The checksum of a head and its directory. */
function checksumOf(head: Uint8Array): number {
  return crc32(head.subarray(HEAD), crc32(head.subarray(0, HEAD - 4)));
}

interface Directory {
  readonly lengths: readonly number[];
  readonly checksums: readonly number[];
}

async function readHead(handle: FileHandle, path: string): Promise<Directory> {
  const damaged = (what: string): DamagedFileError => new DamagedFileError(`${path}: ${what}`);
  const start = new Uint8Array(HEAD);
  const there = await readFully(handle, start, 0);
  if (there < HEAD || MAGIC.compare(start, 0, MAGIC.length) !== 0) throw damaged('not a column file');
  const [version, byteOrder, count, checksum] = new Uint32Array(start.buffer, MAGIC.length);
  if (version !== VERSION || byteOrder !== BYTE_ORDER)
    throw damaged('written by another version or on another machine');
  const { size } = await handle.stat();
  if (headLength(count) > size) throw damaged('truncated');
  const head = new Uint8Array(headLength(count));
  if ((await readFully(handle, head, 0)) < head.length) throw damaged('truncated');
  if (checksumOf(head) !== checksum) throw damaged('checksum mismatch in the directory');
  const directory = new Float64Array(head.buffer, HEAD);
  const lengths = Array.from({ length: count }, (_, section) => directory[section * 2]);
  const checksums = Array.from({ length: count }, (_, section) => directory[section * 2 + 1]);
  if (!lengths.every((length) => Number.isSafeInteger(length) && length >= 0) || sizeOf(lengths) !== size)
    throw damaged('its sections do not add up to its size');
  return { lengths, checksums };
}

/** A part of a section, or its padding, that is read or written at once. */
interface Piece {
  readonly section: number;
  readonly bytes: Uint8Array;
}

function* piecesOf(sections: readonly Section[], window: number): Generator<Piece> {
  for (const [section, { buffer, byteOffset, byteLength }] of sections.entries()) {
    for (let at = 0; at < byteLength; at += window) {
      // Views of the buffer, not of a view: a view of bytes cannot be as long as one of doubles.
      const bytes = new Uint8Array(buffer, byteOffset + at, Math.min(window, byteLength - at));
      yield { section, bytes };
    }
    const padding = paddingOf(byteLength);
    if (padding > 0) yield { section, bytes: new Uint8Array(padding) };
  }
}

/** The pieces in groups of about `window` bytes. */
function* batchesOf(pieces: Iterable<Piece>, window: number): Generator<readonly Piece[]> {
  let batch: Piece[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (batch.length > 0 && (bytes + piece.bytes.length > window || batch.length === MOST_PIECES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(piece);
    bytes += piece.bytes.length;
  }
  yield batch;
}

interface Stream {
  readonly handle: FileHandle;
  readonly direction: 'read' | 'write';
  /** Where the first section begins. */
  readonly position: number;
  readonly window: number;
}

/** Reads all sections; returns their checksums. One batch is hashed while the next is read. */
async function readAll(stream: Stream, sections: readonly Section[], work: Work): Promise<number[]> {
  const checksums = sections.map(() => 0);
  const total = sizeOf(sections.map((section) => section.byteLength));
  let position = stream.position;
  let before: readonly Piece[] = [];
  const step = async (batch: readonly Piece[]): Promise<void> => {
    work.signal?.throwIfAborted();
    const reading = moveAll(stream, batch, position);
    addTo(checksums, before);
    position = await reading;
    work.progress?.({ phase: 'loading', done: position, total, unit: 'bytes' });
    before = batch;
  };
  for (const batch of batchesOf(piecesOf(sections, stream.window), stream.window)) await step(batch);
  await step([]);
  return checksums;
}

/**
 * Writes all sections; returns their checksums. Several batches are under way at a time, so that writing goes on while this thread has no turn
 * for it; `begun`: see `ColumnDraft`.
 */
async function writeAll(
  stream: Stream,
  sections: readonly Section[],
  work: Work,
  begun: () => void = () => undefined,
): Promise<number[]> {
  const checksums = sections.map(() => 0);
  const total = sizeOf(sections.map((section) => section.byteLength));
  const underWay: Promise<number>[] = [];
  const next = async (): Promise<void> => {
    const done = await underWay.shift();
    work.progress?.({ phase: 'saving', done: done ?? total, total, unit: 'bytes' });
    work.signal?.throwIfAborted();
  };
  let position = stream.position;
  for (const batch of batchesOf(piecesOf(sections, stream.window), stream.window)) {
    work.signal?.throwIfAborted();
    addTo(checksums, batch);
    const writing = moveAll(stream, batch, position);
    // Who waits for it gets its error.
    writing.catch(() => undefined);
    underWay.push(writing);
    for (const { bytes } of batch) position += bytes.length;
    if (underWay.length < MOST_UNDER_WAY) continue;
    begun();
    await next();
  }
  begun();
  while (underWay.length > 0) await next();
  return checksums;
}

function addTo(checksums: number[], pieces: readonly Piece[]): void {
  for (const { section, bytes } of pieces) checksums[section] = crc32(bytes, checksums[section]);
}

/** Fills or writes all of `pieces` from `position` on; returns their end. */
async function moveAll(stream: Stream, pieces: readonly Piece[], position: number): Promise<number> {
  let left: readonly Uint8Array[] = pieces.map(({ bytes }) => bytes);
  let at = position;
  while (left.length > 0) {
    const moved = await moveSome(stream, left, at);
    if (moved === 0) throw new DamagedFileError('the file shrank while it was read');
    at += moved;
    left = behind(left, moved);
  }
  return at;
}

async function moveSome({ handle, direction }: Stream, pieces: readonly Uint8Array[], at: number): Promise<number> {
  if (direction === 'read') return (await handle.readv([...pieces], at)).bytesRead;
  return (await handle.writev([...pieces], at)).bytesWritten;
}

/** The rest of `pieces` after their first `moved` bytes. */
function behind(pieces: readonly Uint8Array[], moved: number): Uint8Array[] {
  const left: Uint8Array[] = [];
  let from = moved;
  for (const piece of pieces) {
    if (from < piece.length) left.push(piece.subarray(from));
    from = Math.max(0, from - piece.length);
  }
  return left;
}
