/**
 * Packages of split units (`.dwp`): one file with the sections of many `.dwo` files, and an index that says which parts belong to a unit ("DWARF
 * Debugging Information Format", version 5, sections 7.3.5 and F.3; version 2 of the index is that of GNU for DWARF 4).
 */
import type { ElfFile } from '../elf.js';
import { sectionBytes } from '../sections.js';
import { Cursor, type DwarfSection } from './cursor.js';
import { type DwarfFile, dwarfFile, type SectionName } from './file.js';

/** The split units of a package. */
export interface SplitPackage {
  /** The sections of a unit by its `DW_AT_dwo_id`; undefined if the package does not have it. */
  unit(id: number): DwarfFile | undefined;
}

/** `DW_SECT_…` of sections that are read. Versions 2 and 5 number these alike. */
const PARTS: Readonly<Record<number, SectionName>> = { 1: 'info', 3: 'abbrev', 4: 'line', 6: 'str_offsets' };
/** Only version 5 has them. */
const RANGE_LISTS = 8;
/** More sections than any version has. */
const MOST_COLUMNS = 64;

interface Index {
  /** Section of each column; undefined if it is not read. */
  readonly columns: readonly (SectionName | undefined)[];
  /** By unit, where its row begins; rows count from 1. */
  readonly rows: ReadonlyMap<number, number>;
  readonly offsets: number;
  readonly sizes: number;
}

/** Reads the index of a package. Throws `DwarfError` or `SectionError`; undefined if the file has no index. */
export async function readPackage(elf: ElfFile): Promise<SplitPackage | undefined> {
  const name = '.debug_cu_index';
  const section: DwarfSection = { name, bytes: await sectionBytes(elf, name), littleEndian: elf.littleEndian };
  if (section.bytes.length === 0) return undefined;
  const index = readIndex(section);
  const whole = await dwarfFile(elf, undefined, '.dwo');
  return {
    unit: (id) => {
      const row = index.rows.get(id);
      return row === undefined ? undefined : { sections: partsOf(whole, section, index, row) };
    },
  };
}

function readIndex(section: DwarfSection): Index {
  const cursor = new Cursor(section, 0);
  const first = cursor.sized(4);
  // Version 5 has 2 bytes for it and 2 without meaning.
  const version = first === 2 ? 2 : new Cursor(section, 0).u16();
  if (version !== 2 && version !== 5) throw cursor.error(`version ${version} of the index of a package is unknown`, 0);
  const [columns, units, slots] = [cursor.sized(4), cursor.sized(4), cursor.sized(4)];
  const names = cursor.at + 12 * slots;
  const offsets = names + 4 * columns;
  const sizes = offsets + 4 * columns * units;
  if (columns > MOST_COLUMNS || sizes + 4 * columns * units > section.bytes.length)
    throw cursor.error('the index of the package is longer than its section', 0);
  const rows = new Map<number, number>();
  const numbers = new Cursor(section, cursor.at + 8 * slots);
  for (let slot = 0; slot < slots; slot++) {
    const [id, row] = [cursor.u64(), numbers.sized(4)];
    if (row > 0 && row <= units) rows.set(id, row);
  }
  const known = (id: number): SectionName | undefined => (version === 5 && id === RANGE_LISTS ? 'rnglists' : PARTS[id]);
  const ids = new Cursor(section, names);
  return { columns: Array.from({ length: columns }, () => known(ids.sized(4))), rows, offsets, sizes };
}

/** The sections of a file, cut to the parts of one unit; those without a column are common to all. */
function partsOf({ sections }: DwarfFile, table: DwarfSection, index: Index, row: number): DwarfFile['sections'] {
  const parts: Record<SectionName, DwarfSection> = { ...sections };
  const behind = 4 * (row - 1) * index.columns.length;
  const offsets = new Cursor(table, index.offsets + behind);
  const sizes = new Cursor(table, index.sizes + behind);
  for (const name of index.columns) {
    const [from, size] = [offsets.sized(4), sizes.sized(4)];
    if (name === undefined) continue;
    const { bytes } = sections[name];
    if (from + size > bytes.length)
      throw offsets.error(`a unit has a part of ${sections[name].name} that is not there`);
    parts[name] = { ...sections[name], bytes: bytes.subarray(from, from + size) };
  }
  return parts;
}
