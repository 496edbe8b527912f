/**
 * Functions of an ELF file by their places in the file: from the symbol table, and the dynamic one where that was stripped. Code between them is
 * one pseudo function a gap, `<static>@0x271c1`, as the Performance Analyzer names it. Memory: 16 bytes a symbol and the names.
 */
import { firstNot } from '../../base/columns/search.js';
import { decodeUtf8 } from '../../base/text.js';
import {
  bytesAt,
  type ElfFile,
  type ElfSection,
  Fields,
  SHF_EXECUTABLE,
  SHT_DYNSYM,
  SHT_NOBITS,
  SHT_SYMTAB,
} from './elf.js';

/** Name of the code through which a program calls functions of libraries. */
export const STUBS = '@plt';

/** A function that contains a place. */
export interface FunctionAt {
  readonly name: string;
  /** Offset in the file at which it begins. */
  readonly start: number;
  /** Offset behind its last byte: the next function begins there, if its symbol has no size. */
  readonly end: number;
  /** Whether no symbol has the place. */
  readonly stripped: boolean;
  /** Of code through which a program calls functions of libraries, its section, such as `.plt.got`. */
  readonly section?: string;
}

export interface ElfFunctions {
  readonly length: number;
  /** The function at an offset in the file; undefined outside of code. */
  at(offset: number): FunctionAt | undefined;
  /** The offset at which the function of a name begins; undefined if there is none, or several. Reads all names once. */
  startOf(name: string): number | undefined;
  /** Whether any function has a name. Reads all names once, too. */
  has(name: string): boolean;
  /** Where functions begin and end by their symbols, in order, and how many names each has. */
  ranges(): Iterable<{ readonly start: number; readonly end: number; readonly names: number }>;
  /** All names of the function that begins at an offset, in alphabetical order. */
  namesAt(start: number): readonly string[];
}

/** Bytes of symbols and of names that are read of a file. */
const MOST_BYTES = 1 << 30;
/** `e_machine`. */
const PPC64 = 21;
const ARM = 40;
const FUNCTION = 2;
const INDIRECT = 10;
/** `st_shndx` of symbols that are defined elsewhere; from the reserved ones on they are no places in a section. */
const UNDEFINED = 0;
const RESERVED = 0xff00;

interface Code {
  readonly offset: number;
  readonly end: number;
  readonly name: string;
}

/** A symbol: where it begins and ends in the file, and where its name is. */
interface Symbols {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly nameAt: Float64Array;
  readonly length: number;
  readonly names: Uint8Array;
}

/**
 * Reads the functions of a file: one pass over its symbols, and a sort. `others`: files with more symbols of the same program, such as its debug file;
 * only the program itself knows where in it an address lies.
 */
export async function elfFunctions(elf: ElfFile, others: readonly ElfFile[] = []): Promise<ElfFunctions> {
  const code = elf.sections
    .filter(({ flags, type }) => (flags & SHF_EXECUTABLE) !== 0 && type !== SHT_NOBITS)
    .map(({ offset, size, name }) => ({ offset, end: offset + size, name }))
    .sort((a, b) => a.offset - b.offset);
  const places = await FilePlaces.of(elf);
  const read: Symbols[] = [];
  for (const holder of [elf, ...others])
    for (const kind of [SHT_SYMTAB, SHT_DYNSYM])
      for (const table of holder.sections.filter(({ type }) => type === kind))
        read.push(await symbolsOf(holder, table, places));
  return new SortedFunctions(read, code);
}

async function symbolsOf(elf: ElfFile, table: ElfSection, places: FilePlaces): Promise<Symbols> {
  const { source, littleEndian, wide, sections } = elf;
  const size = wide ? 24 : 16;
  const bytes = await bytesAt(source, table.offset, Math.min(table.size, MOST_BYTES));
  const holder = sections[table.link];
  const names = holder ? await bytesAt(source, holder.offset, Math.min(holder.size, MOST_BYTES)) : new Uint8Array();
  const count = Math.floor(bytes.length / size);
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  const nameAt = new Float64Array(count);
  const fields = new Fields(bytes, wide, littleEndian);
  let length = 0;
  for (let at = 0; at + size <= bytes.length; at += size) {
    const kind = bytes[at + (wide ? 4 : 12)] & 15;
    const section = fields.half(at + (wide ? 6 : 14));
    if ((kind !== FUNCTION && kind !== INDIRECT) || section === UNDEFINED || section >= RESERVED) continue;
    const place = places.of(fields.address(at + (wide ? 8 : 4)), elf, section);
    if (place < 0) continue;
    start[length] = place;
    end[length] = place + fields.address(at + (wide ? 16 : 8));
    nameAt[length++] = fields.word(at);
  }
  return { start, end, nameAt, length, names };
}

/** Addresses of symbols as offsets in the file of a program. */
class FilePlaces {
  readonly #elf: ElfFile;
  /** Of PowerPC: symbols of functions are descriptors in `.opd`, whose first word is the address of the code. */
  readonly #descriptors: { readonly section: ElfSection; readonly fields: Fields } | undefined;

  private constructor(elf: ElfFile, section: ElfSection | undefined, bytes: Uint8Array) {
    this.#elf = elf;
    this.#descriptors = section && { section, fields: new Fields(bytes, elf.wide, elf.littleEndian) };
  }

  static async of(elf: ElfFile): Promise<FilePlaces> {
    const section = elf.machine === PPC64 ? elf.sections.find(({ name }) => name === '.opd') : undefined;
    const bytes = section && (await bytesAt(elf.source, section.offset, Math.min(section.size, MOST_BYTES)));
    return new FilePlaces(elf, section, bytes ?? new Uint8Array());
  }

  /** Of an address in a section of the file that has the symbol; -1 if no part of the program has it. */
  of(symbol: number, holder: ElfFile, section: number): number {
    // The lowest bit of a symbol of ARM says that its code is Thumb.
    const address = this.#elf.machine === ARM ? symbol - (symbol % 2) : symbol;
    const within = this.#descriptors ? address - this.#descriptors.section.address : -1;
    if (this.#descriptors && within >= 0 && within + 8 <= this.#descriptors.fields.length)
      return this.#loaded(this.#descriptors.fields.address(within));
    const own = holder === this.#elf ? holder.sections[section] : undefined;
    if (own !== undefined && address >= own.address && address - own.address <= own.size)
      return own.type === SHT_NOBITS ? -1 : own.offset + (address - own.address);
    return this.#loaded(address);
  }

  #loaded(address: number): number {
    const loaded = this.#elf.segments.find((part) => address >= part.address && address - part.address < part.size);
    return loaded === undefined ? -1 : loaded.offset + (address - loaded.address);
  }
}

class SortedFunctions implements ElfFunctions {
  readonly length: number;
  /** In the order of starts, one a start: of several names the last one in the alphabet. */
  readonly #start: Float64Array;
  readonly #end: Float64Array;
  readonly #nameAt: Float64Array;
  readonly #table: Uint8Array;
  readonly #tables: readonly Symbols[];
  /** The largest end up to each row. */
  readonly #reach: Float64Array;
  readonly #code: readonly Code[];
  /** Starts by name; -1 if several functions have it. */
  #starts: ReadonlyMap<string, number> | undefined;
  /** Names by start, of functions with several. */
  #aliases: ReadonlyMap<number, readonly string[]> | undefined;

  constructor(tables: readonly Symbols[], code: readonly Code[]) {
    const count = tables.reduce((sum, { length }) => sum + length, 0);
    const flat = { start: new Float64Array(count), row: new Int32Array(count), table: new Uint8Array(count) };
    let filled = 0;
    for (const [number, { length, start }] of tables.entries()) {
      flat.start.set(start.subarray(0, length), filled);
      for (let row = 0; row < length; row++, filled++) {
        flat.row[filled] = row;
        flat.table[filled] = number;
      }
    }
    const order = Int32Array.from({ length: count }, (_, i) => i).sort(
      (a, b) => flat.start[a] - flat.start[b] || a - b,
    );
    this.#tables = tables;
    this.#code = code;
    this.#start = new Float64Array(count);
    this.#end = new Float64Array(count);
    this.#nameAt = new Float64Array(count);
    this.#table = new Uint8Array(count);
    this.length = this.#join(order, flat);
    this.#reach = new Float64Array(this.length);
    let reach = 0;
    for (let i = 0; i < this.length; i++) {
      reach = Math.max(reach, this.#end[i]);
      this.#reach[i] = reach;
    }
  }

  /** Fills the columns; symbols of one start are one function with the largest end. Returns the number of functions. */
  #join(order: Int32Array, flat: { start: Float64Array; row: Int32Array; table: Uint8Array }): number {
    let length = 0;
    for (const i of order) {
      const [start, row, table] = [flat.start[i], flat.row[i], flat.table[i]];
      const symbols = this.#tables[table];
      if (symbols === undefined) continue;
      const last = length - 1;
      const isAlias = last >= 0 && this.#start[last] === start;
      const at = isAlias ? last : length++;
      this.#end[at] = isAlias ? Math.max(this.#end[at], symbols.end[row]) : symbols.end[row];
      const isLater = isAlias && nameOf(symbols, symbols.nameAt[row]) > this.#nameOf(at);
      if (isAlias && !isLater) continue;
      this.#start[at] = start;
      this.#nameAt[at] = symbols.nameAt[row];
      this.#table[at] = table;
    }
    return length;
  }

  #nameOf(at: number): string {
    const symbols = this.#tables[this.#table[at]];
    return symbols === undefined ? '' : nameOf(symbols, this.#nameAt[at]);
  }

  startOf(name: string): number | undefined {
    this.#starts ??= this.#startsByName();
    const start = this.#starts.get(name) ?? -1;
    return start < 0 ? undefined : start;
  }

  has(name: string): boolean {
    this.#starts ??= this.#startsByName();
    return this.#starts.has(name);
  }

  #startsByName(): ReadonlyMap<string, number> {
    const starts = new Map<string, number>();
    for (const symbols of this.#tables)
      for (let row = 0; row < symbols.length; row++) {
        const name = nameOf(symbols, symbols.nameAt[row]);
        const known = starts.get(name) ?? symbols.start[row];
        starts.set(name, known === symbols.start[row] ? known : -1);
      }
    return starts;
  }

  *ranges(): Iterable<{ readonly start: number; readonly end: number; readonly names: number }> {
    for (let i = 0; i < this.length; i++)
      yield { start: this.#start[i], end: this.#end[i], names: this.namesAt(this.#start[i]).length };
  }

  namesAt(start: number): readonly string[] {
    const at = this.#countUpTo(start) - 1;
    if (at < 0 || this.#start[at] !== start) return [];
    this.#aliases ??= this.#aliasesByStart();
    return this.#aliases.get(start) ?? [this.#nameOf(at)];
  }

  #aliasesByStart(): ReadonlyMap<number, readonly string[]> {
    const aliases = new Map<number, string[]>();
    for (const symbols of this.#tables)
      for (let row = 0; row < symbols.length; row++) {
        const at = this.#countUpTo(symbols.start[row]) - 1;
        const name = nameOf(symbols, symbols.nameAt[row]);
        const chosen = this.#nameOf(at);
        if (name === chosen) continue;
        const names = aliases.get(symbols.start[row]) ?? [chosen];
        if (!names.includes(name)) aliases.set(symbols.start[row], [...names, name].sort());
      }
    return aliases;
  }

  at(offset: number): FunctionAt | undefined {
    const section = this.#code.find((part) => offset >= part.offset && offset < part.end);
    const before = this.#countUpTo(offset) - 1;
    const found = this.#around(before, offset, section);
    const next = Math.min(section?.end ?? offset + 1, before + 1 < this.length ? this.#start[before + 1] : Infinity);
    if (found >= 0) {
      const [start, end] = [this.#start[found], this.#end[found]];
      return { name: this.#nameOf(found), start, end: end > start ? end : next, stripped: false };
    }
    if (section === undefined) return undefined;
    if (section.name.startsWith('.plt'))
      return { name: STUBS, start: section.offset, end: section.end, stripped: true, section: section.name };
    const start = Math.max(section.offset, before < 0 ? 0 : this.#reach[before]);
    return { name: `<static>@0x${start.toString(16)}`, start, end: next, stripped: true };
  }

  /** The innermost function around an offset; one without a size lasts up to the next. -1 if there is none. */
  #around(before: number, offset: number, section: Code | undefined): number {
    for (let i = before; i >= 0 && (this.#reach[i] > offset || i === before); i--) {
      const isSized = this.#end[i] > this.#start[i];
      if (offset < this.#end[i]) return i;
      if (!isSized && i === before && section !== undefined && this.#start[i] >= section.offset) return i;
    }
    return -1;
  }

  /** Number of functions that begin at or before an offset. */
  #countUpTo(offset: number): number {
    return firstNot(0, this.length, (i) => this.#start[i] <= offset);
  }
}

function nameOf({ names }: Symbols, at: number): string {
  if (at >= names.length) return '';
  const end = names.indexOf(0, at);
  return decodeUtf8(names, at, end < 0 ? names.length : end);
}
