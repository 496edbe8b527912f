/**
 * The bytes of sections by name, unpacked. Compressed sections: SHF_COMPRESSED of the "System V Application Binary Interface", and the older
 * `.zdebug_…` of GNU. The size that a section states bounds the memory that is taken for it.
 */
import { UnreadableError } from '../../base/errors.js';
import { bytesAt, type ElfFile, type ElfSection, Fields, SHT_NOBITS } from './elf.js';
import { inflated, UnpackError, unzstd } from './unpack.js';

const SHF_COMPRESSED = 0x800;
/** `ch_type`: zlib and zstd. */
const METHODS: Readonly<Record<number, typeof inflated>> = { 1: inflated, 2: unzstd };
/** `ZLIB` and the size in big-endian order. */
const OLD_HEADER = 12;
/** Larger sections are not read. */
const MOST_BYTES = 1 << 30;

/** A section that is present but cannot be read. The message names the section and its offset in the file. */
export class SectionError extends UnreadableError {}

/** The bytes of a section, unpacked; empty if the file has none of that name. Throws `SectionError`. */
export async function sectionBytes(elf: ElfFile, name: string): Promise<Uint8Array> {
  const plain = elf.sections.find((section) => section.name === name && section.type !== SHT_NOBITS);
  if (plain !== undefined) return unpacked(elf, plain);
  const old = elf.sections.find((section) => section.name === name.replace(/^\.debug/, '.zdebug'));
  return old === undefined || old.type === SHT_NOBITS ? new Uint8Array() : unpackedOld(elf, old);
}

async function unpacked(elf: ElfFile, section: ElfSection): Promise<Uint8Array> {
  const bytes = await wholeSection(elf, section);
  if ((section.flags & SHF_COMPRESSED) === 0) return bytes;
  const header = elf.wide ? 24 : 12;
  if (bytes.length < header) throw damaged(section, 'is shorter than the header of a compressed section');
  const fields = new Fields(bytes, elf.wide, elf.littleEndian);
  const method = fields.word(0);
  const unpack = METHODS[method];
  if (unpack === undefined) throw damaged(section, `is compressed by the unknown method ${method}`);
  return unpackedBy(section, unpack, bytes.subarray(header), fields.address(elf.wide ? 8 : 4));
}

async function unpackedOld(elf: ElfFile, section: ElfSection): Promise<Uint8Array> {
  const bytes = await wholeSection(elf, section);
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (magic !== 'ZLIB' || bytes.length < OLD_HEADER) throw damaged(section, 'does not begin with ZLIB');
  const size = new Fields(bytes, true, false).address(4);
  return unpackedBy(section, inflated, bytes.subarray(OLD_HEADER), size);
}

async function wholeSection(elf: ElfFile, section: ElfSection): Promise<Uint8Array> {
  if (section.size > MOST_BYTES) throw damaged(section, `has ${section.size} bytes, more than are read`);
  const bytes = await bytesAt(elf.source, section.offset, section.size);
  if (bytes.length < section.size) throw damaged(section, `has ${bytes.length} of its ${section.size} bytes`);
  return bytes;
}

async function unpackedBy(
  section: ElfSection,
  unpack: (packed: Uint8Array, size: number) => Promise<Uint8Array>,
  packed: Uint8Array,
  size: number,
): Promise<Uint8Array> {
  if (size > MOST_BYTES) throw damaged(section, `has ${size} bytes unpacked, more than are read`);
  try {
    return await unpack(packed, size);
  } catch (error) {
    if (error instanceof UnpackError) throw damaged(section, error.message);
    throw error;
  }
}

function damaged({ name, offset }: ElfSection, what: string): SectionError {
  return new SectionError(`section ${name} at offset ${offset} ${what}`);
}
