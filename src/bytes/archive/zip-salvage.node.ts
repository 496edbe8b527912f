/**
 * Finds the members of a zip archive whose central directory is truncated or damaged, by the headers before their data.
 *
 * A member whose size follows its data (as Java writes it) is inflated to find its end: the cost is that of
 * decompressing the archive once.
 */
import { type RandomSource, sliceSource } from '../byte-source.js';
import type { MemberList } from '../file-tree.js';
import { RangeReader } from '../range-reader.node.js';
import { Inflater, InputCursor } from './inflate.node.js';
import { LOCAL_HEADER } from './marks.js';
import { isListAt, type LocalHeader, localHeader, SIZES_FOLLOW, type ZipPlace } from './zip-headers.node.js';

/** Inflating to find ends stops after so many bytes for each byte of the archive, and after so many bytes in total. */
const LARGEST_SEARCH_RATIO = 64;
const LARGEST_SEARCH = 2 ** 36;
/** Bytes of sizes and checksum after the data: with or without a signature, with 32 or 64 bits per size. */
const TRAILER_BYTES = [16, 12, 24, 20, 0] as const;

/** Adds the members that have a header of their own and are not listed yet. */
export async function salvage(source: RandomSource, list: MemberList<ZipPlace>, listed: Set<number>): Promise<void> {
  const search: Search = { source, reader: new RangeReader(source), list, toInflate: searchLimit(source.size) };
  for (let at = 0; at >= 0 && !list.full; ) {
    if (await isListAt(search.reader, at)) return;
    const header = await localHeader(search.reader, at);
    if (header === undefined) {
      at = await search.reader.indexOf(LOCAL_HEADER, at + 1);
      continue;
    }
    const found = await measure(search, header);
    if (!listed.has(at)) list.add(header.path, kindOfPath(header.path), found.place.size, found.place);
    at = found.next;
  }
}

/** A name that ends in a slash is a directory. */
export function kindOfPath(path: string): 'file' | 'directory' {
  return path.endsWith('/') ? 'directory' : 'file';
}

interface Search {
  readonly source: RandomSource;
  readonly reader: RangeReader;
  readonly list: MemberList<ZipPlace>;
  /** Bytes that may still be inflated to find ends. */
  toInflate: number;
}

interface Found {
  readonly place: ZipPlace;
  /** Where the next header is, or where to search for it; -1 if there is none. */
  readonly next: number;
}

async function measure(search: Search, header: LocalHeader): Promise<Found> {
  const end = header.data + header.compressed;
  if ((header.flags & SIZES_FOLLOW) !== 0 && header.compressed === 0 && header.method === 8)
    return inflateToEnd(search, header);
  if (end <= search.reader.size) return { place: header, next: end };
  // Its data would go beyond the end: the archive is cut here, unless another header shows that the size is wrong.
  const next = await search.reader.indexOf(LOCAL_HEADER, header.data);
  const present = (next < 0 ? search.reader.size : next) - header.data;
  return { place: cutPlace(search, header, present, next < 0), next };
}

function searchLimit(size: number): number {
  return Math.min(LARGEST_SEARCH, (size + (1 << 18)) * LARGEST_SEARCH_RATIO);
}

async function inflateToEnd(search: Search, header: LocalHeader): Promise<Found> {
  const rest = sliceSource(search.source, header.path, header.data, search.reader.size - header.data);
  const cursor = await InputCursor.open(rest);
  const inflater = new Inflater(cursor);
  const scratch = new Uint8Array(1 << 18);
  let size = 0;
  for (let count = 1; count > 0 && search.toInflate > 0; ) {
    count = await inflater.read(scratch);
    size += count;
    search.toInflate -= count;
  }
  const compressed = cursor.position;
  inflater.close();
  await cursor.close();
  if (inflater.state === 'ended') {
    const place = { ...header, compressed, size, checkSum: undefined };
    return { place, next: await behindTrailer(search.reader, header.data + compressed) };
  }
  const next = inflater.state === 'cut' ? -1 : await search.reader.indexOf(LOCAL_HEADER, header.data);
  const present = next < 0 ? search.reader.size - header.data : next - header.data;
  return { place: { ...cutPlace(search, header, present, inflater.state === 'cut'), size }, next };
}

function cutPlace(search: Search, header: LocalHeader, present: number, cut: boolean): ZipPlace {
  const what = cut ? `the archive ends inside ${header.path}` : `the data of ${header.path} has no valid end`;
  const damage = {
    code: cut ? 'zip-cut' : 'zip-damaged',
    severity: 'error',
    message: `${search.source.name}: ${what}: ${present} compressed bytes are present`,
    offset: header.data + present,
  } as const;
  search.list.problems.push(damage);
  const size = header.method === 0 ? present : header.size;
  return { ...header, compressed: present, size, checkSum: undefined, damage };
}

async function behindTrailer(reader: RangeReader, end: number): Promise<number> {
  for (const bytes of TRAILER_BYTES) {
    if (await isListAt(reader, end + bytes)) return end + bytes;
    if ((await localHeader(reader, end + bytes)) !== undefined) return end + bytes;
  }
  return reader.indexOf(LOCAL_HEADER, end);
}
