/** The head of a chunk: 68 bytes, big-endian (docs/formats/jfr.md). */

export const HEADER_BYTES = 68;
/** `FLR\0`, as a number. */
export const MAGIC = 0x464c5200;

/** Types of the two events that describe the others; each recording gives them the same number. */
export const METADATA_EVENT = 0;
export const CHECKPOINT_EVENT = 1;

const COMPRESSED = 1;

export interface ChunkHeader {
  /** Of its first byte in the file. */
  readonly offset: number;
  readonly major: number;
  readonly minor: number;
  /** Bytes of the chunk; of an unfinished one up to its last flush, or less. */
  readonly size: number;
  /** Of the last checkpoint event, from the first byte of the chunk on; 0 if it was not written yet. */
  readonly checkpoint: number;
  /** Of the metadata event, from the first byte of the chunk on; 0 if it was not written yet. */
  readonly metadata: number;
  /** Nanoseconds since 1970: whole milliseconds and the rest, since a double has too few digits for both. */
  readonly startMillis: number;
  readonly startNanos: number;
  readonly duration: number;
  /** Ticks at the start, upper and lower half. */
  readonly ticksHigh: number;
  readonly ticksLow: number;
  /** 10⁹ if the header has none. */
  readonly ticksPerSecond: number;
  /** False if the header has no ticks a second. */
  readonly isTimed: boolean;
  /** 0: the recorder finished the chunk. */
  readonly state: number;
  /** Whether integers are written in 7 bits a byte. */
  readonly compressed: boolean;
}

/** The header at the beginning of `bytes`; undefined if there is none, or an unknown version. */
export function chunkHeader(bytes: Uint8Array, offset: number): ChunkHeader | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const major = view.getUint16(4);
  if (view.getUint32(0) !== MAGIC || major < 1 || major > 2) return undefined;
  const start = view.getBigInt64(32);
  const ticksPerSecond = long(view, 56);
  return {
    offset,
    major,
    minor: view.getUint16(6),
    size: long(view, 8),
    checkpoint: long(view, 16),
    metadata: long(view, 24),
    startMillis: Number(start / 1_000_000n),
    startNanos: Number(start % 1_000_000n),
    duration: Math.max(0, long(view, 40)),
    ticksHigh: view.getInt32(48),
    ticksLow: view.getInt32(52),
    ticksPerSecond: ticksPerSecond > 0 ? ticksPerSecond : 1e9,
    isTimed: ticksPerSecond > 0,
    state: view.getUint8(64),
    // The last byte of the features of version 1, and of the flags of version 2.
    compressed: (view.getUint8(67) & COMPRESSED) !== 0,
  };
}

function long(view: DataView, at: number): number {
  return view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4);
}

/** Nanoseconds from the start of one chunk to that of another. */
export function nanosBetween(from: ChunkHeader, to: ChunkHeader): number {
  return (to.startMillis - from.startMillis) * 1e6 + (to.startNanos - from.startNanos);
}

/** Whether bytes look like the beginning of a chunk of a known version. */
export function isChunkAt(bytes: Uint8Array, at: number, end: number): boolean {
  return (
    at + 6 <= end &&
    bytes[at] === 0x46 &&
    bytes[at + 1] === 0x4c &&
    bytes[at + 2] === 0x52 &&
    bytes[at + 3] === 0 &&
    bytes[at + 4] === 0 &&
    (bytes[at + 5] === 1 || bytes[at + 5] === 2)
  );
}

/** Empty for a time that is none. */
export function isoOf(millis: number): string {
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
