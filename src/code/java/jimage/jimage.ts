/**
 * jimage, the container of the JDK's own classes (`lib/modules`, since JDK 9). The format is that of the JDK's
 * `jdk.internal.jimage`: a header of seven 32-bit numbers in the byte order of the machine, a perfect hash of paths
 * (redirects and offsets of locations), locations as streams of attributes, strings in modified UTF-8, then the
 * content.
 *
 * Cost: the index is read whole and checked (1.5 MB for the 29,441 resources of JDK 17), 44 bytes per resource beside
 * it; content is read on demand. Resources with impossible numbers are skipped and reported with the offset of the
 * number.
 */
import { ProblemLog, type Problems } from '../../../base/problems.js';
import { decodeUtf8, encodeUtf8 } from '../../../base/text.js';
import type { RandomSource } from '../../../bytes/byte-source.js';
import { broken, CUT_ADVICE, HEADER_BYTES, integers, type JImageHeader, parseHeader } from './jimage-header.js';
import { type Resources, readLocations } from './jimage-locations.js';

const HASH_MULTIPLIER = 0x01000193;
const SLASH = 0x2f;
const DOT = 0x2e;

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
  /** All strings decoded at once: possible if each byte is a character. */
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
        message: `${source.name}: the header lists ${header.resources} resources, but ${this.resources.length} can be read`,
        offset: 12,
      });
    this.#checkSlots(log);
    this.problems = log.finish();
  }

  /** Reads the index. Throws `FormatError` if it is missing or incomplete. */
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
    const end = this.strings.indexOf(0, offset);
    return decodeUtf8(this.strings, offset, end < 0 ? this.strings.length : end);
  }

  /** `/module/parent/base.extension` of a row, as the `jimage` tool prints it and the hash uses it. */
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

  /** The row of the resource at a path; -1 if there is none. */
  find(path: string): number {
    const bytes = encodeUtf8(path);
    const row = this.#rows[this.#slotOf((seed) => hash(bytes, 0, bytes.length, seed))] ?? -1;
    return row >= 0 && this.path(row) === path ? row : -1;
  }

  /** The slot of a path, given its hash by seed; -1 if it has none. */
  #slotOf(hashBy: (seed: number) => number): number {
    const { slots } = this.header;
    if (slots === 0) return -1;
    const redirect = this.#redirects[(hashBy(HASH_MULTIPLIER) & 0x7fffffff) % slots];
    if (redirect === 0) return -1;
    return redirect < 0 ? -1 - redirect : (hashBy(redirect) & 0x7fffffff) % slots;
  }

  /**
   * Checks that each resource is in the slot of its path, which finds nearly any damage to redirects, locations and
   * names. Mismatches are kept, since the class file has its own name.
   */
  #checkSlots(log: ProblemLog): void {
    let row = 0;
    const hashBy = (seed: number): number => this.#pathHash(row, seed);
    for (let slot = 0; slot < this.header.slots; slot++) {
      row = this.#rows[slot];
      if (row < 0 || this.#slotOf(hashBy) === slot) continue;
      if (!log.wants('jimage-hash')) log.count('jimage-hash', 1);
      else
        log.add({
          code: 'jimage-hash',
          severity: 'warning',
          message: `${this.source.name}: ${this.path(row)} is in slot ${slot}, but its path hashes to another slot: its name or the hash table is damaged`,
          offset: HEADER_BYTES + 4 * (this.header.slots + slot),
        });
    }
  }

  /** The hash of `path(row)`, computed without the string. */
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

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] > 0x7f) return false;
  return true;
}

/** The JDK's hash of a run of bytes, up to the first 0: a product combined with each byte by exclusive or. */
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
    message: 'the last string of the image is unterminated',
    offset: header.indexBytes - 1,
  });
}
