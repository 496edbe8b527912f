/** The head of a chunk: 68 bytes, big-endian (docs/formats/jfr.md). */
import type { RecordingClock } from '../../../models/recording.js';

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
  /** Fields that no recorder writes so. */
  readonly faults: readonly HeaderFault[];
}

export interface HeaderFault {
  /** Of the field, from the first byte of the chunk on. */
  readonly at: number;
  readonly message: string;
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
    faults: faultsOf(view),
  };
}

/** Places of fields. */
const [CHECKPOINT_PLACE, START, DURATION, FREQUENCY] = [16, 32, 40, 56];
/** Nanoseconds of a chunk: a hundred years. */
const LONGEST = 100 * 365 * 86_400 * 1e9;
/** Ticks a second. */
const [SLOWEST, FASTEST] = [1000, 1e12];

function faultsOf(view: DataView): HeaderFault[] {
  const faults: HeaderFault[] = [];
  const check = (at: number, isSound: boolean, expected: string): void => {
    if (!isSound) faults.push({ at, message: `expected ${expected}, found ${view.getBigInt64(at)}` });
  };
  const size = long(view, 8);
  const checkpoint = long(view, CHECKPOINT_PLACE);
  const isWithin = checkpoint === 0 || (checkpoint >= HEADER_BYTES && checkpoint < size);
  const frequency = long(view, FREQUENCY);
  const duration = long(view, DURATION);
  check(CHECKPOINT_PLACE, isWithin || view.getUint8(64) !== 0, `a checkpoint within the ${size} bytes of the chunk`);
  check(START, isStart(long(view, START) / 1e6), 'a start between the years 2000 and 2200, in nanoseconds since 1970');
  check(DURATION, duration >= 0 && duration <= LONGEST, 'nanoseconds that the chunk took');
  if (frequency <= 0) faults.push({ at: FREQUENCY, message: 'expected ticks a second, found none: times are wrong' });
  else check(FREQUENCY, frequency >= SLOWEST && frequency <= FASTEST, 'a thousand to 10^12 ticks a second');
  return faults;
}

function isStart(millis: number): boolean {
  return millis >= FIRST_START && millis < LAST_START;
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

/** Versions of known recorders. */
const LAST_MINOR = 9;
/** Recordings begin after 2000 and before 2200, in milliseconds since 1970. */
const [FIRST_START, LAST_START] = [Date.UTC(2000), Date.UTC(2200)];

/** Whether a recorder writes such a header: its places lie within its chunk, and its time is one of this time. */
export function isPlausible({ minor, size, checkpoint, metadata, startMillis, isTimed, state }: ChunkHeader): boolean {
  const isWithin = (place: number): boolean => place === 0 || (place >= HEADER_BYTES && place < size);
  return (
    minor <= LAST_MINOR &&
    isTimed &&
    isStart(startMillis) &&
    (state !== 0 || (isWithin(checkpoint) && isWithin(metadata) && size >= HEADER_BYTES))
  );
}

/** A JVM writes the header of a chunk again with each flush, into an event. */
export function isCopy(header: ChunkHeader, original: ChunkHeader): boolean {
  return header.startMillis === original.startMillis && header.startNanos === original.startNanos;
}

/** Empty for a time that is none. */
export function isoOf(millis: number): string {
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** When a recording began, in its first chunk, and for how long it went on; undefined without chunks. */
export function clockOf(
  first: ChunkHeader | undefined,
  last: ChunkHeader | undefined,
  zoneOffset: number | undefined,
): RecordingClock | undefined {
  if (first === undefined || last === undefined) return undefined;
  const start = first.startMillis + first.startNanos / 1e6;
  const length = nanosBetween(first, last) + last.duration;
  return { start, length, ...(zoneOffset !== undefined && { zoneOffset }) };
}
