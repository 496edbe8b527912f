/**
 * A second reader of binary HPROF for tests: the whole file in memory, an object a record. Written after the format's
 * description, for intact files of all versions.
 */
import * as tags from '../tags.js';

export interface PlainRecord {
  readonly tag: number;
  /** Offsets of the body. */
  readonly from: number;
  readonly to: number;
}

/** A sub-record; `values` are elements of arrays, else raw bytes of an instance. */
export interface PlainSub {
  readonly tag: number;
  readonly id: number;
  readonly numbers: readonly number[];
  readonly class?: number;
  readonly type?: number;
  readonly values?: readonly number[];
}

class Cursor {
  at = 0;
  readonly #view: DataView;
  readonly #idSize: number;

  constructor(bytes: Uint8Array, idSize: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#idSize = idSize;
  }

  get end(): boolean {
    return this.at >= this.#view.byteLength;
  }

  number(size: number): number {
    const at = this.at;
    this.at += size;
    if (size === 8) return this.#view.getUint32(at) * 2 ** 32 + this.#view.getUint32(at + 4);
    return size === 4 ? this.#view.getUint32(at) : size === 2 ? this.#view.getUint16(at) : this.#view.getUint8(at);
  }

  id(): number {
    return this.number(this.#idSize);
  }

  list(count: number, size: number): number[] {
    return Array.from({ length: count }, () => this.number(size));
  }
}

const U4_AFTER_ROOT = new Map([
  [0xff, 0],
  [0x02, 2],
  [0x03, 2],
  [0x04, 1],
  [0x05, 0],
  [0x06, 1],
  [0x07, 0],
  [0x08, 2],
  [0x89, 0],
  [0x8a, 0],
  [0x8b, 0],
  [0x8c, 0],
  [0x8d, 0],
  [0x8e, 2],
  [0x90, 0],
]);
const SIZE_OF_CHARACTER = new Map(Object.entries({ Z: 1, C: 2, F: 4, D: 8, B: 1, S: 2, I: 4, J: 8 }));
const SIZE_OF_CODE = [0, 0, 0, 0, 1, 2, 4, 8, 1, 2, 4, 8];

/** Version, size of ids, and the records of the file. */
export function plainRecords(bytes: Uint8Array): { version: string; idSize: number; records: PlainRecord[] } {
  const nul = bytes.indexOf(0);
  const version = String.fromCharCode(...bytes.subarray('JAVA PROFILE '.length, nul));
  const cursor = new Cursor(bytes, 4);
  cursor.at = nul + 1;
  const idSize = cursor.number(4);
  cursor.at += 8;
  const records: PlainRecord[] = [];
  while (!cursor.end) {
    const tag = cursor.number(1);
    cursor.at += 4;
    const length = cursor.number(4);
    records.push({ tag, from: cursor.at, to: cursor.at + length });
    cursor.at += length;
  }
  return { version, idSize, records };
}

/** The bytes of all heap records together: sub-records may go on behind the end of a record. */
export function plainHeapBytes(bytes: Uint8Array): Uint8Array {
  const heap = plainRecords(bytes).records.filter(({ tag }) => tag === 0x0c || tag === 0x1c);
  return Uint8Array.from(heap.flatMap(({ from, to }) => [...bytes.subarray(from, to)]));
}

/** All sub-records of the file in order, of all its dumps. */
export function plainSubs(bytes: Uint8Array): PlainSub[] {
  const { version, idSize } = plainRecords(bytes);
  const cursor = new Cursor(plainHeapBytes(bytes), idSize);
  const subs: PlainSub[] = [];
  while (!cursor.end) subs.push(readSub(cursor, version === '1.0', idSize));
  return subs;
}

function readSub(cursor: Cursor, old: boolean, idSize: number): PlainSub {
  const tag = cursor.number(1);
  if (tag === tags.HEAP_DUMP_INFO) return { tag, numbers: [cursor.number(4)], id: cursor.id() };
  const id = cursor.id();
  if (tag === tags.ROOT_JNI_GLOBAL) return { tag, id, numbers: [cursor.id()] };
  const count = U4_AFTER_ROOT.get(tag);
  if (count !== undefined) return { tag, id, numbers: cursor.list(count, 4) };
  if (tag === tags.CLASS_DUMP) return { tag, id, ...classBody(cursor, old, idSize) };
  const trace = cursor.number(4);
  if (tag === tags.INSTANCE_DUMP) {
    const type = cursor.id();
    return { tag, id, class: type, numbers: [trace], values: cursor.list(cursor.number(4), 1) };
  }
  const length = cursor.number(4);
  if (tag === tags.OBJECT_ARRAY_DUMP) {
    const type = cursor.id();
    if (old && type >= 4 && type <= 11)
      return { tag, id, type, numbers: [trace], values: cursor.list(length, SIZE_OF_CODE[type] ?? 0) };
    return { tag, id, class: type, numbers: [trace], values: cursor.list(length, idSize) };
  }
  const type = cursor.number(1);
  if (tag === tags.PRIMITIVE_ARRAY_NODATA) return { tag, id, type, numbers: [trace, length] };
  if (tag !== tags.PRIMITIVE_ARRAY_DUMP) throw new Error(`sub-record ${tag}`);
  return { tag, id, type, numbers: [trace], values: cursor.list(length, SIZE_OF_CODE[type] ?? 0) };
}

/** `numbers`: trace, superclass, loader, signers, domain, bytes; then of each member: name, type and value of a static. */
function classBody(cursor: Cursor, old: boolean, idSize: number): { numbers: number[]; values: number[] } {
  const numbers = [cursor.number(4), ...cursor.list(4, idSize)];
  cursor.list(2, idSize);
  numbers.push(cursor.number(4));
  const typed = (): number[] => {
    const code = cursor.number(1);
    const size = old ? (SIZE_OF_CHARACTER.get(String.fromCharCode(code)) ?? idSize) : SIZE_OF_CODE[code] || idSize;
    return [code, cursor.number(size)];
  };
  const values: number[] = [];
  for (let constants = cursor.number(2); constants > 0; constants--) values.push(cursor.number(2), ...typed());
  for (let statics = cursor.number(2); statics > 0; statics--) values.push(cursor.id(), ...typed());
  for (let fields = cursor.number(2); fields > 0; fields--) values.push(cursor.id(), cursor.number(1));
  return { numbers, values };
}
