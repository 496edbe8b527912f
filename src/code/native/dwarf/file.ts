/**
 * The debug sections of one file, read when they are first needed and unpacked. A file may have another one with the parts that it shares with others
 * (dwz, `alternate`), and units whose other half is in a file of its own (split units, see debug-info.ts).
 */
import type { ElfFile } from '../elf.js';
import { sectionBytes } from '../sections.js';
import type { DwarfSection } from './cursor.js';

export const SECTION_NAMES = [
  'info',
  'abbrev',
  'line',
  'str',
  'line_str',
  'str_offsets',
  'addr',
  'ranges',
  'rnglists',
] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

export interface DwarfFile {
  readonly sections: Readonly<Record<SectionName, DwarfSection>>;
  /** The file of `.gnu_debugaltlink`. */
  readonly alternate?: DwarfFile | undefined;
}

/** Reads the debug sections of a file; those of split units end in `.dwo`. Throws `SectionError`. */
export async function dwarfFile(elf: ElfFile, alternate?: DwarfFile, suffix: '' | '.dwo' = ''): Promise<DwarfFile> {
  const read = async (name: SectionName): Promise<DwarfSection> => {
    const full = `.debug_${name}${suffix}`;
    return { name: full, bytes: await sectionBytes(elf, full), littleEndian: elf.littleEndian };
  };
  const sections: Record<SectionName, DwarfSection> = {
    info: await read('info'),
    abbrev: await read('abbrev'),
    line: await read('line'),
    str: await read('str'),
    line_str: await read('line_str'),
    str_offsets: await read('str_offsets'),
    addr: await read('addr'),
    ranges: await read('ranges'),
    rnglists: await read('rnglists'),
  };
  return { sections, alternate };
}
