/**
 * zip archives (APPNOTE.TXT 6.3), zip64 included, and formats based on it: jar, jmod, self-extracting programs. The
 * `yauzl` package reads the central directory. Stored members are slices of the archive that can be read in any order;
 * deflated ones stream. Checksums are compared once a member was read to its end.
 *
 * Cost: two small reads per member through a 64 KiB window. If the central directory is damaged or truncated, members
 * are found by their own headers (`zip-salvage.node.ts`).
 */
import { crc32 } from 'node:zlib';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { FormatError, UnreadableError } from '../../base/errors.js';
import type { Problem } from '../../base/problems.js';
import { type ByteSource, type ByteStream, memorySource, type RandomSource, sliceSource } from '../byte-source.js';
import { type FileTree, type MemberKind, MemberList } from '../file-tree.js';
import { RangeReader } from '../range-reader.node.js';
import { Inflater, InputCursor, LARGEST_RATIO } from './inflate.node.js';
import { readZipMembers } from './zip-bulk.node.js';
import {
  ENCRYPTED,
  faultOfListEnd,
  headerDifference,
  type LocalHeader,
  localHeader,
  type ZipPlace,
  zipExtent,
} from './zip-headers.node.js';
import { kindOfPath, salvage } from './zip-salvage.node.js';

const HEADERS_DIFFER = 'zip-headers-differ';
const STORED = 0;
const DEFLATED = 8;
/** Made on Unix: the upper half of the attributes is the file mode. */
const MADE_ON_UNIX = 3;
const FILE_TYPE = 0xf000;
const SYMBOLIC_LINK = 0xa000;

const METHOD_NAMES: Record<number, string> = { 9: 'Deflate64', 12: 'bzip2', 14: 'LZMA', 93: 'Zstandard', 95: 'xz' };

/** Lists a zip archive. Throws `FormatError` if neither members nor a central directory can be found. */
export async function openZip(file: RandomSource): Promise<FileTree> {
  const extent = (await zipExtent(new RangeReader(file))) ?? { start: 0, end: undefined, listEnd: undefined };
  const size = (extent.end ?? file.size) - extent.start;
  const source = extent.start === 0 && size === file.size ? file : sliceSource(file, file.name, extent.start, size);
  const list = new MemberList<ZipPlace>(file.name);
  if (extent.end !== undefined && extent.end < file.size)
    list.problems.push({
      code: 'zip-trailing',
      severity: 'warning',
      message: `${file.name}: ${file.size - extent.end} bytes after the archive are ignored`,
      offset: extent.end,
    });
  await listMembers(source, list, extent.listEnd);
  const members = list.sorted();
  if (members.length === 0 && list.problems.some((problem) => problem.severity === 'error'))
    throw new FormatError({ format: 'zip', offset: 0, expected: 'a zip archive', found: 'no members' });
  const nameOf = (path: string) => `${file.name}!/${path}`;
  return {
    name: file.name,
    carrier: 'zip',
    members,
    problems: list.problems,
    nameOf,
    open: async (path) => {
      const { member, place } = list.openable(path, nameOf(path));
      return openMember(source, nameOf(path), member.path, place);
    },
    readMany: (paths, visit, work = {}) => {
      const places = paths.map((path) => list.placeOf(path, nameOf(path)));
      return readZipMembers(source, paths, places, visit, work);
    },
    close: async () => file.close?.(),
  };
}

async function listMembers(
  source: RandomSource,
  list: MemberList<ZipPlace>,
  listEnd: number | undefined,
): Promise<void> {
  const listed = new Set<number>();
  let archive: ZipFile | undefined;
  try {
    const options = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
    archive = await fromRandomAccessReaderPromise(new SourceReader(source), source.size, options);
    for await (const entry of archive.eachEntry()) {
      addEntry(list, entry);
      listed.add(entry.relativeOffsetOfLocalHeader);
      if (list.full) return;
    }
    const fault = await faultOfListEnd(new RangeReader(source), endOfList(archive), listEnd);
    if (fault !== undefined) throw new Error(fault);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    list.problems.push({
      code: 'zip-list-damaged',
      severity: 'error',
      message: `${source.name}: the central directory is damaged or missing (${reason}); members were found by their headers`,
      offset: archive === undefined ? source.size : endOfList(archive),
    });
    await salvage(source, list, listed);
  }
}

/** Where the next entry of the list would be. */
function endOfList(archive: ZipFile): number {
  // The package's types call this number a boolean.
  return Number(archive.readEntryCursor);
}

function addEntry(list: MemberList<ZipPlace>, entry: Entry): void {
  const path = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  const unixType = entry.versionMadeBy >>> 8 === MADE_ON_UNIX ? (entry.externalFileAttributes >>> 16) & FILE_TYPE : 0;
  const kind: MemberKind = unixType === SYMBOLIC_LINK ? 'link' : kindOfPath(path);
  const believable = entry.uncompressedSize <= (entry.compressedSize + 1) * LARGEST_RATIO;
  list.add(path, kind, kind === 'file' && believable ? entry.uncompressedSize : undefined, {
    header: entry.relativeOffsetOfLocalHeader,
    flags: entry.generalPurposeBitFlag,
    method: entry.compressionMethod,
    compressed: entry.compressedSize,
    size: entry.uncompressedSize,
    checkSum: entry.crc32,
    damage: undefined,
  });
}

async function openMember(source: RandomSource, name: string, path: string, place: ZipPlace): Promise<ByteSource> {
  const header = await localHeader(new RangeReader(source), place.header);
  const data = sliceSource(source, name, header?.data ?? 0, header === undefined ? 0 : place.compressed);
  const known = place.damage ?? damageOf(name, path, place, header, place.compressed - data.size);
  const refusal = refusalOf(name, place);
  // A damaged header can make a member look encrypted: the damage is what is to be known of it.
  if (header === undefined || (refusal !== undefined && known !== undefined))
    return memorySource(name, new Uint8Array(0), known);
  if (refusal !== undefined) throw refusal;
  const expected = { size: place.size, checkSum: place.checkSum, damage: known };
  if (place.method === STORED)
    return {
      ...data,
      open: async () => {
        const stream = await data.open();
        return new MemberStream(name, expected, { read: (target) => stream.read(target), close: () => stream.close() });
      },
    };
  const believable = place.size <= (place.compressed + 1) * LARGEST_RATIO;
  return {
    name,
    size: believable ? place.size : undefined,
    open: async () => new MemberStream(name, expected, await inflated(data)),
  };
}

/** What is wrong with a member by its headers alone. */
function damageOf(
  name: string,
  path: string,
  place: ZipPlace,
  header: LocalHeader | undefined,
  missing: number,
): Problem | undefined {
  if (header === undefined)
    return problem('zip-damaged', `${name}: its header in the archive (byte ${place.header}) is damaged or missing`, 0);
  if (missing > 0)
    return problem(
      'zip-cut',
      `${name}: truncated: the last ${missing} bytes are missing from the archive`,
      place.compressed - missing,
    );
  const difference = place.checkSum === undefined ? undefined : headerDifference(path, place, header);
  return difference === undefined ? undefined : problem(HEADERS_DIFFER, `${name}: ${difference}`, 0);
}

/** Why an undamaged member is not read. */
function refusalOf(name: string, { flags, method }: ZipPlace): UnreadableError | undefined {
  if ((flags & ENCRYPTED) !== 0)
    return new UnreadableError(`${name}: encrypted`, {
      code: 'encrypted',
      advice: 'Extract it with its password first.',
    });
  if (method === STORED || method === DEFLATED) return undefined;
  const found = METHOD_NAMES[method] ?? `method ${method}`;
  return new UnreadableError(`${name}: unsupported compression ${found}; only deflate is supported`, {
    code: 'unsupported-compression',
    advice: 'Extract it first.',
  });
}

type Expected = Pick<ZipPlace, 'size' | 'checkSum' | 'damage'>;

interface MemberBytes {
  read(target: Uint8Array): Promise<number>;
  /** Why there are no more bytes, if it is not the end. */
  damage?(): string | undefined;
  close(): Promise<void>;
}

async function inflated(data: RandomSource): Promise<MemberBytes> {
  const cursor = await InputCursor.open(data);
  const inflater = new Inflater(cursor);
  return {
    read: (target) => inflater.read(target),
    damage: () => {
      if (inflater.state === 'cut') return 'its compressed data is truncated';
      return inflater.state === 'damaged' ? `its compressed data is damaged at byte ${cursor.position}` : undefined;
    },
    close: () => {
      inflater.close();
      return cursor.close();
    },
  };
}

/** The bytes of a member: never more than it claims to have, checked against its checksum at the end. */
class MemberStream implements ByteStream {
  readonly #name: string;
  readonly #expected: Expected;
  readonly #bytes: MemberBytes;
  #length = 0;
  #checkSum = 0;
  #problem: Problem | undefined;
  #done = false;

  constructor(name: string, expected: Expected, bytes: MemberBytes) {
    this.#name = name;
    this.#expected = expected;
    this.#bytes = bytes;
  }

  async read(target: Uint8Array): Promise<number> {
    const part = target.subarray(0, Math.min(target.length, this.#expected.size - this.#length));
    const count = part.length === 0 ? 0 : await this.#bytes.read(part);
    this.#length += count;
    this.#checkSum = crc32(part.subarray(0, count), this.#checkSum);
    if (count < target.length && !this.#done) await this.#finish();
    return count;
  }

  async #finish(): Promise<void> {
    this.#done = true;
    const { size, checkSum, damage } = this.#expected;
    const more = this.#length === size && (await this.#bytes.read(new Uint8Array(1))) > 0;
    const reason = this.#bytes.damage?.();
    if (damage !== undefined && damage.code !== HEADERS_DIFFER) this.#problem = damage;
    else if (reason !== undefined) this.#problem = problem('zip-damaged', `${this.#name}: ${reason}`, this.#length);
    else if (more || this.#length < size) {
      const found = more ? 'more' : `${this.#length}`;
      this.#problem = problem('zip-size', `${this.#name}: expected ${size} bytes, found ${found}`, this.#length);
    } else if (checkSum !== undefined && checkSum !== this.#checkSum)
      this.#problem = problem('zip-checksum', `${this.#name}: checksum mismatch`, this.#length);
    // Whatever the data itself contradicts says more.
    else this.#problem = damage;
  }

  damage(): Problem | undefined {
    return this.#problem;
  }

  close(): Promise<void> {
    return this.#bytes.close();
  }
}

function problem(code: string, message: string, offset?: number): Problem {
  return { code, severity: 'error', message, ...(offset === undefined ? {} : { offset }) };
}

/** Gives yauzl access to the archive. */
class SourceReader extends RandomAccessReader {
  readonly #reader: RangeReader;

  constructor(source: RandomSource) {
    super();
    this.#reader = new RangeReader(source);
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#reader.bytes(position, length).then(
      (bytes) => {
        buffer.set(bytes, offset);
        callback(bytes.length < length ? new Error('it is truncated') : null);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }
}
