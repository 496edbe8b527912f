/** Where things are in a zip archive: the end record and the headers of members (APPNOTE.TXT 6.3, §4.3.7 and §4.3.16). */
import { getFileNameLowLevel, parseExtraFields } from 'yauzl';
import type { Problem } from '../../base/problems.js';
import { plainPath } from '../file-tree.js';
import type { RangeReader } from '../range-reader.node.js';
import { END_RECORD, LOCAL_HEADER, startsWith } from './marks.js';

const LIST_ENTRY = Uint8Array.of(0x50, 0x4b, 1, 2);
const LIST_SIGNATURE = Uint8Array.of(0x50, 0x4b, 5, 5);
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
/** Bytes of a member's own header before its name. */
export const LOCAL_BYTES = 30;
const ZIP64 = 0xffffffff;
const ZIP64_EXTRA = 1;

/** Flags of a member. */
export const ENCRYPTED = 1;
/** Sizes and checksum follow the data instead of being in the header. */
export const SIZES_FOLLOW = 8;

/** Where a member is. */
export interface ZipPlace {
  readonly header: number;
  readonly flags: number;
  readonly method: number;
  readonly compressed: number;
  /** Decompressed size that it claims. */
  readonly size: number;
  /** CRC-32 of the decompressed bytes; undefined if unknown. */
  readonly checkSum: number | undefined;
  readonly damage: Problem | undefined;
}

/** A member's own header. */
export interface LocalHeader extends ZipPlace {
  readonly path: string;
  /** Offset of its data. */
  readonly data: number;
}

/** The part of a file that is the archive: some files have a program or a marker before it, or padding after it. */
export interface ZipExtent {
  readonly start: number;
  readonly end: number;
  /** Where the list of members ends by its end record, from `start` on; undefined if that says so in 64 bits. */
  readonly listEnd: number | undefined;
}

/** Whether the list of members, or the end record, begins at `offset`. */
export async function isListAt(reader: RangeReader, offset: number): Promise<boolean> {
  const mark = await reader.bytes(offset, 4);
  return startsWith(mark, LIST_ENTRY) || startsWith(mark, END_RECORD);
}

/** What contradicts that the list of members, read up to `offset`, ends there; undefined if nothing does. */
export async function faultOfListEnd(
  reader: RangeReader,
  offset: number,
  expected: number | undefined,
): Promise<string | undefined> {
  const mark = await reader.bytes(offset, 4);
  if (startsWith(mark, LIST_ENTRY)) return 'it has more members than its end record says';
  if (expected === undefined || expected === offset || startsWith(mark, LIST_SIGNATURE)) return undefined;
  return `it ends at byte ${offset}, but its end record says byte ${expected}`;
}

/** Finds the last end record whose comment fits into the file; undefined if there is none. */
export async function zipExtent(reader: RangeReader): Promise<ZipExtent | undefined> {
  const from = Math.max(0, reader.size - END_BYTES - LONGEST_COMMENT);
  const tail = Uint8Array.from(await reader.bytes(from, reader.size - from));
  const view = new DataView(tail.buffer);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (!startsWith(tail.subarray(at, at + 4), END_RECORD)) continue;
    const end = at + END_BYTES + view.getUint16(at + 20, true);
    if (end > tail.length) continue;
    const listBytes = view.getUint32(at + 12, true);
    const listOffset = view.getUint32(at + 16, true);
    const start = from + at - listBytes - listOffset;
    const shifted = start > 0 && listOffset !== ZIP64 && (await isListAt(reader, start + listOffset));
    const narrow = listBytes !== ZIP64 && listOffset !== ZIP64;
    return { start: shifted ? start : 0, end: from + end, listEnd: narrow ? listOffset + listBytes : undefined };
  }
  return undefined;
}

/** The header of a member at `offset`; undefined if there is none. */
export async function localHeader(reader: RangeReader, offset: number): Promise<LocalHeader | undefined> {
  const fixed = Uint8Array.from(await reader.bytes(offset, LOCAL_BYTES));
  if (fixed.length < LOCAL_BYTES || !startsWith(fixed, LOCAL_HEADER)) return undefined;
  const view = new DataView(fixed.buffer);
  const nameBytes = view.getUint16(26, true);
  const extraBytes = view.getUint16(28, true);
  const texts = Buffer.from(await reader.bytes(offset + LOCAL_BYTES, nameBytes + extraBytes));
  if (texts.length < nameBytes + extraBytes) return undefined;
  const extras = extraFields(texts.subarray(nameBytes));
  const flags = view.getUint16(6, true);
  const sizes = { compressed: view.getUint32(18, true), size: view.getUint32(22, true) };
  return {
    path: getFileNameLowLevel(flags, texts.subarray(0, nameBytes), extras, false),
    header: offset,
    data: offset + LOCAL_BYTES + nameBytes + extraBytes,
    flags,
    method: view.getUint16(8, true),
    checkSum: view.getUint32(14, true),
    damage: undefined,
    ...wideSizes(sizes, extras),
  };
}

/**
 * Where a member's own header says something else than the list of members, in words. Sizes and checksum that follow
 * the data, or are all 0, are not stated by the header.
 */
export function headerDifference(path: string, place: ZipPlace, header: LocalHeader): string | undefined {
  const differs = (what: string, own: number | string, listed: number | string): string | undefined =>
    own === listed
      ? undefined
      : `${what} ${own} in its own header (byte ${header.header}), ${listed} in the central directory`;
  const stated = (header.flags & SIZES_FOLLOW) === 0 && (header.checkSum || header.compressed || header.size) !== 0;
  return (
    differs('name', plainPath(header.path), path) ??
    differs('method', header.method, place.method) ??
    differs('encryption', header.flags & ENCRYPTED, place.flags & ENCRYPTED) ??
    (stated ? differenceOfSizes(differs, place, header) : undefined)
  );
}

function differenceOfSizes(
  differs: (what: string, own: number, listed: number) => string | undefined,
  place: ZipPlace,
  header: LocalHeader,
): string | undefined {
  return (
    differs('compressed size', header.compressed, place.compressed) ??
    differs('size', header.size, place.size) ??
    differs('check sum', header.checkSum ?? 0, place.checkSum ?? 0)
  );
}

function extraFields(bytes: Buffer): ReturnType<typeof parseExtraFields> {
  try {
    return parseExtraFields(bytes);
  } catch {
    // Damaged extra fields lose only their own values; the member itself is valid.
    return [];
  }
}

/** In a zip64 member the extra field has the uncompressed size first, both whenever the field exists. */
function wideSizes(
  narrow: { compressed: number; size: number },
  extras: ReturnType<typeof parseExtraFields>,
): { compressed: number; size: number } {
  const wide = extras.find((field) => field.id === ZIP64_EXTRA)?.data;
  if (wide === undefined || wide.length < 16) return narrow;
  return {
    size: narrow.size === ZIP64 ? Number(wide.readBigUInt64LE(0)) : narrow.size,
    compressed: narrow.compressed === ZIP64 ? Number(wide.readBigUInt64LE(8)) : narrow.compressed,
  };
}
