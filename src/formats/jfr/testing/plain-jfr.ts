/**
 * A second reading of recordings, in the plainest way: an object an event, numbers of any size, values by name. It stops at the first
 * byte that is not as it must be. Shares no code with the reader.
 */

/** A key of the pool of the type that the field has in the metadata. */
export class PlainReference {
  constructor(
    readonly type: string,
    readonly key: bigint,
  ) {}
}

export type PlainValue = bigint | number | string | null | PlainReference | PlainValue[] | PlainStruct;
export interface PlainStruct {
  [field: string]: PlainValue;
}

interface PlainField {
  readonly name: string;
  readonly type: bigint;
  readonly pooled: boolean;
  readonly array: boolean;
}

interface PlainType {
  readonly id: bigint;
  readonly name: string;
  readonly isEvent: boolean;
  readonly fields: readonly PlainField[];
}

export interface PlainEvent {
  readonly type: string;
  /** Undefined if the values do not match the metadata. */
  readonly values: PlainStruct | undefined;
}

export interface PlainChunk {
  readonly startTicks: bigint;
  readonly ticksPerSecond: bigint;
  readonly events: readonly PlainEvent[];
  /** By name of the type, then key. */
  readonly pools: ReadonlyMap<string, ReadonlyMap<bigint, PlainValue>>;
}

export interface PlainFile {
  readonly chunks: readonly PlainChunk[];
  /** Where the file is not as it must be; -1 if it is throughout. */
  readonly broken: number;
  /** Offsets of events. */
  readonly edges: readonly number[];
}

class Broken extends Error {}

interface Node {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Node[];
}

class Reader {
  readonly view: DataView;
  readonly compressed: boolean;
  at: number;
  end: number;

  constructor(bytes: Uint8Array, compressed: boolean, at: number, end: number) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.compressed = compressed;
    this.at = at;
    this.end = end;
  }

  byte(): number {
    if (this.at >= this.end) throw new Broken('end');
    return this.view.getUint8(this.at++);
  }

  unsigned(size: number): bigint {
    let value = 0n;
    if (!this.compressed) {
      for (let i = 0; i < size; i++) value = (value << 8n) | BigInt(this.byte());
      return value;
    }
    for (let i = 0n; i < 9n; i++) {
      const byte = BigInt(this.byte());
      value |= (i === 8n ? byte : byte & 0x7fn) << (7n * i);
      if (i === 8n || byte < 0x80n) break;
    }
    return value;
  }

  int(): number {
    return Number(BigInt.asIntN(32, this.unsigned(4)));
  }

  long(): bigint {
    return BigInt.asIntN(64, this.unsigned(8));
  }

  take(length: number): Uint8Array {
    if (length < 0 || this.at + length > this.end) throw new Broken('length');
    const bytes = new Uint8Array(this.view.buffer, this.view.byteOffset + this.at, length);
    this.at += length;
    return bytes;
  }

  /** A text, a key of the pool of strings, or null. */
  string(): PlainValue {
    const tag = this.byte();
    if (tag === 0) return null;
    if (tag === 1) return '';
    if (tag === 2) return this.long();
    if (tag === 3) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.take(this.int()));
    if (tag === 5) return Array.from(this.take(this.int()), (byte) => String.fromCharCode(byte)).join('');
    if (tag !== 4) throw new Broken('encoding');
    const length = this.int();
    if (length < 0 || length > this.end - this.at) throw new Broken('length');
    let text = '';
    for (let i = 0; i < length; i++) text += String.fromCharCode(Number(this.unsigned(2) & 0xffffn));
    return text;
  }
}

/** Reads all chunks up to the first place that is broken. */
export function plainJfr(bytes: Uint8Array): PlainFile {
  const chunks: PlainChunk[] = [];
  const edges: number[] = [];
  let at = 0;
  try {
    while (at < bytes.length || at === 0) {
      const { chunk, size } = readChunk(bytes, at, edges);
      chunks.push(chunk);
      at += size;
    }
    return { chunks, broken: -1, edges };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { chunks, broken: at, edges };
  }
}

function readChunk(bytes: Uint8Array, at: number, edges: number[]): { chunk: PlainChunk; size: number } {
  if (bytes.length < at + 68) throw new Broken('header');
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at);
  const major = view.getUint16(4);
  if (view.getUint32(0) !== 0x464c5200 || major < 1 || major > 2 || view.getUint8(64) !== 0) throw new Broken('header');
  const size = Number(view.getBigInt64(8));
  const metadataAt = Number(view.getBigInt64(24));
  const ticksPerSecond = view.getBigInt64(56);
  if (size < 68 || size > bytes.length - at || metadataAt < 68 || ticksPerSecond <= 0n) throw new Broken('header');
  const compressed = (view.getUint8(67) & 1) === 1;
  const types = readMetadata(bytes, at + metadataAt, compressed);
  const pools = new Map<string, Map<bigint, PlainValue>>();
  const events: PlainEvent[] = [];
  for (let offset = at + 68; offset < at + size; ) {
    edges.push(offset);
    const reader = new Reader(bytes, compressed, offset, at + size);
    const length = reader.int() >>> 0;
    const id = reader.long();
    if (length <= reader.at - offset || length > at + size - offset) throw new Broken('size');
    reader.end = offset + length;
    offset += length;
    if (id === 0n) continue;
    if (id === 1n) {
      readCheckpoint(reader, types, pools);
      continue;
    }
    const type = types.get(id);
    if (type?.isEvent !== true) throw new Broken('type');
    events.push({ type: type.name, values: valuesOf(reader, type, types) });
  }
  return { chunk: { startTicks: view.getBigInt64(48), ticksPerSecond, events, pools }, size };
}

function valuesOf(reader: Reader, type: PlainType, types: ReadonlyMap<bigint, PlainType>): PlainStruct | undefined {
  try {
    return readStruct(reader, type, types, 0);
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return undefined;
  }
}

function readMetadata(bytes: Uint8Array, at: number, compressed: boolean): Map<bigint, PlainType> {
  const reader = new Reader(bytes, compressed, at, bytes.length);
  const size = reader.int();
  if (reader.long() !== 0n || size <= 0 || at + size > bytes.length) throw new Broken('metadata');
  reader.end = at + size;
  for (let i = 0; i < 3; i++) reader.long();
  const count = reader.int();
  if (count < 0) throw new Broken('strings');
  const strings: string[] = [];
  for (let i = 0; i < count; i++) {
    const text = reader.string();
    strings.push(typeof text === 'string' ? text : '');
  }
  const root = readNode(reader, strings, 1);
  const classes = root.children.filter(({ name }) => name === 'metadata').flatMap(({ children }) => children);
  const found = classes.filter(({ name }) => name === 'class');
  if (found.length === 0) throw new Broken('metadata');
  const types = new Map<bigint, PlainType>();
  for (const node of found) {
    const id = textOf(node, 'id');
    if (!/^\d+$/.test(id)) continue;
    const fields = node.children.filter(({ name }) => name === 'field').map((field) => textOf(field, 'name'));
    if (types.has(BigInt(id)) || new Set(fields).size < fields.length) throw new Broken('metadata');
    types.set(BigInt(id), {
      id: BigInt(id),
      name: textOf(node, 'name'),
      isEvent: textOf(node, 'superType') === 'jdk.jfr.Event',
      fields: node.children
        .filter(({ name }) => name === 'field')
        .map((field) => ({
          name: textOf(field, 'name'),
          type: idOf(field, 'class'),
          pooled: textOf(field, 'constantPool') === 'true',
          array: !['', '0'].includes(textOf(field, 'dimension')),
        })),
    });
  }
  return types;
}

function textOf({ attributes }: Node, key: string): string {
  return attributes.get(key) ?? '';
}

/** -1 for what is no id. */
function idOf(node: Node, key: string): bigint {
  const text = textOf(node, key);
  return /^\d+$/.test(text) ? BigInt(text) : -1n;
}

function readNode(reader: Reader, strings: readonly string[], depth: number): Node {
  if (depth > 16) throw new Broken('depth');
  const text = (): string => {
    const found = strings[reader.int()];
    if (found === undefined) throw new Broken('string');
    return found;
  };
  const name = text();
  const attributes = new Map<string, string>();
  const count = reader.int();
  if (count < 0) throw new Broken('attributes');
  for (let i = 0; i < count; i++) attributes.set(text(), text());
  const children: Node[] = [];
  for (let i = reader.int(); i > 0; i--) children.push(readNode(reader, strings, depth + 1));
  return { name, attributes, children };
}

function readCheckpoint(
  reader: Reader,
  types: ReadonlyMap<bigint, PlainType>,
  pools: Map<string, Map<bigint, PlainValue>>,
): void {
  for (let i = 0; i < 3; i++) reader.long();
  reader.byte();
  for (let left = reader.int(); left > 0; left--) {
    const id = reader.long();
    const count = reader.int();
    if (count === 0) continue;
    const type = types.get(id);
    if (type === undefined || count < 0) throw new Broken('pool');
    const pool = pools.get(type.name) ?? new Map<bigint, PlainValue>();
    pools.set(type.name, pool);
    for (let i = 0; i < count; i++) {
      const key = reader.long();
      const value = type.name === 'java.lang.String' ? reader.string() : readStruct(reader, type, types, 0);
      if (!pool.has(key)) pool.set(key, value);
    }
  }
}

function readStruct(
  reader: Reader,
  { fields }: PlainType,
  types: ReadonlyMap<bigint, PlainType>,
  depth: number,
): PlainStruct {
  if (depth > 16) throw new Broken('depth');
  const values: PlainStruct = {};
  for (const field of fields) {
    if (!field.array) {
      const value = readValue(reader, field, types, depth);
      // Of fields with one name the first counts.
      if (!(field.name in values)) values[field.name] = value;
      continue;
    }
    const elements: PlainValue[] = [];
    const count = reader.int();
    if (count < 0 || count > reader.end - reader.at) throw new Broken('count');
    const from = reader.at;
    for (let i = 0; i < count; i++) elements.push(readValue(reader, field, types, depth));
    // Nothing bounds the number of elements that take no bytes.
    if (count > 0 && reader.at === from) throw new Broken('count');
    if (!(field.name in values)) values[field.name] = elements;
  }
  return values;
}

function readValue(
  reader: Reader,
  { type, pooled }: PlainField,
  types: ReadonlyMap<bigint, PlainType>,
  depth: number,
): PlainValue {
  const known = types.get(type);
  if (known === undefined) throw new Broken('type');
  if (pooled) return new PlainReference(known.name, reader.long());
  switch (known.name) {
    case 'boolean':
      return reader.byte() === 0 ? 0 : 1;
    case 'byte':
      return reader.byte();
    case 'short':
    case 'char':
      return Number(reader.unsigned(2) & 0xffffn);
    case 'int':
      return reader.int();
    case 'long':
      return reader.long();
    case 'float':
      return new DataView(reader.take(4).slice().buffer).getFloat32(0);
    case 'double':
      return new DataView(reader.take(8).slice().buffer).getFloat64(0);
    case 'java.lang.String':
      return reader.string();
    default:
      return readStruct(reader, known, types, depth + 1);
  }
}
