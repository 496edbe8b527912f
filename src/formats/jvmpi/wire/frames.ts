/** Frames between Kansoku and the agent (docs/jvmpi-wire.md): numbers are little-endian, varints 7 bits a byte, the lowest first. */
import { decodeUtf8 } from '../../../base/text.js';

export const PROTOCOL = 1;
/** `KMPI` */
export const MAGIC = 0x49504d4b;
/** Length, kind, three bytes that are 0. */
export const FRAME_HEAD = 8;
/** Frames of the agent are shorter; a longer one is not of it. */
export const LONGEST_FRAME = 2 ** 28;

/** Kinds of frames: up to 15 from the agent, from 16 to it. */
export const FRAME = {
  hello: 1,
  block: 2,
  reply: 3,
  dropped: 4,
  hold: 5,
  part: 6,
  call: 16,
  credit: 17,
  release: 18,
  go: 19,
} as const;

/** Functions of CALL frames. */
export const CALL = {
  enable: 1,
  disable: 2,
  request: 3,
  trace: 4,
  exit: 5,
  cpuTime: 6,
  suspend: 7,
  resume: 8,
  status: 9,
  runGc: 10,
  threadObject: 11,
  methodClass: 12,
  available: 13,
} as const;

/** Bytes that the agent sent are not as agreed. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Reads numbers and texts one after another. Throws WireError at the end of the bytes. */
export class WireReader {
  readonly bytes: Uint8Array;
  at: number;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  #take(length: number): number {
    if (length > this.left) throw new WireError(`${length} bytes expected at ${this.at}, ${this.left} found`);
    const from = this.at;
    this.at += length;
    return from;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  /** A number below 2^53; larger ones lose their lowest bits. */
  varint(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 70; factor *= 128) {
      const byte = this.u8();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new WireError(`number of more than 10 bytes at ${this.at}`);
  }

  bigVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError(`number of more than 10 bytes at ${this.at}`);
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A text in modified UTF-8; undefined for NULL. */
  text(): string | undefined {
    const length = this.varint();
    if (length === 0) return undefined;
    const from = this.#take(length - 1);
    return decodeUtf8(this.bytes, from, this.at);
  }

  /** A count of parts that have at least one byte each, so that memory for them can be taken. */
  count(): number {
    const count = this.varint();
    if (count > this.left) throw new WireError(`${count} parts in ${this.left} bytes at ${this.at}`);
    return count;
  }

  part(length: number): Uint8Array {
    const from = this.#take(length);
    return this.bytes.slice(from, this.at);
  }
}

/** The varints of a call's arguments. */
export function varints(values: readonly number[]): number[] {
  const bytes: number[] = [];
  for (let value of values) {
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    bytes.push(value);
  }
  return bytes;
}

/** A whole frame. */
export function frame(kind: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(FRAME_HEAD + length);
  new DataView(bytes.buffer).setUint32(0, length, true);
  bytes[4] = kind;
  let at = FRAME_HEAD;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A number in four bytes. */
export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/** The number at a place that has four bytes. */
export function u32At(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true);
}

/** What the agent says first: the answers to the document's questions about a wire (§1.6), and where it runs. */
export interface Hello {
  readonly pid: number;
  /** Bytes of an id in the VM. */
  readonly idSize: number;
  readonly littleEndian: boolean;
  /** False if the agent was loaded at the start of the VM. */
  readonly live: boolean;
  /** Ns of the steady clock and of the wall clock at the same moment. */
  readonly steady: bigint;
  readonly wall: bigint;
  readonly token: string;
  readonly vmName: string;
  readonly vmVersion: string;
}

/** Throws WireError if this is no hello of our agent. */
export function readHello(bytes: Uint8Array): Hello {
  const from = new WireReader(bytes);
  if (from.u32() !== MAGIC) throw new WireError('no hello of the agent');
  const protocol = from.u32();
  if (protocol !== PROTOCOL) throw new WireError(`protocol ${protocol} of the agent, expected ${PROTOCOL}`);
  const pid = from.u32();
  from.u32();
  const [idSize, littleEndian, live] = [from.u8(), from.u8() === 1, from.u8() === 1];
  from.u8();
  const [steady, wall] = [from.u64(), from.u64()];
  const [token = '', vmName = '', vmVersion = ''] = [from.text(), from.text(), from.text()];
  return { pid, idSize, littleEndian, live, steady, wall, token, vmName, vmVersion };
}
