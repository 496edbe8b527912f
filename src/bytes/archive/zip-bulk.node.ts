/**
 * Many small members of a zip archive at once: they are read in windows in file order, and inflated without one turn of
 * the event loop each.
 *
 * Only valid members are delivered: their size and checksum match. To learn the fault of a member, open it alone.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import type { Work } from '../../base/progress.js';
import type { RandomSource } from '../byte-source.js';
import { readPieces } from '../pieces.js';
import { LARGEST_RATIO } from './inflate.node.js';
import { LOCAL_HEADER, startsWith } from './marks.js';
import { ENCRYPTED, LOCAL_BYTES, type ZipPlace } from './zip-headers.node.js';

const STORED = 0;
const DEFLATED = 8;
/** Room for the extra fields of a member's own header, which the central directory does not contain. */
const EXTRA_BYTES = 256;

/** Members larger than this are not read at once. */
const LARGEST_IN_BULK = 16 << 20;

/** Calls `visit` for each member that is small and valid; `paths` are those of `places`. The bytes may be kept. */
export async function readZipMembers(
  source: RandomSource,
  paths: readonly string[],
  places: readonly ZipPlace[],
  visit: (member: number, bytes: Uint8Array) => void,
  work: Work,
): Promise<void> {
  const members = apart(places);
  const lengthOf = (member: number): number =>
    LOCAL_BYTES + Buffer.byteLength(paths[member]) + EXTRA_BYTES + places[member].compressed;
  const pieces = {
    starts: Float64Array.from(members, (member) => places[member].header),
    lengths: Float64Array.from(members, lengthOf),
  };
  await readPieces(
    source,
    pieces,
    (piece, bytes) => {
      const content = contentOf(bytes, places[members[piece]]);
      if (content !== undefined) visit(members[piece], content);
    },
    work,
  );
}

/**
 * The members that can be read at once, in file order. Those that begin inside another are skipped: thousands of them
 * could share the same bytes, each to be inflated.
 */
function apart(places: readonly ZipPlace[]): number[] {
  const members = [...places.keys()].sort((a, b) => places[a].header - places[b].header);
  let end = 0;
  return members.filter((member) => {
    const place = places[member];
    const isApart = place.header >= end;
    end = Math.max(end, place.header + LOCAL_BYTES + place.compressed);
    return isApart && isPlain(place);
  });
}

function isPlain({ flags, method, compressed, size, damage }: ZipPlace): boolean {
  if ((flags & ENCRYPTED) !== 0 || damage !== undefined) return false;
  if (size > LARGEST_IN_BULK || compressed > LARGEST_IN_BULK) return false;
  return method === STORED ? size === compressed : method === DEFLATED && size <= (compressed + 1) * LARGEST_RATIO;
}

/** The content of a member out of the bytes from its own header on; undefined if it is not valid. */
function contentOf(bytes: Uint8Array, { method, compressed, size, checkSum }: ZipPlace): Uint8Array | undefined {
  if (bytes.length < LOCAL_BYTES || !startsWith(bytes, LOCAL_HEADER)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const start = LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  const data = bytes.subarray(start, start + compressed);
  if (data.length < compressed) return undefined;
  const content = method === STORED ? data.slice() : inflated(data, size);
  const sound = content?.length === size && (checkSum === undefined || crc32(content) === checkSum);
  return sound ? content : undefined;
}

function inflated(data: Uint8Array, size: number): Uint8Array | undefined {
  try {
    // One byte more than it has, so that zlib need not ask for a second buffer to see its end.
    return inflateRawSync(data, { maxOutputLength: size + 1, chunkSize: Math.max(64, size + 1) });
  } catch {
    return undefined;
  }
}
