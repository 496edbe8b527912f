/**
 * Locations of the resources of a jimage: streams of attributes that the slots of the hash table point to.
 *
 * Cost: one pass; 44 bytes per slot. All values are checked against the file; the total length of names is limited, so
 * that a small image cannot take hours or all memory.
 */
import type { ProblemLog } from '../../../base/problems.js';
import { formatBytes } from '../../../base/units.js';
import type { RandomSource } from '../../../bytes/byte-source.js';
import { HEADER_BYTES, integers, type JImageHeader } from './jimage-header.js';

/** Bytes of the names of all resources, each counted in full; real images have 2 MB. */
const LARGEST_NAMES = 256 << 20;
/** Limit for parts of names. */
const LONGEST = 0xffff;

/** Kinds of attributes of a location. */
const MODULE = 1;
const PARENT = 2;
const BASE = 3;
const EXTENSION = 4;
const OFFSET = 5;
const STORED = 6;
const SIZE = 7;

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
  /** Bytes of the content; equal to those in the file if `compressed` is 0. */
  readonly size: Float64Array;
  readonly compressed: Uint8Array;
}

/** Reads the locations of all slots. Slots with an impossible location are reported and skipped. */
export function readLocations(
  source: RandomSource,
  header: JImageHeader,
  index: Uint8Array,
  log: ProblemLog,
): { resources: Resources; rows: Int32Array } {
  const { slots } = header;
  const offsets = integers(index, HEADER_BYTES + 4 * slots, slots, header.littleEndian);
  const locationsAt = HEADER_BYTES + 8 * slots;
  const reader = new LocationReader(index, locationsAt, locationsAt + header.locationBytes);
  const lengths = stringLengths(index.subarray(locationsAt + header.locationBytes));
  const strings = (): Int32Array => new Int32Array(slots);
  const columns = { module: strings(), parent: strings(), base: strings(), extension: strings() };
  const [start, stored, size] = [new Float64Array(slots), new Float64Array(slots), new Float64Array(slots)];
  const compressed = new Uint8Array(slots);
  const rows = new Int32Array(slots).fill(-1);
  let length = 0;
  let nameBytes = 0;
  for (let slot = 0; slot < slots; slot++) {
    const values = reader.read(offsets[slot] >>> 0);
    let wrong = typeof values === 'string' ? values : impossible(values, header, source.size);
    if (wrong === '' && typeof values !== 'string') {
      for (let kind = MODULE; kind <= EXTENSION; kind++) {
        const bytes = lengths[values[kind]] ?? 0;
        if (bytes === LONGEST) wrong = `string ${values[kind]} of its name is ${LONGEST} bytes or longer`;
        nameBytes += bytes;
      }
      if (nameBytes > LARGEST_NAMES) wrong = `the names so far exceed ${formatBytes(LARGEST_NAMES)}`;
    }
    if (wrong !== '' && !log.wants('jimage-location')) log.count('jimage-location', 1);
    else if (wrong !== '')
      log.add({
        code: 'jimage-location',
        severity: 'error',
        message: `${source.name}: slot ${slot} of the image: ${wrong}; skipped`,
        offset: reader.at,
      });
    else if (typeof values !== 'string' && values[BASE] !== 0) {
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

/** Length of the string at each offset, up to `LONGEST`. */
function stringLengths(strings: Uint8Array): Uint16Array {
  const lengths = new Uint16Array(strings.length);
  for (let at = strings.length - 1, length = 0; at >= 0; at--) {
    length = strings[at] === 0 ? 0 : Math.min(length + 1, LONGEST);
    lengths[at] = length;
  }
  return lengths;
}

function storedBytes(values: Float64Array): number {
  return values[STORED] === 0 ? values[SIZE] : values[STORED];
}

/** Why a location is impossible; empty if it is valid. */
function impossible(values: Float64Array, header: JImageHeader, fileSize: number): string {
  for (let kind = MODULE; kind <= EXTENSION; kind++)
    if (values[kind] >= Math.max(1, header.stringBytes))
      return `string ${values[kind]} is beyond the ${header.stringBytes} bytes of strings`;
  const end = header.indexBytes + values[OFFSET] + storedBytes(values);
  return end > fileSize ? `its content ends at byte ${end}, the file at ${fileSize}` : '';
}

/** Decodes streams of attributes: a byte of kind and length, then that many bytes, the largest first; kind 0 ends. */
class LocationReader {
  /** The last byte of the file that was read. */
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

  /** The values of the location at an offset, by kind (valid until the next call), or a text with the problem. */
  read(offset: number): Float64Array | string {
    const values = this.#values.fill(0);
    const bytes = this.#bytes;
    let at = this.#start + offset;
    for (let count = 0; ; count++) {
      this.at = Math.min(at, this.#end);
      if (at >= this.#end) return 'its location is beyond the end of the locations';
      const kind = bytes[at] >>> 3;
      if (kind === 0) return values;
      if (count === SIZE) return `a location has more than ${SIZE} attributes`;
      if (kind > SIZE) return `a location has an attribute of kind ${kind}, expected 1 to 7`;
      const last = at + 1 + (bytes[at] & 7);
      if (last >= this.#end) return 'its location is beyond the end of the locations';
      let value = 0;
      while (at < last) value = value * 256 + bytes[++at];
      values[kind] = value;
      at++;
    }
  }
}
