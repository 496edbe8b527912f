/**
 * The binary files of an experiment: packets `size, type, …` in blocks. Each thread of the recorded program fills blocks of its own, so packets
 * are not in the order of time, and the rest of a block is a filler or zeros.
 * Cost: one pass, a window of 1 MiB.
 */
import { doubled } from '../../base/columns/columns.js';
import type { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';

/** After a damaged or unfinished packet, the next one begins at a multiple of this. */
const CHUNK = 1 << 14;
const WINDOW = 1 << 20;
/** Sizes are 16 bits wide. */
export const LONGEST = 1 << 16;
/** Types of packets that are no data: fillers, and the end of a block. */
const FILLER = 0;
const CLOSED = 0xffff;
/** A packet in the window; valid until the visitor returns. */
export interface Packet {
  readonly view: DataView;
  readonly bytes: Uint8Array;
  /** Where it begins in the window. */
  at: number;
  size: number;
  type: number;
  /** Where it begins in the file. */
  offset: number;
}

export interface PacketOptions {
  readonly littleEndian: boolean;
  readonly problems: ProblemLog;
  readonly work?: Work;
}

/** Packets of one type that follow each other in the window; valid until the visitor returns. */
export interface PacketRun {
  /** To be moved to single packets: `packetIn`. */
  readonly packet: Packet;
  /** The window as numbers of the machine that reads. */
  readonly words: Int32Array;
  /** By packet: its place in `words`, and its size in bytes. */
  places: Int32Array;
  sizes: Int32Array;
  length: number;
  type: number;
  /** Bytes of the shortest one. */
  least: number;
  /** Most packets that the rest of the file may have, from the first of these on, if its size is known. */
  expected: number | undefined;
}

/** Calls `visit` for packets of a file in runs. Damaged parts are skipped and reported. */
export async function eachRun(
  source: ByteSource,
  options: PacketOptions,
  visit: (run: PacketRun) => void,
): Promise<void> {
  let run: PacketRun | undefined;
  const flush = (): void => {
    if (run !== undefined && run.length > 0) visit(run);
    if (run !== undefined) run.length = 0;
  };
  await eachPacket(
    source,
    options,
    (packet) => {
      run ??= emptyRun(packet);
      if (packet.type !== run.type) flush();
      add(run, packet, source.size);
    },
    flush,
  );
}

/** Calls `visit` for each packet of a file, `rest` before the window moves on. Damaged parts are skipped and reported. */
export async function eachPacket(
  source: ByteSource,
  { littleEndian, problems, work = {} }: PacketOptions,
  visit: (packet: Packet) => void,
  rest?: () => void,
): Promise<void> {
  const bytes = new Uint8Array(windowFor(source.size));
  const packet: Packet = { view: new DataView(bytes.buffer), bytes, at: 0, size: 0, type: 0, offset: 0 };
  const stream = await source.open();
  try {
    let kept = 0;
    let start = 0;
    for (;;) {
      const count = await stream.read(bytes.subarray(kept));
      const length = kept + count;
      const ended = length < bytes.length;
      const next = walk({ packet, length, ended, start, littleEndian, name: source.name, problems }, visit);
      rest?.();
      work.progress?.({ phase: 'reading', done: start + next, total: source.size, unit: 'bytes' });
      work.signal?.throwIfAborted();
      if (ended) break;
      bytes.copyWithin(0, Math.min(next, length), length);
      kept = Math.max(0, length - next);
      start += next;
    }
    const damage = stream.damage();
    if (damage !== undefined) problems.add(damage);
  } finally {
    await stream.close();
  }
}

/** The packet at a place of a run: the one of the window, moved there. */
export function packetIn({ packet, places, sizes }: PacketRun, i: number): Packet {
  packet.at = places[i] * 4;
  packet.size = sizes[i];
  return packet;
}

/** Bytes of a window that a small file fits in: with one more, since a full window does not end. */
function windowFor(size: number = WINDOW): number {
  return Math.min(WINDOW, Math.max(2 * LONGEST, Math.ceil((size + 1) / 4) * 4));
}

function emptyRun(packet: Packet): PacketRun {
  const [places, sizes] = [new Int32Array(1 << 10), new Int32Array(1 << 10)];
  const words = new Int32Array(packet.bytes.buffer);
  return { packet: { ...packet }, words, places, sizes, length: 0, type: 0, least: 0, expected: undefined };
}

/** Packets begin at multiples of 4, as their sizes are, and the window does. */
function add(run: PacketRun, { at, size, type, offset }: Packet, whole: number | undefined): void {
  if (run.length === 0) {
    run.type = type;
    run.least = size;
    run.expected = whole === undefined ? undefined : Math.ceil(Math.max(0, whole - offset) / size);
  }
  if (run.length === run.places.length) {
    run.places = doubled(run.places);
    run.sizes = doubled(run.sizes);
  }
  run.places[run.length] = at >> 2;
  run.sizes[run.length] = size;
  if (size < run.least) run.least = size;
  run.length++;
}

interface Walk {
  readonly packet: Packet;
  /** Bytes in the window. */
  readonly length: number;
  /** Whether the file ends with the window. */
  readonly ended: boolean;
  /** Offset of the window in the file. */
  readonly start: number;
  readonly littleEndian: boolean;
  readonly name: string;
  readonly problems: ProblemLog;
}

/** Visits the packets that are whole in the window; returns where the next one begins, perhaps after the window. */
function walk(given: Walk, visit: (packet: Packet) => void): number {
  const { packet, length, ended, start, littleEndian, name, problems } = given;
  const { view } = packet;
  let at = 0;
  // The window has room for two packets, so a full one has a whole packet before this limit.
  const limit = ended ? length : length - LONGEST;
  while (at < limit) {
    const size = at + 4 <= length ? view.getUint16(at, littleEndian) : 0;
    const type = at + 4 <= length ? view.getUint16(at + 2, littleEndian) : 0;
    if (size < 4 || size % 4 !== 0) {
      if (size !== 0) problems.add(damaged(name, start + at, `a packet of ${size} bytes`));
      at += CHUNK - ((start + at) % CHUNK);
      continue;
    }
    if (at + size > length) {
      problems.add(damaged(name, start + at, 'the file ends within a packet'));
      return length;
    }
    if (type !== FILLER && type !== CLOSED) {
      packet.at = at;
      packet.size = size;
      packet.type = type;
      packet.offset = start + at;
      visit(packet);
    }
    at += size;
  }
  return at;
}

function damaged(name: string, offset: number, what: string) {
  return { code: 'experiment-packet', severity: 'error', message: `${name}: ${what}`, offset } as const;
}
