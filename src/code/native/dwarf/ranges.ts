/** Address ranges of units, functions and inlined calls ("DWARF Debugging Information Format", version 5, section 2.17; version 4 for `.debug_ranges`). */
import { AT, FORM } from './constants.js';
import { Cursor } from './cursor.js';
import type { Entry } from './entries.js';
import type { UnitReader } from './units.js';

/** From an address to another, which is the first one behind. */
export interface AddressRange {
  readonly from: number;
  readonly to: number;
}

/** Ranges of an entry that are read; no compiler writes more. */
const MOST_RANGES = 1 << 20;

/** The ranges of an entry; none if it has no code. */
export function rangesOf(reader: UnitReader, { values }: Entry): readonly AddressRange[] {
  const from = reader.address(values.get(AT.lowPc));
  const high = values.get(AT.highPc);
  if (from !== undefined && high !== undefined) {
    const to = reader.address(high) ?? from + high.number;
    return to > from ? [{ from, to }] : [];
  }
  const ranges = values.get(AT.ranges);
  if (ranges === undefined) return [];
  if (reader.unit.version < 5) return oldRanges(reader, ranges.number + reader.bases.ranges * Number(isSplit(reader)));
  return rangeList(reader, ranges.form === FORM.rnglistx ? listOffset(reader, ranges.number) : ranges.number);
}

function isSplit({ unit, bases }: UnitReader): boolean {
  return bases.addressFile !== unit.file;
}

/** `.debug_ranges` of a split unit is that of the program. */
function oldRanges({ unit, bases, lowPc }: UnitReader, offset: number): AddressRange[] {
  const { addressSize } = unit;
  const own = unit.file.sections.ranges;
  const section = own.bytes.length > 0 ? own : bases.addressFile.sections.ranges;
  const cursor = new Cursor(section, offset);
  const largest = addressSize === 8 ? 2 ** 64 : 0xffffffff;
  const ranges: AddressRange[] = [];
  let base = lowPc;
  while (ranges.length < MOST_RANGES) {
    const [first, second] = [cursor.sized(addressSize), cursor.sized(addressSize)];
    if (first === 0 && second === 0) break;
    if (first >= largest) base = second;
    else add(ranges, base + first, base + second);
  }
  return ranges;
}

function listOffset({ unit, bases }: UnitReader, index: number): number {
  const at = bases.rangeLists + index * unit.offsetSize;
  return bases.rangeLists + new Cursor(unit.file.sections.rnglists, at).sized(unit.offsetSize);
}

/** The kinds of entries of `.debug_rnglists`, `DW_RLE_…`. */
const KIND = {
  end: 0,
  baseIndex: 1,
  startIndexEndIndex: 2,
  startIndexLength: 3,
  offsetPair: 4,
  base: 5,
  startEnd: 6,
  startLength: 7,
} as const;

function rangeList(reader: UnitReader, offset: number): AddressRange[] {
  const { unit } = reader;
  const cursor = new Cursor(unit.file.sections.rnglists, offset);
  const address = (): number => cursor.sized(unit.addressSize);
  const indexed = (): number => reader.indexedAddress(cursor.unsigned());
  const ranges: AddressRange[] = [];
  let base = reader.lowPc;
  while (ranges.length < MOST_RANGES) {
    const kind = cursor.u8();
    if (kind === KIND.end) break;
    if (kind === KIND.baseIndex) base = indexed();
    else if (kind === KIND.base) base = address();
    else if (kind === KIND.startIndexEndIndex) add(ranges, indexed(), indexed());
    else if (kind === KIND.startIndexLength) addLength(ranges, indexed(), cursor.unsigned());
    else if (kind === KIND.offsetPair) add(ranges, base + cursor.unsigned(), base + cursor.unsigned());
    else if (kind === KIND.startEnd) add(ranges, address(), address());
    else if (kind === KIND.startLength) addLength(ranges, address(), cursor.unsigned());
    else throw cursor.error(`ranges of the unknown kind ${kind}`);
  }
  return ranges;
}

function addLength(ranges: AddressRange[], from: number, length: number): void {
  add(ranges, from, from + length);
}

function add(ranges: AddressRange[], from: number, to: number): void {
  if (to > from) ranges.push({ from, to });
}
