/**
 * Lines and inlined calls of a program by address, from its DWARF. Opening reads the headers of the units and one entry of each; the line table and
 * the entries of a unit are read when one of its addresses is asked for. Damage of a unit loses that unit only.
 */
import { UnreadableError } from '../../../base/errors.js';
import { type ElfFile, SHF_EXECUTABLE } from '../elf.js';
import { AT, UNIT } from './constants.js';
import { type EntryPlace, readEntry } from './entries.js';
import type { DwarfFile } from './file.js';
import { type DwarfFunction, type ScopeAt, UnitFunctions } from './functions.js';

export type { DwarfFunction } from './functions.js';

import { joined, type Line, type LineTable, NO_LINES, readLines } from './lines.js';
import { type AddressRange, rangesOf } from './ranges.js';
import { type Subprogram, subprogramsOf } from './subprograms.js';
import type { DwarfUnit } from './unit.js';
import { readUnits, UnitReader } from './units.js';

/** A function at an address, with the line of the address in it, or of the call that was inlined there. */
export interface DwarfFrame {
  readonly function: DwarfFunction | undefined;
  /** Path of the source file of `line`. */
  readonly file: string | undefined;
  /** 0 if unknown. */
  readonly line: number;
  /** Where the code of the function begins; undefined for inlined calls. */
  readonly start: number | undefined;
}

/** Lines of a function, ascending, in the file that declares it. */
export interface FunctionLines {
  readonly file: string;
  readonly lines: readonly number[];
}

/** A function of a unit, or a call that was inlined into it, with the code of its own. */
export interface UnitScope {
  readonly function: DwarfFunction | undefined;
  /** Whether its entry refers to another one, which names the function. */
  readonly copied: boolean;
  readonly ranges: readonly AddressRange[];
  /** Index of the scope around it; -1 of functions. */
  readonly parent: number;
  /** Where the call that it replaces is; undefined of functions. */
  readonly call: { readonly file: string | undefined; readonly line: number } | undefined;
}

/** Everything that a compile unit says of its code. */
export interface UnitCode {
  /** Version of DWARF. */
  readonly version: number;
  /** Path of its source. */
  readonly source: string | undefined;
  /** The address at which it begins; 0 if it has code in several places. */
  readonly base: number;
  /** In the order of the entries: outer ones first. */
  readonly scopes: readonly UnitScope[];
  /** Rows of the line table, in its order, without the ends of sequences. */
  readonly rows: readonly (Line & { readonly address: number })[];
}

/** A compile unit with the entries of its functions. */
export interface UnitSubprograms {
  /** Version of DWARF. */
  readonly version: number;
  readonly subprograms: readonly (Omit<Subprogram, 'file'> & { readonly file: string | undefined })[];
  readonly code: () => Promise<UnitCode | undefined>;
}

/** The other half of a split unit: the file that holds it, and the unit's number in that file or in a package. */
export interface SplitWanted {
  readonly directory: string;
  readonly name: string;
  readonly id: number;
}

/** Finds a file with the other half of a split unit; undefined if there is none. */
export type OpenSplit = (wanted: SplitWanted) => Promise<DwarfFile | undefined>;

/** References that lead from a copy of a function to its declaration. */
const MOST_REFERENCES = 16;

interface LoadedUnit {
  readonly lines: LineTable;
  readonly functions: Pick<UnitFunctions, 'at' | 'scopes'>;
}

export class DebugInfo {
  /** What is wrong with it, in the order of finding. */
  readonly problems: string[] = [];
  /** Split units whose file is missing. */
  readonly missing: string[] = [];
  readonly #openSplit: OpenSplit;
  /** Units of each file that was needed. */
  readonly #units = new Map<DwarfFile, readonly DwarfUnit[]>();
  readonly #readers = new Map<DwarfUnit, UnitReader>();
  readonly #loaded = new Map<UnitReader, LoadedUnit>();
  /** Skeletons of the units of split files. */
  readonly #skeletons = new Map<DwarfFile, UnitReader>();
  /** In the order of addresses. */
  readonly #ranges: { readonly from: number; readonly to: number; readonly reader: UnitReader }[] = [];
  readonly #functions = new Map<DwarfFile, Map<number, DwarfFunction>>();
  readonly #codes = new Map<UnitReader, UnitCode>();
  /** Of units whose code was not asked for. */
  readonly #lines = new Map<UnitReader, LineTable>();

  constructor(file: DwarfFile, elf: ElfFile, openSplit: OpenSplit = () => Promise.resolve(undefined)) {
    this.#openSplit = openSplit;
    const code = elf.sections.filter(({ flags }) => (flags & SHF_EXECUTABLE) !== 0);
    // Linkers leave the units of code that they removed at address 0 or at the last one.
    const isCode = (address: number): boolean =>
      code.some((section) => address >= section.address && address - section.address < section.size);
    for (const unit of this.#unitsOf(file)) {
      this.#guard(() => {
        const reader = this.#readerOf(unit);
        for (const { from, to } of rangesOf(reader, reader.root))
          if (isCode(from)) this.#ranges.push({ from, to, reader });
      });
    }
    this.#ranges.sort((a, b) => a.from - b.from);
  }

  /** Whether it has any code. */
  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  /** The function of an address and the calls inlined there, outermost first. None if no unit has the address. */
  async at(address: number): Promise<readonly DwarfFrame[]> {
    const reader = this.#unitAt(address);
    if (reader === undefined) return [];
    const loaded = this.#loaded.get(reader) ?? (await this.#load(reader));
    return this.#guard(() => this.#framesOf(loaded, address)) ?? [];
  }

  /** The lines of the function around an address in its own file, without those of inlined calls; undefined if unknown. */
  async linesAround(address: number): Promise<FunctionLines | undefined> {
    const reader = this.#unitAt(address);
    if (reader === undefined) return undefined;
    const { lines, functions } = this.#loaded.get(reader) ?? (await this.#load(reader));
    return this.#guard(() => {
      const [scope] = functions.at(address);
      const of = scope && this.#functionOf(scope);
      if (scope === undefined || of?.file === undefined) return undefined;
      const found = new Set<number>();
      // Compilers leave lines of inlined calls behind where they moved code.
      const least = Math.max(1, of.line ?? 1);
      for (const { from, to } of scope.ranges)
        for (const row of lines.within(from, to))
          if (row.file === of.file && row.line >= least && functions.at(row.address).length === 1) found.add(row.line);
      if (of.line !== undefined) found.add(of.line);
      return { file: of.file, lines: [...found].sort((a, b) => a - b) };
    });
  }

  /** The unit that has an address; the same one for all of its addresses. Undefined if none has it. */
  async unitAround(address: number): Promise<UnitCode | undefined> {
    const reader = this.#unitAt(address);
    return reader && this.#codeFor(reader);
  }

  async #codeFor(reader: UnitReader): Promise<UnitCode | undefined> {
    const known = this.#codes.get(reader);
    if (known !== undefined) return known;
    const loaded = this.#loaded.get(reader) ?? (await this.#load(reader));
    const made = this.#guard(() => this.#codeOf(reader, loaded));
    if (made !== undefined) this.#codes.set(reader, made);
    return made;
  }

  /** All units with code, in the order of the file, with the entries of their functions. */
  async unitsWithSubprograms(): Promise<readonly UnitSubprograms[]> {
    const readers = new Set(this.#ranges.map(({ reader }) => reader));
    const units: UnitSubprograms[] = [];
    for (const reader of [...readers].sort((a, b) => a.unit.offset - b.unit.offset)) {
      const { lines } = this.#loaded.get(reader) ?? (await this.#load(reader));
      const subprograms = this.#guard(() => subprogramsOf(reader)) ?? [];
      units.push({
        version: reader.unit.version,
        subprograms: subprograms.map(({ file, ...each }) => ({ ...each, file: lines.fileOf(file) })),
        code: () => this.#codeFor(reader),
      });
    }
    return units;
  }

  #codeOf(reader: UnitReader, { lines, functions }: LoadedUnit): UnitCode {
    const { values } = reader.root;
    const name = reader.text(values.get(AT.name));
    const directory = reader.text(values.get(AT.compileDirectory)) ?? '';
    return {
      version: reader.unit.version,
      source: name && joined(directory, name),
      base: reader.lowPc,
      scopes: functions.scopes.map(({ entry, ranges, parent, call }) => {
        const of = this.#functionOf({ entry });
        const copied = of !== undefined && of.origin.offset !== entry.offset;
        return {
          function: of,
          copied,
          ranges,
          parent,
          call: call && { file: lines.fileOf(call.file), line: call.line },
        };
      }),
      rows: [...lines.within(0, Number.POSITIVE_INFINITY)],
    };
  }

  #framesOf({ lines, functions }: LoadedUnit, address: number): DwarfFrame[] {
    const at = lines.at(address);
    const scopes = functions.at(address);
    if (scopes.length === 0) return at === undefined ? [] : [{ function: undefined, ...at, start: undefined }];
    return scopes.map((scope, i) => {
      const call = scopes[i + 1]?.call;
      const line = call === undefined ? at : { file: lines.fileOf(call.file), line: call.line };
      return {
        function: this.#functionOf(scope),
        file: line?.file,
        line: line?.line ?? 0,
        start: scope.call === undefined ? scope.start : undefined,
      };
    });
  }

  #unitAt(address: number): UnitReader | undefined {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ranges[middle]?.from ?? 0) <= address) low = middle + 1;
      else high = middle;
    }
    const range = this.#ranges[low - 1];
    return range !== undefined && address < range.to ? range.reader : undefined;
  }

  async #load(reader: UnitReader): Promise<LoadedUnit> {
    const full = (await this.#splitOf(reader)) ?? reader;
    const lines = this.#guard(() => readLines(reader));
    const functions = this.#guard(() => new UnitFunctions(full));
    const loaded = { lines: lines ?? NO_LINES, functions: functions ?? NO_FUNCTIONS };
    this.#loaded.set(reader, loaded);
    return loaded;
  }

  /** The other half of a split unit; undefined if the unit is whole, or the half is missing. */
  async #splitOf(reader: UnitReader): Promise<UnitReader | undefined> {
    const { values } = reader.root;
    const name = reader.text(values.get(AT.dwoName) ?? values.get(AT.gnuDwoName));
    if (name === undefined) return undefined;
    const id = reader.unit.splitId ?? values.get(AT.gnuDwoId)?.number ?? 0;
    const directory = reader.text(values.get(AT.compileDirectory)) ?? '';
    const file = await this.#openSplit({ directory, name, id });
    const unit = this.#guard(() => {
      if (file !== undefined) this.#skeletons.set(file, reader);
      return file && this.#unitsOf(file).find((each) => this.#splitIdOf(each) === id);
    });
    if (unit === undefined) this.missing.push(name);
    return unit && this.#guard(() => this.#readerOf(unit));
  }

  #splitIdOf(unit: DwarfUnit): number | undefined {
    if (unit.type === UNIT.splitType || unit.type === UNIT.type) return undefined;
    return unit.splitId ?? this.#readerOf(unit).root.values.get(AT.gnuDwoId)?.number;
  }

  #unitsOf(file: DwarfFile): readonly DwarfUnit[] {
    const known = this.#units.get(file);
    if (known !== undefined) return known;
    const { units, broken } = readUnits(file);
    if (broken instanceof UnreadableError) this.problems.push(broken.message);
    else if (broken !== undefined) throw broken;
    this.#units.set(file, units);
    return units;
  }

  #readerOf(unit: DwarfUnit): UnitReader {
    const known = this.#readers.get(unit) ?? new UnitReader(unit, this.#skeletons.get(unit.file));
    this.#readers.set(unit, known);
    return known;
  }

  /** Name and file of the function of a scope, through its references to the declaration. */
  #functionOf({ entry }: Pick<ScopeAt, 'entry'>): DwarfFunction | undefined {
    const perFile = this.#functions.get(entry.file) ?? new Map<number, DwarfFunction>();
    this.#functions.set(entry.file, perFile);
    const known = perFile.get(entry.offset) ?? this.#guard(() => this.#described(entry));
    if (known !== undefined) perFile.set(entry.offset, known);
    return known;
  }

  #described(entry: EntryPlace): DwarfFunction {
    let [place, origin]: [EntryPlace | undefined, EntryPlace] = [entry, entry];
    /** The entry that the first reference leads to. */
    let stands: EntryPlace | undefined;
    const facts: Partial<Record<'linked' | 'plain' | 'plainName' | 'file', string | undefined>> & {
      line?: number | undefined;
    } = {};
    for (let left = MOST_REFERENCES; place !== undefined && left > 0; left--) {
      const reader = this.#readerAt(place);
      if (reader === undefined) break;
      origin = place;
      const { values } = readEntry(reader.unit, place.offset);
      facts.linked ??= reader.text(values.get(AT.linkageName) ?? values.get(AT.mipsLinkageName));
      facts.plain ??= reader.text(values.get(AT.name));
      if (values.has(AT.abstractOrigin)) stands = reader.reference(values.get(AT.abstractOrigin));
      else if (stands?.offset === place.offset) facts.plainName = reader.text(values.get(AT.name));
      facts.line ??= values.get(AT.declarationLine)?.number;
      const file = values.get(AT.declarationFile)?.number;
      if (file !== undefined) facts.file ??= this.#linesOf(reader)?.fileOf(file);
      place = reader.reference(values.get(AT.abstractOrigin) ?? values.get(AT.specification));
    }
    const { plainName, file, line } = facts;
    return { name: facts.linked ?? facts.plain, file, line, origin, ...(plainName !== undefined && { plainName }) };
  }

  /** The line table that file numbers of a unit count in: of split units, that of the skeleton. */
  #linesOf(reader: UnitReader): LineTable | undefined {
    const owner = this.#skeletons.get(reader.unit.file) ?? reader;
    const loaded = this.#loaded.get(owner);
    if (loaded !== undefined) return loaded.lines;
    const known = this.#lines.get(owner) ?? this.#guard(() => readLines(owner));
    if (known !== undefined) this.#lines.set(owner, known);
    return known;
  }

  #readerAt({ file, offset }: EntryPlace): UnitReader | undefined {
    const units = this.#unitsOf(file);
    let [low, high] = [0, units.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((units[middle]?.offset ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const unit = units[low - 1];
    return unit === undefined || offset < unit.first || offset >= unit.end ? undefined : this.#readerOf(unit);
  }

  /** What a function returns; undefined, and a problem, if the debug information is damaged there. */
  #guard<Value>(read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      if (!this.problems.includes(error.message)) this.problems.push(error.message);
      return undefined;
    }
  }
}

const NO_FUNCTIONS: Pick<UnitFunctions, 'at' | 'scopes'> = { at: () => [], scopes: [] };
