/**
 * Fields of packets, at the offsets that log.xml states: one value at a time, or a column of a run of packets. Columns of fields that lie on
 * words of the machine's byte order are loops over the window; all others are read one by one.
 */
import type { FieldType, PacketField, PacketLayout } from './log.js';
import { LONGEST, type Packet, type PacketRun, packetIn } from './packets.js';

const WIDTH: Readonly<Record<FieldType, number>> = {
  INT32: 4,
  UINT32: 4,
  INT64: 8,
  UINT64: 8,
  DOUBLE: 8,
  DATE: 8,
  STRING: 1,
};

/** Whether this machine writes low bytes first. */
const LITTLE = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** The halves of 64-bit values; narrow ones have an upper half of 0. */
export interface Halves {
  high: Int32Array;
  low: Int32Array;
}

/** Reads one field of packets of a layout. Fields that a layout lacks, or a packet is too short for, are -1. */
export class FieldReader {
  readonly #offset: number;
  readonly #type: FieldType;
  readonly #little: boolean;
  #numbers = new Float64Array();
  #halves: Halves = { high: new Int32Array(), low: new Int32Array() };

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

  /** Whether a packet of a run has the field. */
  isIn({ sizes }: PacketRun, i: number): boolean {
    return this.#offset + WIDTH[this.#type] <= sizes[i];
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

  /** The values of a run of packets, as `number`; valid until the next run. */
  numbers(run: PacketRun): Float64Array {
    const { length, places, words } = run;
    if (this.#numbers.length < length) this.#numbers = new Float64Array(places.length);
    const values = this.#numbers;
    const type = this.#type;
    if (!this.#onWords(run) || type === 'DOUBLE') this.#eachOf(run, (packet, i) => (values[i] = this.number(packet)));
    else if (WIDTH[type] === 4) {
      const word = this.#offset >> 2;
      if (type === 'INT32') for (let i = 0; i < length; i++) values[i] = words[places[i] + word];
      else for (let i = 0; i < length; i++) values[i] = words[places[i] + word] >>> 0;
    } else {
      const [high, low] = this.#wordsOf();
      const bits = type === 'INT64' ? 0 : 2 ** 32;
      for (let i = 0; i < length; i++) {
        const upper = words[places[i] + high];
        values[i] = (upper < 0 ? upper + bits : upper) * 2 ** 32 + (words[places[i] + low] >>> 0);
      }
    }
    return values.subarray(0, length);
  }

  /** The halves of the values of a run of packets, as `high` and `low` but signed; valid until the next run. */
  halves(run: PacketRun): Halves {
    const { length, places, words } = run;
    if (this.#halves.high.length < length)
      this.#halves = { high: new Int32Array(places.length), low: new Int32Array(places.length) };
    const { high, low } = this.#halves;
    if (this.#onWords(run) && WIDTH[this.#type] === 8) {
      const [upper, lower] = this.#wordsOf();
      for (let i = 0; i < length; i++) {
        high[i] = words[places[i] + upper];
        low[i] = words[places[i] + lower];
      }
    } else
      this.#eachOf(run, (packet, i) => {
        high[i] = this.high(packet);
        low[i] = this.low(packet);
      });
    return { high: high.subarray(0, length), low: low.subarray(0, length) };
  }

  /** Whether all packets of a run have the field, on words that need no turning. */
  #onWords({ least }: PacketRun): boolean {
    const width = WIDTH[this.#type];
    return this.#little === LITTLE && this.#offset % 4 === 0 && width >= 4 && this.#offset + width <= least;
  }

  #wordsOf(): readonly [high: number, low: number] {
    const first = this.#offset >> 2;
    return LITTLE ? [first + 1, first] : [first, first + 1];
  }

  #eachOf(run: PacketRun, take: (packet: Packet, i: number) => void): void {
    for (let i = 0; i < run.length; i++) take(packetIn(run, i), i);
  }
}
