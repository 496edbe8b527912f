/**
 * tar archives: ustar, pax and GNU (long names, base-256 sizes), as described in POSIX.1-2017 "pax" and the GNU tar
 * manual. Headers are decoded by the `tar` package. Members are slices of the archive, nothing is copied; a tar inside
 * gzip must first be copied to a source with random access (`spool.node.ts`).
 *
 * Cost: one read per 64 KiB window with headers. A damaged header is skipped block by block to the next valid one.
 */
import { Header, Pax } from 'tar';
import { FormatError } from '../../base/errors.js';
import type { Problem } from '../../base/problems.js';
import { type ByteSource, type RandomSource, sliceSource } from '../byte-source.js';
import { type FileTree, type MemberKind, MemberList } from '../file-tree.js';
import { RangeReader } from '../range-reader.node.js';

const BLOCK = 512;
/** A long name or a set of pax records larger than this is rejected. */
const LARGEST_EXTENSION = 1 << 20;
/** Where old GNU headers, and their continuations, mark that a list of holes continues in the next block. */
const SPARSE_GOES_ON = 482;
const SPARSE_GOES_ON_AGAIN = 504;

interface Place {
  readonly offset: number;
  readonly size: number;
  readonly damage: Problem | undefined;
}

/** Values from extension headers for the next member. */
type Overrides = Partial<Pick<Header, 'path' | 'linkpath' | 'size'>>;

/** Lists a tar archive. Throws `FormatError` if its first header is not valid. */
export async function openTar(source: RandomSource): Promise<FileTree> {
  const walk = new TarWalk(source);
  await walk.run();
  const { list } = walk;
  const nameOf = (path: string) => `${source.name}!/${path}`;
  return {
    name: source.name,
    carrier: 'tar',
    members: list.sorted(),
    problems: list.problems,
    nameOf,
    open: async (path): Promise<ByteSource> => {
      const place = list.placeOf(path, nameOf(path));
      return sliceSource(source, nameOf(path), place.offset, place.size, place.damage);
    },
    close: async () => source.close?.(),
  };
}

class TarWalk {
  readonly list: MemberList<Place>;
  readonly #reader: RangeReader;
  readonly #name: string;
  #at = 0;
  #next: Overrides = {};
  #always: Overrides = {};
  #sparse = false;

  constructor(source: RandomSource) {
    this.#reader = new RangeReader(source);
    this.#name = source.name;
    this.list = new MemberList(source.name);
  }

  async run(): Promise<void> {
    const first = await this.#reader.bytes(0, BLOCK);
    if (first.length < BLOCK || decode(first) === undefined)
      throw new FormatError({ format: 'tar', offset: 0, expected: 'a tar header', found: 'something else' });
    while (!this.list.full) {
      const block = await this.#reader.bytes(this.#at, BLOCK);
      if (block.length < BLOCK) return this.#endsEarly(block.length);
      if (isZero(block) && (await this.#isEnd())) return;
      const header = decode(block, this.#next, this.#always);
      if (header === undefined) await this.#resume();
      else await this.#take(header, block);
    }
  }

  /** Two blocks of zeros end an archive; one alone was written over a header. */
  async #isEnd(): Promise<boolean> {
    const second = await this.#reader.bytes(this.#at + BLOCK, BLOCK);
    return second.length < BLOCK || isZero(second);
  }

  async #take(header: Header, block: Uint8Array): Promise<void> {
    const goesOn = header.type === 'SparseFile' && block[SPARSE_GOES_ON] !== 0;
    const size = hasData(header) ? (header.size ?? 0) : 0;
    let data = this.#at + BLOCK;
    if (goesOn) data = await this.#skipSparse(data);
    if (!Number.isSafeInteger(data + size)) {
      this.#problem('tar-damaged-header', 'impossible member size');
      this.#at += BLOCK;
      return;
    }
    if (!(await this.#extension(header, data, size))) this.#member(header, data, size);
    this.#at = data + Math.ceil(size / BLOCK) * BLOCK;
  }

  /** Takes an extension header, which describes the next member; false if the header is a member itself. */
  async #extension(header: Header, data: number, size: number): Promise<boolean> {
    const type = header.type;
    const isPax = type === 'ExtendedHeader' || type === 'OldExtendedHeader' || type === 'GlobalExtendedHeader';
    const isLongPath = type === 'NextFileHasLongPath' || type === 'OldGnuLongPath';
    if (!isPax && !isLongPath && type !== 'NextFileHasLongLinkpath') return false;
    if (size > LARGEST_EXTENSION) {
      this.#problem('tar-damaged-header', `extension header of ${size} bytes is too large; skipped`);
      return true;
    }
    const bytes = Buffer.from(await this.#reader.bytes(data, size));
    if (!isPax) {
      const end = bytes.indexOf(0);
      const text = bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
      this.#next = { ...this.#next, ...(isLongPath ? { path: text } : { linkpath: text }) };
      return true;
    }
    const text = bytes.toString('utf8');
    const { path, linkpath, size: realSize } = Pax.parse(text);
    const said = {
      ...(path === undefined ? {} : { path }),
      ...(linkpath === undefined ? {} : { linkpath }),
      ...(realSize === undefined ? {} : { size: realSize }),
    };
    if (type === 'GlobalExtendedHeader') this.#always = { ...this.#always, ...said };
    else {
      this.#next = { ...this.#next, ...said };
      this.#sparse ||= text.includes(' GNU.sparse.');
    }
    return true;
  }

  #member(header: Header, data: number, size: number): void {
    const path = header.path ?? '';
    const sparse = this.#sparse || header.type === 'SparseFile';
    this.#next = {};
    this.#sparse = false;
    const linked = header.type === 'Link' ? this.list.get(header.linkpath ?? '') : undefined;
    if (linked !== undefined) {
      this.list.add(path, linked.member.kind, linked.member.size, linked.place);
      return;
    }
    const present = Math.min(size, Math.max(0, this.#reader.size - data));
    const damage = present < size ? this.#cut(path, size, present) : undefined;
    if (sparse) this.#problem('tar-sparse', `${path} is a sparse file, which is not supported`);
    this.list.add(path, sparse ? 'other' : kindOf(header), present, { offset: data, size: present, damage });
  }

  #cut(path: string, size: number, present: number): Problem {
    const message = `${this.#name}: the archive ends inside ${path}: ${present} of its ${size} bytes are present`;
    this.list.problems.push({ code: 'tar-cut', severity: 'error', message, offset: this.#reader.size });
    return { code: 'tar-cut', severity: 'error', message, offset: present };
  }

  /** The archive ends without the two empty blocks that end one. */
  #endsEarly(rest: number): void {
    if (this.list.problems.some((problem) => problem.code === 'tar-cut')) return;
    const message = `${this.#name}: the archive ends without an end marker${rest > 0 ? ', inside a header' : ''}; it may be truncated`;
    this.list.problems.push({ code: 'tar-cut', severity: 'warning', message, offset: this.#reader.size });
  }

  /** Goes from a damaged header to the next valid one. */
  async #resume(): Promise<void> {
    const start = this.#at;
    this.#next = {};
    for (this.#at += BLOCK; ; this.#at += BLOCK) {
      const block = await this.#reader.bytes(this.#at, BLOCK);
      if (block.length < BLOCK || decode(block) !== undefined) break;
    }
    const message = `${this.#name}: no valid tar header at byte ${start}; skipped ${this.#at - start} bytes up to the next one`;
    this.list.problems.push({ code: 'tar-damaged-header', severity: 'error', message, offset: start });
  }

  /** The holes of an old GNU sparse member are listed in blocks that its size does not count. */
  async #skipSparse(first: number): Promise<number> {
    for (let at = first; ; at += BLOCK) {
      const block = await this.#reader.bytes(at, BLOCK);
      if (block.length < BLOCK || block[SPARSE_GOES_ON_AGAIN] === 0) return at + BLOCK;
    }
  }

  #problem(code: string, what: string): void {
    this.list.problems.push({ code, severity: 'warning', message: `${this.#name}: ${what}`, offset: this.#at });
  }
}

/** The header if its checksum is correct, else undefined. */
function decode(block: Uint8Array, next: Overrides = {}, always: Overrides = {}): Header | undefined {
  try {
    const bytes = Buffer.from(block.buffer, block.byteOffset, BLOCK);
    const header = new Header(bytes, 0, next, always);
    return header.cksumValid ? header : undefined;
  } catch {
    // The package throws for an invalid number; its reason adds nothing.
    return undefined;
  }
}

function isZero(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

function kindOf(header: Header): MemberKind {
  switch (header.type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return 'file';
    case 'Directory':
    case 'GNUDumpDir':
      return 'directory';
    case 'Link':
    case 'SymbolicLink':
      return 'link';
    default:
      return 'other';
  }
}

/** Whether data follows the header: links and devices have a size in some archives, and no data. */
function hasData(header: Header): boolean {
  switch (header.type) {
    case 'Link':
    case 'SymbolicLink':
    case 'CharacterDevice':
    case 'BlockDevice':
    case 'FIFO':
    case 'Directory':
      return false;
    default:
      return true;
  }
}
