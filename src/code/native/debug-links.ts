/**
 * What a program says about the files with its debug information: the build id in a note, the file that `objcopy --add-gnu-debuglink` names, the file
 * that `dwz` moved common parts to, and the symbols that `.gnu_debugdata` has inside ("Debugging Information in Separate Files" in the manual of GDB).
 */
import { decodeUtf8 } from '../../base/text.js';
import { memorySource } from '../../bytes/byte-source.js';
import { type ElfFile, Fields, readElf } from './elf.js';
import { SectionError, sectionBytes } from './sections.js';
import { UnpackError, unxz } from './unpack.js';

const SHT_NOTE = 7;
const NT_GNU_BUILD_ID = 3;
/** Notes are small, and build ids have 20 bytes. */
const MOST_NOTES = 1 << 16;
const LONGEST_ID = 64;
/** Symbol tables of the largest programs. */
const MOST_SYMBOLS = 1 << 28;
/** `GNU` and a zero, the owner of the note. */
const OWNER = [0x47, 0x4e, 0x55, 0];

/** The file of `.gnu_debuglink`. */
export interface DebugLink {
  /** Without folders. */
  readonly name: string;
  /** CRC-32 of its bytes. */
  readonly checksum: number;
}

/** The file of `.gnu_debugaltlink`. */
export interface AlternateLink {
  readonly path: string;
  /** In lower-case hexadecimal. */
  readonly buildId: string;
}

/** The build id in lower-case hexadecimal; undefined if the file has none. */
export async function buildIdOf(elf: ElfFile): Promise<string | undefined> {
  for (const { name, type, size } of elf.sections) {
    if (type !== SHT_NOTE || size > MOST_NOTES) continue;
    const id = idIn(await sectionBytes(elf, name), elf);
    if (id !== undefined) return id;
  }
  return undefined;
}

function idIn(notes: Uint8Array, { wide, littleEndian }: ElfFile): string | undefined {
  const fields = new Fields(notes, wide, littleEndian);
  for (let at = 0; at + 12 <= notes.length; ) {
    const [owner, size] = [fields.word(at), fields.word(at + 4)];
    const contents = at + 12 + aligned(owner);
    const end = contents + aligned(size);
    if (end > notes.length) return undefined;
    const isId = fields.word(at + 8) === NT_GNU_BUILD_ID && owner === OWNER.length && size > 0 && size <= LONGEST_ID;
    if (isId && OWNER.every((byte, i) => notes[at + 12 + i] === byte))
      return hexadecimal(notes.subarray(contents, contents + size));
    at = end;
  }
  return undefined;
}

function aligned(size: number): number {
  return Math.ceil(size / 4) * 4;
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The separate debug file; undefined if none is named, or by a name with folders. */
export async function debugLinkOf(elf: ElfFile): Promise<DebugLink | undefined> {
  const bytes = await sectionBytes(elf, '.gnu_debuglink');
  const length = bytes.indexOf(0);
  const at = aligned(length + 1);
  if (length <= 0 || at + 4 > bytes.length) return undefined;
  const name = decodeUtf8(bytes, 0, length);
  if (name.includes('/') || name === '..') return undefined;
  return { name, checksum: new Fields(bytes, elf.wide, elf.littleEndian).word(at) };
}

/** The file with common parts; undefined if none is named. */
export async function alternateLinkOf(elf: ElfFile): Promise<AlternateLink | undefined> {
  const bytes = await sectionBytes(elf, '.gnu_debugaltlink');
  const length = bytes.indexOf(0);
  if (length <= 0 || bytes.length - length - 1 > LONGEST_ID) return undefined;
  return { path: decodeUtf8(bytes, 0, length), buildId: hexadecimal(bytes.subarray(length + 1)) };
}

/** The file with symbols in `.gnu_debugdata`; undefined if there is none. Throws `SectionError` if it cannot be read. */
export async function embeddedSymbols(elf: ElfFile): Promise<ElfFile | undefined> {
  const packed = await sectionBytes(elf, '.gnu_debugdata');
  if (packed.length === 0) return undefined;
  try {
    const inner = await readElf(memorySource('.gnu_debugdata', await unxz(packed, MOST_SYMBOLS)));
    if (typeof inner !== 'string') return inner;
    throw new UnpackError(`is ${inner}`);
  } catch (error) {
    if (error instanceof UnpackError) throw new SectionError(`section .gnu_debugdata ${error.message}`);
    throw error;
  }
}
