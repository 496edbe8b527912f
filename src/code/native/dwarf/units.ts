/**
 * Compile units of `.debug_info`: their headers, and the values of attributes that need the unit ("DWARF Debugging Information Format", version 5,
 * sections 3.1 and 7.5.1; version 2 to 4 the same sections). Reading the units of a file reads one entry of each.
 */
import { AT, FORM, UNIT } from './constants.js';
import { Cursor } from './cursor.js';
import { type Entry, type EntryPlace, readAbbreviations, readEntry, type Value } from './entries.js';
import type { DwarfFile } from './file.js';
import type { Abbreviation, DwarfUnit } from './unit.js';

/** Reads the headers of all units, in the order of their offsets. Stops at the first that is invalid, with its error as `broken`. */
export function readUnits(file: DwarfFile): { readonly units: readonly DwarfUnit[]; readonly broken?: Error } {
  const units: DwarfUnit[] = [];
  const { info } = file.sections;
  const known = new Map<number, ReadonlyMap<number, Abbreviation>>();
  const abbreviationsAt = (offset: number): ReadonlyMap<number, Abbreviation> => {
    const read = known.get(offset) ?? readAbbreviations(file, offset);
    known.set(offset, read);
    return read;
  };
  try {
    for (let at = 0; at < info.bytes.length; ) {
      const unit = readUnit(file, at, abbreviationsAt);
      units.push(unit);
      at = unit.end;
    }
  } catch (error) {
    if (error instanceof Error) return { units, broken: error };
    throw error;
  }
  return { units };
}

function readUnit(
  file: DwarfFile,
  offset: number,
  abbreviationsAt: (offset: number) => ReadonlyMap<number, Abbreviation>,
): DwarfUnit {
  const cursor = new Cursor(file.sections.info, offset);
  const { end, offsetSize } = cursor.unitEnd();
  const version = cursor.u16();
  if (version < 2 || version > 5) throw cursor.error(`version ${version} of DWARF is unknown`, offset);
  const type = version >= 5 ? cursor.u8() : UNIT.compile;
  const early = version >= 5 ? cursor.u8() : 0;
  const abbreviations = cursor.sized(offsetSize);
  const addressSize = version >= 5 ? early : cursor.u8();
  const isSplit = type === UNIT.skeleton || type === UNIT.splitCompile;
  const splitId = isSplit ? cursor.u64() : undefined;
  if (type === UNIT.type || type === UNIT.splitType) cursor.skip(8 + offsetSize);
  if (addressSize !== 4 && addressSize !== 8) throw cursor.error(`addresses of ${addressSize} bytes`, offset);
  return {
    file,
    offset,
    end,
    version,
    type,
    addressSize,
    offsetSize,
    first: cursor.at,
    splitId,
    abbreviations: () => abbreviationsAt(abbreviations),
  };
}

/** Where the tables of a unit begin that its indexes count from. Those of a split unit are partly in its skeleton. */
export interface Bases {
  readonly strings: number;
  readonly addresses: number;
  readonly rangeLists: number;
  /** Added to `DW_AT_ranges` of split units of version 4. */
  readonly ranges: number;
  /** The file whose `.debug_addr` it uses. */
  readonly addressFile: DwarfFile;
}

/** A unit with its first entry, and how to read the values of attributes in it. */
export class UnitReader {
  readonly unit: DwarfUnit;
  readonly root: Entry;
  readonly bases: Bases;
  readonly lowPc: number;

  /** `skeleton`: the part of a split unit that is in the program itself. */
  constructor(unit: DwarfUnit, skeleton?: UnitReader) {
    this.unit = unit;
    this.root = readEntry(unit, unit.first);
    const { values } = this.root;
    const number = (...attributes: readonly number[]): number | undefined =>
      attributes.map((each) => values.get(each)?.number).find((each) => each !== undefined);
    // A table of version 5 has a header; in a split file it is not named, being the only one.
    const header = unit.offsetSize === 8 ? 16 : 8;
    const isSplit5 = skeleton !== undefined && unit.version >= 5;
    this.bases = {
      strings: number(AT.stringOffsetsBase) ?? (isSplit5 ? header : 0),
      addresses: number(AT.addressBase, AT.gnuAddressBase) ?? skeleton?.bases.addresses ?? 0,
      rangeLists: number(AT.rangeListsBase) ?? (isSplit5 ? header + 4 : 0),
      ranges: number(AT.gnuRangesBase) ?? skeleton?.bases.ranges ?? 0,
      addressFile: skeleton?.unit.file ?? unit.file,
    };
    this.lowPc = this.address(values.get(AT.lowPc)) ?? skeleton?.lowPc ?? 0;
  }

  /** The address of a value; undefined if it is none. */
  address(value: Value | undefined): number | undefined {
    if (value === undefined) return undefined;
    const { form, number } = value;
    if (form === FORM.addr) return number;
    const isIndex = form === FORM.addrx || form === FORM.gnuAddrIndex || (form >= FORM.addrx1 && form <= FORM.addrx4);
    return isIndex ? this.indexedAddress(number) : undefined;
  }

  indexedAddress(index: number): number {
    const { addresses, addressFile } = this.bases;
    const { addressSize } = this.unit;
    return new Cursor(addressFile.sections.addr, addresses + index * addressSize).sized(addressSize);
  }

  /** The text of a value; undefined if it is none. */
  text(value: Value | undefined): string | undefined {
    if (value === undefined) return undefined;
    const { form, number, text } = value;
    if (text !== undefined) return text;
    const { file, offsetSize } = this.unit;
    const { sections, alternate } = file;
    if (form === FORM.strp) return new Cursor(sections.str, number).text();
    if (form === FORM.lineStrp) return new Cursor(sections.line_str, number).text();
    if (form === FORM.strpSup || form === FORM.gnuStrpAlt)
      return alternate === undefined ? undefined : new Cursor(alternate.sections.str, number).text();
    const isIndex = form === FORM.strx || form === FORM.gnuStrIndex || (form >= FORM.strx1 && form <= FORM.strx4);
    if (!isIndex) return undefined;
    const at = new Cursor(sections.str_offsets, this.bases.strings + number * offsetSize).sized(offsetSize);
    return new Cursor(sections.str, at).text();
  }

  /** The entry that a value refers to; undefined if it is in a file that is not there, or a type by its signature. */
  reference(value: Value | undefined): EntryPlace | undefined {
    if (value === undefined) return undefined;
    const { form, number } = value;
    const { file, offset } = this.unit;
    if ((form >= FORM.ref1 && form <= FORM.refUdata) || form === FORM.ref4) return { file, offset: offset + number };
    if (form === FORM.refAddr) return { file, offset: number };
    const isOther = form === FORM.gnuRefAlt || form === FORM.refSup4 || form === FORM.refSup8;
    return isOther && file.alternate !== undefined ? { file: file.alternate, offset: number } : undefined;
  }
}
