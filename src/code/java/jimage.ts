/**
 * jimage, the container of the JDK's own classes (`lib/modules`, since JDK 9). The format is that of the JDK's
 * `jdk.internal.jimage`: a header of seven 32-bit numbers in the byte order of the machine, a perfect hash of paths
 * (redirects and offsets of locations), locations as streams of attributes, strings in modified UTF-8, then the content.
 *
 * Cost: the index is read whole and checked (1.5 MB for the 29,441 resources of JDK 17), 44 bytes a resource beside it;
 * content is read when asked for. Resources whose numbers cannot be are left out and told with the offset of the number.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog, type Problems } from '../../base/problems.js';
import { decodeUtf8, encodeUtf8 } from '../../base/text.js';
import type { RandomSource } from '../../bytes/byte-source.js';

const MAGIC = 0xcafedada;
const HEADER_BYTES = 28;
/** Indexes of real images have a few MB. */
const LARGEST_INDEX = 1 << 30;
const HASH_MULTIPLIER = 0x01000193;
const SLASH = 0x2f;
const DOT = 0x2e;

/** Kinds of attributes of a location. */
const MODULE = 1;
const PARENT = 2;
const BASE = 3;
const EXTENSION = 4;
const OFFSET = 5;
const STORED = 6;
const SIZE = 7;

export interface JImageHeader {
  readonly littleEndian: boolean;
  readonly flags: number;
  /** Resources as the header counts them. */
  readonly resources: number;
  /** Slots of the hash table. */
  readonly slots: number;
  readonly locationBytes: number;
  readonly stringBytes: number;
  /** Bytes of the index with its header: where the content begins. */
  readonly indexBytes: number;
}

/** Whether an input begins like a jimage of either byte order. */
export function isJImage(head: Uint8Array): boolean {
  return head.length >= 4 && littleEndianOf(head) !== undefined;
}

function littleEndianOf(head: Uint8Array): boolean | undefined {
  const view = new DataView(head.buffer, head.byteOffset);
  if (view.getUint32(0, true) === MAGIC) return true;
  return view.getUint32(0, false) === MAGIC ? false : undefined;
}

/** Resources of an image, a row each, in the order of the hash table. */
export interface Resources {
  readonly length: number;
  /** Offsets into the strings; 0 is the empty string. */
  readonly module: Int32Array;
  readonly parent: Int32Array;
  readonly base: Int32Array;
  readonly extension: Int32Array;
  /** Where the content begins in the file. */
  readonly start: Float64Array;
  /** Bytes in the file. */
  readonly stored: Float64Array;
  /** Bytes of the content; those in the file where `compressed` is 0. */
  readonly size: Float64Array;
  readonly compressed: Uint8Array;
}

/** An image whose index is in memory. */
export class JImage {
  readonly source: RandomSource;
  readonly header: JImageHeader;
  readonly resources: Resources;
  readonly problems: Problems;
  readonly strings: Uint8Array;
  readonly #redirects: Int32Array;
  /** Row of each slot, or -1. */
  readonly #rows: Int32Array;
  /** All strings decoded at once: possible where each byte is a character. */
  readonly #text: string | undefined;

  private constructor(source: RandomSource, header: JImageHeader, index: Uint8Array) {
    this.source = source;
    this.header = header;
    const { slots, locationBytes, littleEndian } = header;
    const locationsAt = HEADER_BYTES + 8 * slots;
    this.#redirects = integers(index, HEADER_BYTES, slots, littleEndian);
    this.strings = index.subarray(locationsAt + locationBytes);
    this.#text = isAscii(this.strings) ? new TextDecoder().decode(this.strings) : undefined;
    const log = new ProblemLog();
    checkStrings(header, this.strings, log);
    const reading = readLocations(source, header, index, log);
    this.resources = reading.resources;
    this.#rows = reading.rows;
    if (this.resources.length !== header.resources)
      log.add({
        code: 'jimage-count',
        severity: 'warning',
        message: `${source.name}: the header counts ${header.resources} resources, ${this.resources.length} can be read`,
        offset: 12,
      });
    this.#checkSlots(log);
    this.problems = log.finish();
  }

  /** Reads the index. Throws `FormatError` where there is none or it is not whole. */
  static async open(source: RandomSource): Promise<JImage> {
    const head = new Uint8Array(HEADER_BYTES);
    const count = await source.readAt(0, head);
    const header = parseHeader(head.subarray(0, count), source.size);
    const index = new Uint8Array(header.indexBytes);
    const present = await source.readAt(0, index);
    if (present < index.length)
      throw broken(present, `an index of ${index.length} bytes`, 'the end of the file', CUT_ADVICE);
    return new JImage(source, header, index);
  }

  /** The string at an offset of the string table. */
  string(offset: number): string {
    if (this.#text !== undefined) {
      const end = this.#text.indexOf('\0', offset);
      return this.#text.slice(offset, end < 0 ? undefined : end);
    }
    return decodeUtf8(this.strings, offset, this.stringEnd(offset));
  }

  /** Where the string at an offset ends in the string table. */
  stringEnd(offset: number): number {
    const end = this.strings.indexOf(0, offset);
    return end < 0 ? this.strings.length : end;
  }

  /** `/module/parent/base.extension` of a row, as `jimage` and the hash have it. */
  path(row: number): string {
    const { module, parent, base, extension } = this.resources;
    const parts = [
      module[row] === 0 ? '' : `/${this.string(module[row])}/`,
      parent[row] === 0 ? '' : `${this.string(parent[row])}/`,
      this.string(base[row]),
      extension[row] === 0 ? '' : `.${this.string(extension[row])}`,
    ];
    return parts.join('');
  }

  /** The row of the resource at a path; -1 where there is none. */
  find(path: string): number {
    const bytes = encodeUtf8(path);
    const row = this.#rows[this.#slotOf((seed) => hash(bytes, 0, bytes.length, seed))] ?? -1;
    return row >= 0 && this.path(row) === path ? row : -1;
  }

  /** The slot that a path leads to, given its hash by seed; -1 where it leads to none. */
  #slotOf(hashBy: (seed: number) => number): number {
    const { slots } = this.header;
    if (slots === 0) return -1;
    const redirect = this.#redirects[(hashBy(HASH_MULTIPLIER) & 0x7fffffff) % slots];
    if (redirect === 0) return -1;
    return redirect < 0 ? -1 - redirect : (hashBy(redirect) & 0x7fffffff) % slots;
  }

  /**
   * Each resource must lie where its own path leads, which finds nearly any damage to redirects, locations and names.
   * Damaged ones are kept: the class file says what it is.
   */
  #checkSlots(log: ProblemLog): void {
    let row = 0;
    const hashBy = (seed: number): number => this.#pathHash(row, seed);
    for (let slot = 0; slot < this.header.slots; slot++) {
      row = this.#rows[slot];
      if (row < 0 || this.#slotOf(hashBy) === slot) continue;
      log.add({
        code: 'jimage-hash',
        severity: 'warning',
        message: `${this.source.name}: ${this.path(row)} lies in slot ${slot}, its path leads elsewhere: its name or the table of the image is damaged`,
        offset: HEADER_BYTES + 4 * (this.header.slots + slot),
      });
    }
  }

  /** The hash of `path(row)`, made without the string. */
  #pathHash(row: number, seed: number): number {
    const { module, parent, base, extension } = this.resources;
    let value = seed;
    if (module[row] !== 0) value = hashByte(this.#stringHash(module[row], hashByte(value, SLASH)), SLASH);
    if (parent[row] !== 0) value = hashByte(this.#stringHash(parent[row], value), SLASH);
    value = this.#stringHash(base[row], value);
    return extension[row] === 0 ? value : this.#stringHash(extension[row], hashByte(value, DOT));
  }

  #stringHash(offset: number, seed: number): number {
    return hash(this.strings, offset, this.strings.length, seed);
  }
}

const CUT_ADVICE = 'The file is cut off or damaged: copy it again.';

function broken(offset: number, expected: string, found: string, advice?: string): FormatError {
  return new FormatError({ format: 'jimage', offset, expected, found, ...(advice === undefined ? {} : { advice }) });
}

function parseHeader(head: Uint8Array, fileSize: number): JImageHeader {
  const littleEndian = head.length < 4 ? undefined : littleEndianOf(head);
  if (littleEndian === undefined) throw broken(0, 'the mark CAFEDADA in either byte order', 'something else');
  if (head.length < HEADER_BYTES) throw broken(head.length, '28 bytes of header', 'the end of the file', CUT_ADVICE);
  const view = new DataView(head.buffer, head.byteOffset);
  const number = (at: number): number => view.getUint32(at, littleEndian);
  const [major, minor] = [number(4) >>> 16, number(4) & 0xffff];
  if (major !== 1 || minor !== 0) throw broken(4, 'version 1.0', `version ${major}.${minor}`);
  const [slots, locationBytes, stringBytes] = [number(16), number(20), number(24)];
  const indexBytes = HEADER_BYTES + 8 * slots + locationBytes + stringBytes;
  if (indexBytes > fileSize || indexBytes > LARGEST_INDEX) {
    const found = `${slots} slots, ${locationBytes} bytes of locations and ${stringBytes} of strings`;
    throw broken(16, `an index that fits into the file of ${fileSize} bytes`, found, CUT_ADVICE);
  }
  return { littleEndian, flags: number(8), resources: number(12), slots, locationBytes, stringBytes, indexBytes };
}

function integers(bytes: Uint8Array, at: number, count: number, littleEndian: boolean): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Int32Array.from({ length: count }, (_, i) => view.getInt32(at + 4 * i, littleEndian));
}

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte > 0x7f) return false;
  return true;
}

/** The JDK's hash of a run of bytes, up to the first 0: products, joined with bytes by exclusive or. */
function hash(bytes: Uint8Array, from: number, to: number, seed: number): number {
  let value = seed;
  for (let i = from; i < to && bytes[i] !== 0; i++) value = hashByte(value, bytes[i]);
  return value;
}

function hashByte(value: number, byte: number): number {
  return Math.imul(value, HASH_MULTIPLIER) ^ byte;
}

function checkStrings(header: JImageHeader, strings: Uint8Array, log: ProblemLog): void {
  if (strings.length === 0 || strings[strings.length - 1] === 0) return;
  log.add({
    code: 'jimage-string',
    severity: 'error',
    message: 'the last string of the image has no end',
    offset: header.indexBytes - 1,
  });
}

/** Reads the locations of all slots. Slots whose location cannot be are told and left out. */
function readLocations(
  source: RandomSource,
  header: JImageHeader,
  index: Uint8Array,
  log: ProblemLog,
): { resources: Resources; rows: Int32Array } {
  const { slots } = header;
  const offsets = integers(index, HEADER_BYTES + 4 * slots, slots, header.littleEndian);
  const locationsAt = HEADER_BYTES + 8 * slots;
  const reader = new LocationReader(index, locationsAt, locationsAt + header.locationBytes);
  const strings = (): Int32Array => new Int32Array(slots);
  const columns = { module: strings(), parent: strings(), base: strings(), extension: strings() };
  const [start, stored, size] = [new Float64Array(slots), new Float64Array(slots), new Float64Array(slots)];
  const compressed = new Uint8Array(slots);
  const rows = new Int32Array(slots).fill(-1);
  let length = 0;
  for (let slot = 0; slot < slots; slot++) {
    const values = reader.read(offsets[slot] >>> 0);
    const wrong = typeof values === 'string' ? values : impossible(values, header, source.size);
    if (wrong !== '') {
      log.add({
        code: 'jimage-location',
        severity: 'error',
        message: `${source.name}: slot ${slot} of the image: ${wrong}; it is left out`,
        offset: reader.at,
      });
    } else if (typeof values !== 'string' && values[BASE] !== 0) {
      columns.module[length] = values[MODULE];
      columns.parent[length] = values[PARENT];
      columns.base[length] = values[BASE];
      columns.extension[length] = values[EXTENSION];
      start[length] = header.indexBytes + values[OFFSET];
      stored[length] = storedBytes(values);
      size[length] = values[SIZE];
      compressed[length] = values[STORED] === 0 ? 0 : 1;
      rows[slot] = length++;
    }
  }
  return { resources: { length, ...columns, start, stored, size, compressed }, rows };
}

function storedBytes(values: Float64Array): number {
  return values[STORED] === 0 ? values[SIZE] : values[STORED];
}

/** Why a location cannot be; empty where it can. */
function impossible(values: Float64Array, header: JImageHeader, fileSize: number): string {
  for (let kind = MODULE; kind <= EXTENSION; kind++)
    if (values[kind] >= Math.max(1, header.stringBytes))
      return `string ${values[kind]} lies behind the ${header.stringBytes} bytes of strings`;
  const end = header.indexBytes + values[OFFSET] + storedBytes(values);
  return end > fileSize ? `its content ends at byte ${end}, the file at ${fileSize}` : '';
}

/** Decodes streams of attributes: a byte of kind and length, then that many bytes, the largest first; kind 0 ends. */
class LocationReader {
  /** The byte of the file that was looked at last. */
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #end: number;
  readonly #values = new Float64Array(8);

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** The values of the location at an offset, by kind (valid until the next call), or what is wrong with it. */
  read(offset: number): Float64Array | string {
    const values = this.#values.fill(0);
    const bytes = this.#bytes;
    let at = this.#start + offset;
    for (;;) {
      this.at = Math.min(at, this.#end);
      if (at >= this.#end) return 'its location lies behind the locations';
      const kind = bytes[at] >>> 3;
      if (kind === 0) return values;
      if (kind > SIZE) return `attributes of a location have kinds 1 to 7, this one ${kind}`;
      const last = at + 1 + (bytes[at] & 7);
      if (last >= this.#end) return 'its location lies behind the locations';
      let value = 0;
      while (at < last) value = value * 256 + bytes[++at];
      values[kind] = value;
      at++;
    }
  }
}
