/**
 * The binary files of an experiment: packets `size, type, …` in blocks. Each thread of the recorded program fills blocks of its own, so packets
 * are not in the order of time, and the rest of a block is a filler or zeros. Fields are read at the offsets that log.xml states.
 * Cost: one pass, a window of 1 MiB.
 */
import type { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { FieldType, PacketField, PacketLayout } from './log.js';

/** After a damaged or unfinished packet, the next one begins at a multiple of this. */
const CHUNK = 1 << 14;
const WINDOW = 1 << 20;
/** Sizes are 16 bits wide. */
const LONGEST = 1 << 16;
/** Types of packets that are no data: fillers, and the end of a block. */
const FILLER = 0;
const CLOSED = 0xffff;
const WIDTH: Readonly<Record<FieldType, number>> = {
  INT32: 4,
  UINT32: 4,
  INT64: 8,
  UINT64: 8,
  DOUBLE: 8,
  DATE: 8,
  STRING: 1,
};

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

/** Calls `visit` for each packet of a file. Damaged parts are skipped and reported. */
export async function eachPacket(
  source: ByteSource,
  { littleEndian, problems, work = {} }: PacketOptions,
  visit: (packet: Packet) => void,
): Promise<void> {
  const bytes = new Uint8Array(WINDOW);
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

/** Reads one field of packets of a layout. Fields that a layout lacks, or a packet is too short for, are -1. */
export class FieldReader {
  readonly #offset: number;
  readonly #type: FieldType;
  readonly #little: boolean;

  constructor(layout: PacketLayout, name: string, littleEndian: boolean) {
    const field: PacketField = layout.fields.get(name) ?? { offset: LONGEST, type: 'INT32' };
    this.#offset = field.offset;
    this.#type = field.type;
    this.#little = littleEndian;
  }

  /** Whether packets have the field. */
  get known(): boolean {
    return this.#offset < LONGEST;
  }

  has({ size }: Packet): boolean {
    return this.#offset + WIDTH[this.#type] <= size;
  }

  /** The value, exact up to 2^53. */
  number(packet: Packet): number {
    if (!this.has(packet)) return -1;
    const { view, at } = packet;
    const place = at + this.#offset;
    if (this.#type === 'INT32') return view.getInt32(place, this.#little);
    if (this.#type === 'UINT32') return view.getUint32(place, this.#little);
    if (this.#type === 'DOUBLE') return view.getFloat64(place, this.#little);
    const high = this.high(packet);
    const signed = this.#type === 'INT64' ? high | 0 : high;
    return signed * 2 ** 32 + this.low(packet);
  }

  /** Upper 32 bits, unsigned; 0 of narrow fields. */
  high(packet: Packet): number {
    if (!this.has(packet) || WIDTH[this.#type] < 8) return 0;
    return packet.view.getUint32(packet.at + this.#offset + (this.#little ? 4 : 0), this.#little);
  }

  /** Lower 32 bits, unsigned. */
  low(packet: Packet): number {
    if (!this.has(packet)) return 0;
    const upper = WIDTH[this.#type] === 8 && !this.#little ? 4 : 0;
    return packet.view.getUint32(packet.at + this.#offset + upper, this.#little);
  }

  /** The bytes of a string up to its NUL or the end of the packet: their places in `packet.bytes`. */
  textRange(packet: Packet): readonly [from: number, to: number] {
    const from = packet.at + Math.min(this.#offset, packet.size);
    const end = packet.at + packet.size;
    const zero = packet.bytes.subarray(from, end).indexOf(0);
    return [from, zero < 0 ? end : from + zero];
  }
}
