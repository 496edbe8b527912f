/**
 * ELF files: sections and segments of programs and libraries, 32 and 64 bit, both byte orders. Format: "System V Application Binary Interface",
 * chapters 4 and 5. Reads only the tables that are asked for; every size is checked against the file before memory is taken for it.
 */
import type { RandomSource } from '../../bytes/byte-source.js';

export interface ElfSection {
  readonly name: string;
  /** `SHT_…`. */
  readonly type: number;
  readonly flags: number;
  /** Address at which it is loaded. */
  readonly address: number;
  /** Place in the file. */
  readonly offset: number;
  readonly size: number;
  /** Of symbol tables: the section with their names. */
  readonly link: number;
  readonly entrySize: number;
}

/** A part of the file that is loaded to an address. */
export interface ElfSegment {
  readonly address: number;
  readonly offset: number;
  readonly size: number;
}

export interface ElfFile {
  readonly source: RandomSource;
  readonly littleEndian: boolean;
  readonly wide: boolean;
  /** `e_machine`. */
  readonly machine: number;
  readonly sections: readonly ElfSection[];
  readonly segments: readonly ElfSegment[];
}

export const SHT_SYMTAB = 2;
export const SHT_NOBITS = 8;
export const SHT_DYNSYM = 11;
export const SHF_EXECUTABLE = 4;
const PT_LOAD = 1;
const HEADER = 64;
/** Sections and segments that are read. */
const MOST_HEADERS = 1 << 16;
/** Extended numbering: the count is in the first section. */
const EXTENDED = 0xffff;
/** Names of sections are short. */
const MOST_NAMES = 16 << 20;

/** Positions and widths of fields that differ between the two classes. */
interface Layout {
  readonly segments: number;
  readonly sections: number;
  readonly counts: number;
  readonly sectionSize: number;
  readonly segmentSize: number;
}

const LAYOUTS: Readonly<Record<'wide' | 'narrow', Layout>> = {
  wide: { segments: 32, sections: 40, counts: 54, sectionSize: 64, segmentSize: 56 },
  narrow: { segments: 28, sections: 32, counts: 42, sectionSize: 40, segmentSize: 32 },
};

/** Reads the headers of a file; a text that says what is wrong if it is no valid ELF file. */
export async function readElf(source: RandomSource): Promise<ElfFile | string> {
  const head = new Uint8Array(HEADER);
  const count = await source.readAt(0, head);
  if (count < 52 || head[0] !== 0x7f || head[1] !== 0x45 || head[2] !== 0x4c || head[3] !== 0x46)
    return 'not an ELF file';
  const [bits, order] = [head[4], head[5]];
  if ((bits !== 1 && bits !== 2) || (order !== 1 && order !== 2))
    return 'an ELF file of an unknown class or byte order';
  const read = new Fields(head, bits === 2, order === 1);
  const layout = LAYOUTS[bits === 2 ? 'wide' : 'narrow'];
  const segments = await segmentsOf(source, read, layout);
  const sections = await sectionsOf(source, read, layout);
  return {
    source,
    littleEndian: order === 1,
    wide: bits === 2,
    machine: read.half(18),
    sections,
    segments,
  };
}

async function segmentsOf(source: RandomSource, head: Fields, layout: Layout): Promise<ElfSegment[]> {
  const [size, count] = [head.half(layout.counts), head.half(layout.counts + 2)];
  if (size < layout.segmentSize) return [];
  const table = await bytesAt(source, head.address(layout.segments), size * Math.min(count, MOST_HEADERS));
  const segments: ElfSegment[] = [];
  for (let at = 0; at + size <= table.length; at += size) {
    const read = head.over(table, at);
    if (read.word(0) !== PT_LOAD) continue;
    const [offset, address, length] = head.wide
      ? [read.address(8), read.address(16), read.address(32)]
      : [read.address(4), read.address(8), read.address(16)];
    segments.push({ address, offset, size: length });
  }
  return segments;
}

async function sectionsOf(source: RandomSource, head: Fields, layout: Layout): Promise<ElfSection[]> {
  const size = head.half(layout.counts + 4);
  const start = head.address(layout.sections);
  if (size < layout.sectionSize || start === 0) return [];
  const first = head.over(await bytesAt(source, start, layout.sectionSize), 0);
  if (first.length < layout.sectionSize) return [];
  const written = head.half(layout.counts + 6);
  const count = written === 0 ? first.address(head.wide ? 32 : 20) : written;
  const names = head.half(layout.counts + 8);
  const nameSection = names === EXTENDED ? first.word(head.wide ? 40 : 24) : names;
  const table = await bytesAt(source, start, size * Math.min(count, MOST_HEADERS));
  const raw: (Omit<ElfSection, 'name'> & { readonly nameAt: number })[] = [];
  for (let at = 0; at + size <= table.length; at += size) raw.push(sectionAt(head.over(table, at), head.wide));
  const holder = raw[nameSection];
  const texts = holder ? await bytesAt(source, holder.offset, Math.min(holder.size, MOST_NAMES)) : new Uint8Array();
  return raw.map(({ nameAt, ...section }) => ({ ...section, name: textAt(texts, nameAt) }));
}

function sectionAt(read: Fields, wide: boolean): Omit<ElfSection, 'name'> & { readonly nameAt: number } {
  return {
    nameAt: read.word(0),
    type: read.word(4),
    flags: wide ? read.address(8) : read.word(8),
    address: read.address(wide ? 16 : 12),
    offset: read.address(wide ? 24 : 16),
    size: read.address(wide ? 32 : 20),
    link: read.word(wide ? 40 : 24),
    entrySize: read.address(wide ? 56 : 36),
  };
}

/** The bytes at a place of the file, as far as the file has them. */
export async function bytesAt(source: RandomSource, offset: number, size: number): Promise<Uint8Array> {
  const length = Math.min(size, source.size - offset);
  if (!(length > 0) || !(offset >= 0)) return new Uint8Array();
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, await source.readAt(offset, bytes));
}

/** The text up to the next NUL. */
export function textAt(bytes: Uint8Array, from: number): string {
  if (from >= bytes.length) return '';
  const end = bytes.indexOf(0, from);
  return new TextDecoder().decode(bytes.subarray(from, end < 0 ? bytes.length : end));
}

/** Numbers of a header, in the byte order and width of the file. Beyond 2^53 they lose digits, and no file has them. */
export class Fields {
  readonly wide: boolean;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #at: number;

  constructor(bytes: Uint8Array, wide: boolean, little: boolean, at = 0) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.wide = wide;
    this.#little = little;
    this.#at = at;
  }

  get length(): number {
    return this.#view.byteLength - this.#at;
  }

  /** The same for other bytes. */
  over(bytes: Uint8Array, at: number): Fields {
    return new Fields(bytes, this.wide, this.#little, at);
  }

  half(offset: number): number {
    return this.#view.getUint16(this.#at + offset, this.#little);
  }

  word(offset: number): number {
    return this.#view.getUint32(this.#at + offset, this.#little);
  }

  /** An address, offset or size: 4 or 8 bytes. */
  address(offset: number): number {
    if (!this.wide) return this.word(offset);
    const [high, low] = this.#little ? [4, 0] : [0, 4];
    return this.word(offset + high) * 2 ** 32 + this.word(offset + low);
  }
}
