/**
 * A second reading of binary HPROF, as plain as can be: by the lengths that records have, up to the first that cannot be one. The
 * tests compare the reader with it.
 */
import { decodeUtf8 } from '../../../../base/text.js';

export interface PlainRecord {
  readonly tag: number;
  readonly offset: number;
  readonly length: number;
}

export interface PlainFrame {
  readonly method: bigint;
  readonly signature: bigint;
  readonly source: bigint;
  readonly of: number;
  readonly line: number;
}

export interface PlainTrace {
  readonly serial: number;
  readonly thread: number;
  readonly frames: readonly bigint[];
}

export interface PlainTable {
  readonly offset: number;
  readonly totals: readonly number[];
  /** Samples: count, trace. Sites: type, class, trace, and four values. */
  readonly rows: readonly (readonly number[])[];
}

export interface PlainFile {
  readonly version: string;
  readonly idSize: number;
  readonly created: number;
  readonly records: readonly PlainRecord[];
  /** Where the first record is that cannot be one; -1 if all can. */
  readonly broken: number;
  /** Offsets of records that announce another number of elements than they have room for. */
  readonly miscounted: readonly number[];
  readonly names: ReadonlyMap<bigint, string>;
  readonly classes: ReadonlyMap<number, { readonly id: bigint; readonly name: bigint }>;
  readonly frames: ReadonlyMap<bigint, PlainFrame>;
  readonly traces: readonly PlainTrace[];
  readonly starts: readonly {
    readonly serial: number;
    readonly object: bigint;
    readonly name: bigint;
    readonly group: bigint;
  }[];
  readonly ends: readonly number[];
  readonly samples: readonly PlainTable[];
  readonly sites: readonly PlainTable[];
  readonly depth: number | undefined;
}

/** Fixed part, and element, of each record whose tag is known. */
function lengthsOf(idSize: number): ReadonlyMap<number, readonly [number, number]> {
  return new Map([
    [0x01, [idSize, 1]],
    [0x02, [8 + 2 * idSize, 0]],
    [0x03, [4, 0]],
    [0x04, [8 + 4 * idSize, 0]],
    [0x05, [12, idSize]],
    [0x06, [34, 25]],
    [0x07, [24, 0]],
    [0x0a, [8 + 4 * idSize, 0]],
    [0x0b, [4, 0]],
    [0x0c, [0, 1]],
    [0x0d, [8, 8]],
    [0x0e, [6, 0]],
    [0x10, [0, 1]],
    [0x11, [0, 1]],
    [0x1c, [0, 1]],
    [0x2c, [0, 0]],
  ]);
}

/** Undefined for a file without a whole head. */
export function plainRecords(bytes: Uint8Array): PlainFile | undefined {
  const file = Buffer.from(bytes);
  const head = /^JAVA PROFILE (1\.0(?:\.[123])?)\0/.exec(file.toString('latin1', 0, 20));
  if (head === null || file.length < head[0].length + 12) return undefined;
  const idSize = file.readUInt32BE(head[0].length);
  if (idSize !== 4 && idSize !== 8) return undefined;
  const created = Number(file.readBigUInt64BE(head[0].length + 4));
  const reading = new PlainReading(file, idSize);
  const records: PlainRecord[] = [];
  const lengths = lengthsOf(idSize);
  let broken = -1;
  for (let at = head[0].length + 12; at < file.length; ) {
    const whole = at + 9 <= file.length;
    const [fixed, each] = (whole ? lengths.get(file.readUInt8(at)) : undefined) ?? [-1, 0];
    const length = whole ? file.readUInt32BE(at + 5) : 0;
    const fits = fixed >= 0 && length >= fixed && (each === 0 ? length === fixed : (length - fixed) % each === 0);
    if (!fits || at + 9 + length > file.length) {
      broken = at;
      break;
    }
    const record = { tag: file.readUInt8(at), offset: at, length };
    records.push(record);
    reading.take(record);
    at += 9 + length;
  }
  return { version: head[1] ?? '', idSize, created, records, broken, ...reading.found };
}

interface Found {
  readonly names: Map<bigint, string>;
  readonly classes: Map<number, { id: bigint; name: bigint }>;
  readonly frames: Map<bigint, PlainFrame>;
  readonly traces: PlainTrace[];
  readonly starts: { serial: number; object: bigint; name: bigint; group: bigint }[];
  readonly ends: number[];
  readonly samples: PlainTable[];
  readonly sites: PlainTable[];
  readonly miscounted: number[];
  depth: number | undefined;
}

class PlainReading {
  readonly #file: Buffer;
  readonly #idSize: number;
  readonly found: Found = {
    names: new Map(),
    classes: new Map(),
    frames: new Map(),
    traces: [],
    starts: [],
    ends: [],
    samples: [],
    sites: [],
    miscounted: [],
    depth: undefined,
  };

  constructor(file: Buffer, idSize: number) {
    this.#file = file;
    this.#idSize = idSize;
  }

  #id(at: number): bigint {
    return this.#idSize === 8 ? this.#file.readBigUInt64BE(at) : BigInt(this.#file.readUInt32BE(at));
  }

  take({ tag, offset, length }: PlainRecord): void {
    const { found } = this;
    const file = this.#file;
    const id = this.#idSize;
    const at = offset + 9;
    const u4 = (place: number): number => file.readUInt32BE(place);
    if (tag === 0x01 && this.#id(at) !== 0n && !found.names.has(this.#id(at)))
      found.names.set(this.#id(at), decodeUtf8(file, at + id, at + length));
    if (tag === 0x02 && !found.classes.has(u4(at)))
      found.classes.set(u4(at), { id: this.#id(at + 4), name: this.#id(at + 8 + id) });
    if (tag === 0x04 && !found.frames.has(this.#id(at))) {
      const [method, signature, source] = [1, 2, 3].map((i) => this.#id(at + i * id));
      const frame = { method: method ?? 0n, signature: signature ?? 0n, source: source ?? 0n };
      found.frames.set(this.#id(at), { ...frame, of: u4(at + 4 * id), line: file.readInt32BE(at + 4 * id + 4) });
    }
    if (tag === 0x05) {
      const places = this.#elements(offset, u4(at + 8), (length - 12) / id);
      const frames = Array.from({ length: places }, (_, i) => this.#id(at + 12 + i * id));
      found.traces.push({ serial: u4(at), thread: u4(at + 4), frames });
    }
    if (tag === 0x0a) {
      const name = at + 8 + id;
      found.starts.push({ serial: u4(at), object: this.#id(at + 4), name: this.#id(name), group: this.#id(name + id) });
    }
    if (tag === 0x0b) found.ends.push(u4(at));
    if (tag === 0x0e) found.depth ??= file.readUInt16BE(at + 4);
    if (tag === 0x0d) {
      const count = this.#elements(offset, u4(at + 4), (length - 8) / 8);
      const rows = Array.from({ length: count }, (_, i) => [u4(at + 8 + i * 8), u4(at + 12 + i * 8)]);
      found.samples.push({ offset, totals: [u4(at)], rows });
    }
    if (tag === 0x06) this.#sites(offset, length);
  }

  #sites(offset: number, length: number): void {
    const file = this.#file;
    const at = offset + 9;
    const wide = (place: number): number => Number(file.readBigUInt64BE(place));
    const totals = [file.readUInt32BE(at + 6), file.readUInt32BE(at + 10), wide(at + 14), wide(at + 22)];
    const count = this.#elements(offset, file.readUInt32BE(at + 30), (length - 34) / 25);
    const rows = Array.from({ length: count }, (_, i) => {
      const row = at + 34 + i * 25;
      return [file.readUInt8(row), ...[0, 1, 2, 3, 4, 5].map((j) => file.readUInt32BE(row + 1 + j * 4))];
    });
    this.found.sites.push({ offset, totals, rows });
  }

  #elements(offset: number, announced: number, there: number): number {
    if (announced !== there) this.found.miscounted.push(offset);
    return Math.min(announced, there);
  }
}
