/**
 * Debugging information entries: abbreviations, and the values of attributes by their forms ("DWARF Debugging Information Format", version 5, sections
 * 7.5.3 to 7.5.6; version 4 and GNU extensions).
 */
import { AT, FORM } from './constants.js';
import { Cursor, type DwarfError } from './cursor.js';
import type { DwarfFile } from './file.js';
import type { Abbreviation, DwarfUnit } from './unit.js';

/** An entry of a file: `offset` is in its `.debug_info`. */
export interface EntryPlace {
  readonly file: DwarfFile;
  readonly offset: number;
}

/** The value of an attribute. Numbers are offsets, constants and indexes; the form says which. */
export interface Value {
  readonly form: number;
  readonly number: number;
  readonly text?: string;
}

export interface Entry {
  readonly offset: number;
  /** 0: the end of a list of siblings. */
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly values: ReadonlyMap<number, Value>;
  /** Where the next entry begins. */
  readonly next: number;
}

/** Reads the abbreviations at an offset of `.debug_abbrev`. */
export function readAbbreviations({ sections }: DwarfFile, offset: number): ReadonlyMap<number, Abbreviation> {
  const known = new Map<number, Abbreviation>();
  const cursor = new Cursor(sections.abbrev, offset);
  for (;;) {
    const code = cursor.unsigned();
    if (code === 0) return known;
    const tag = cursor.unsigned();
    const hasChildren = cursor.u8() !== 0;
    const attributes: number[] = [];
    for (;;) {
      const [attribute, form] = [cursor.unsigned(), cursor.unsigned()];
      const constant = form === FORM.implicitConst ? cursor.signed() : 0;
      if (attribute === 0 && form === 0) break;
      attributes.push(attribute, form, constant);
    }
    known.set(code, { tag, hasChildren, attributes });
  }
}

/** Attributes that a reader asks for; the others are skipped. */
const WANTED: ReadonlySet<number> = new Set(Object.values(AT));
const NO_VALUES: ReadonlyMap<number, Value> = new Map();

/** Reads the entry at an offset of a unit. */
export function readEntry(unit: DwarfUnit, offset: number): Entry {
  const cursor = new Cursor(unit.file.sections.info, offset, unit.end);
  const code = cursor.unsigned();
  if (code === 0) return { offset, tag: 0, hasChildren: false, values: NO_VALUES, next: cursor.at };
  const shape = unit.abbreviations().get(code);
  if (shape === undefined) throw cursor.error(`the abbreviation ${code} is not defined`, offset);
  const { tag, hasChildren, attributes } = shape;
  const values = new Map<number, Value>();
  for (let i = 0; i < attributes.length; i += 3) {
    const attribute = attributes[i] ?? 0;
    const value = readValue(cursor, unit, attributes[i + 1] ?? 0, attributes[i + 2] ?? 0);
    if (WANTED.has(attribute)) values.set(attribute, value);
  }
  return { offset, tag, hasChildren, values, next: cursor.at };
}

/** Widths of forms that have always the same one. */
const FIXED: Readonly<Record<number, number>> = {
  [FORM.data1]: 1,
  [FORM.flag]: 1,
  [FORM.ref1]: 1,
  [FORM.strx1]: 1,
  [FORM.addrx1]: 1,
  [FORM.data2]: 2,
  [FORM.ref2]: 2,
  [FORM.strx2]: 2,
  [FORM.addrx2]: 2,
  [FORM.strx3]: 3,
  [FORM.addrx3]: 3,
  [FORM.data4]: 4,
  [FORM.ref4]: 4,
  [FORM.strx4]: 4,
  [FORM.addrx4]: 4,
  [FORM.refSup4]: 4,
  [FORM.data8]: 8,
  [FORM.ref8]: 8,
  [FORM.refSig8]: 8,
  [FORM.refSup8]: 8,
};
/** Forms with a number of variable length. */
const VARIABLE: ReadonlySet<number> = new Set([
  FORM.udata,
  FORM.refUdata,
  FORM.strx,
  FORM.addrx,
  FORM.loclistx,
  FORM.rnglistx,
  FORM.gnuAddrIndex,
  FORM.gnuStrIndex,
]);
/** Forms with an offset as wide as those of the unit. */
const OFFSETS: ReadonlySet<number> = new Set([
  FORM.strp,
  FORM.lineStrp,
  FORM.secOffset,
  FORM.strpSup,
  FORM.gnuRefAlt,
  FORM.gnuStrpAlt,
]);

/** What forms need to know of the unit that they are in. */
export type FormWidths = Pick<DwarfUnit, 'version' | 'addressSize' | 'offsetSize'>;

export function readValue(cursor: Cursor, widths: FormWidths, form: number, constant: number): Value {
  const fixed = FIXED[form];
  if (fixed !== undefined) return { form, number: cursor.sized(fixed) };
  if (VARIABLE.has(form)) return { form, number: cursor.unsigned() };
  if (OFFSETS.has(form)) return { form, number: cursor.sized(widths.offsetSize) };
  if (form === FORM.addr) return { form, number: cursor.sized(widths.addressSize) };
  if (form === FORM.string) return { form, number: cursor.at, text: cursor.text() };
  if (form === FORM.sdata) return { form, number: cursor.signed() };
  if (form === FORM.flagPresent) return { form, number: 1 };
  if (form === FORM.implicitConst) return { form, number: constant };
  // Version 2 gave such references the width of addresses.
  if (form === FORM.refAddr)
    return { form, number: cursor.sized(widths.version <= 2 ? widths.addressSize : widths.offsetSize) };
  if (form === FORM.indirect) return readValue(cursor, widths, direct(cursor), 0);
  return { form, number: skipBlock(cursor, form) };
}

function direct(cursor: Cursor): number {
  const form = cursor.unsigned();
  if (form === FORM.indirect) throw cursor.error('an indirect form that names itself');
  return form;
}

/** Skips a block of bytes and returns where its contents begin. */
function skipBlock(cursor: Cursor, form: number): number {
  const { at } = cursor;
  const size = blockSize(cursor, form);
  if (size === undefined) throw unknownForm(cursor, form, at);
  cursor.skip(size);
  return cursor.at - size;
}

function blockSize(cursor: Cursor, form: number): number | undefined {
  if (form === FORM.block || form === FORM.exprloc) return cursor.unsigned();
  if (form === FORM.block1) return cursor.u8();
  if (form === FORM.block2) return cursor.u16();
  if (form === FORM.block4) return cursor.u32();
  return form === FORM.data16 ? 16 : undefined;
}

function unknownForm(cursor: Cursor, form: number, at: number): DwarfError {
  return cursor.error(`the form 0x${form.toString(16)} is unknown`, at);
}

/** Nested entries. Deeper ones are those of damaged files. */
const DEEPEST = 1 << 12;

/** Visits all entries below one, in their order. `visit` gets what it returned for the entry around it, `first` at the top. */
export function walkBelow<Place>(
  unit: DwarfUnit,
  root: Pick<Entry, 'hasChildren' | 'next'>,
  first: Place,
  visit: (entry: Entry, place: Place) => Place,
): void {
  if (!root.hasChildren) return;
  const open = [first];
  for (let at = root.next; at < unit.end && open.length > 0; ) {
    const entry = readEntry(unit, at);
    at = entry.next;
    if (entry.tag === 0) {
      open.pop();
      continue;
    }
    const inner = visit(entry, open.at(-1) ?? first);
    if (entry.hasChildren && open.length < DEEPEST) open.push(inner);
  }
}
