/**
 * Line tables: the state machine of `.debug_line` ("DWARF Debugging Information Format", version 5, section 6.2; versions 2 to 4 have other headers).
 * A table is run as a whole when the first address of its unit is asked for: 16 bytes a row.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { AT, FORM } from './constants.js';
import { Cursor } from './cursor.js';
import { readValue } from './entries.js';
import type { UnitReader } from './units.js';

/** A line of a source file. `line` 0: the compiler gave none. */
export interface Line {
  readonly file: string | undefined;
  readonly line: number;
}

export interface LineTable {
  /** The source line of an address; undefined if the table does not have it. */
  at(address: number): Line | undefined;
  /** The rows from an address to another, in the order of the table. */
  within(from: number, to: number): Iterable<Line & { readonly address: number }>;
  /** The path of a file by its number in this unit. */
  fileOf(number: number): string | undefined;
}

export const NO_LINES: LineTable = { at: () => undefined, within: () => [], fileOf: () => undefined };

/** The line table of a unit; one without lines if the unit names none. */
export function readLines(reader: UnitReader): LineTable {
  const at = reader.root.values.get(AT.statementList)?.number;
  return at === undefined ? NO_LINES : new LineProgram(reader, at).run();
}

/** Rows of one table. A sequence is a part with ascending addresses; its last row is the end of its code. */
class Rows implements LineTable {
  readonly address = new Float64Builder();
  readonly file = new Int32Builder();
  readonly line = new Int32Builder();
  /** First row of each sequence; the rows behind the last one are incomplete. */
  readonly starts: number[] = [0];
  readonly #files: readonly string[];
  /** Of version 5 on, files are counted from 0. */
  readonly #first: number;
  #sorted: readonly Sequence[] | undefined;

  constructor(files: readonly string[], first: number) {
    this.#files = files;
    this.#first = first;
  }

  add(address: number, file: number, line: number): void {
    this.address.push(address);
    this.file.push(file);
    this.line.push(line);
  }

  fileOf(number: number): string | undefined {
    return this.#files[number - this.#first];
  }

  at(address: number): Line | undefined {
    this.#sorted ??= this.#sequences();
    const sequence = this.#sorted.find(({ from, to }) => address >= from && address < to);
    if (sequence === undefined) return undefined;
    let [low, high] = [sequence.first, sequence.last];
    const addresses = this.address.values;
    // Of several rows at an address, the last one counts.
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (addresses[middle] <= address) low = middle + 1;
      else high = middle;
    }
    const row = low - 1;
    return { file: this.fileOf(this.file.values[row]), line: this.line.values[row] };
  }

  *within(from: number, to: number): Iterable<Line & { readonly address: number }> {
    this.#sorted ??= this.#sequences();
    for (const { first, last } of this.#sorted)
      for (let row = first; row < last; row++) {
        const address = this.address.values[row];
        if (address < from || address >= to) continue;
        yield { address, file: this.fileOf(this.file.values[row]), line: this.line.values[row] };
      }
  }

  #sequences(): Sequence[] {
    const sequences: Sequence[] = [];
    const addresses = this.address.values;
    for (let i = 0; i + 1 < this.starts.length; i++) {
      const [first, last] = [this.starts[i] ?? 0, (this.starts[i + 1] ?? 0) - 1];
      if (last > first) sequences.push({ first, last, from: addresses[first], to: addresses[last] });
    }
    return sequences.filter(({ from, to }) => to > from);
  }
}

/** Rows of a sequence: `last` is the row that ends it. */
interface Sequence {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

const STANDARD = {
  copy: 1,
  advancePc: 2,
  advanceLine: 3,
  setFile: 4,
  setColumn: 5,
  negateStatement: 6,
  setBasicBlock: 7,
  constAddPc: 8,
  fixedAdvancePc: 9,
} as const;
const EXTENDED = { endSequence: 1, setAddress: 2, defineFile: 3 } as const;
const CONTENT = { path: 1, directory: 2 } as const;

class LineProgram {
  readonly #reader: UnitReader;
  readonly #cursor: Cursor;
  readonly #version: number;
  readonly #widths: { readonly version: number; readonly addressSize: number; readonly offsetSize: 4 | 8 };
  readonly #instruction: number;
  readonly #lineBase: number;
  readonly #lineRange: number;
  readonly #opcodeBase: number;
  /** Operands of standard operations. */
  readonly #operands: number[] = [];
  readonly #files: string[] = [];
  readonly #rows: Rows;
  #address = 0;
  #file = 1;
  #line = 1;

  constructor(reader: UnitReader, offset: number) {
    this.#reader = reader;
    const { line: section } = reader.unit.file.sections;
    const head = new Cursor(section, offset);
    const { end, offsetSize } = head.unitEnd();
    const cursor = new Cursor(section, head.at, end);
    this.#cursor = cursor;
    this.#version = cursor.u16();
    if (this.#version < 2 || this.#version > 5)
      throw cursor.error(`version ${this.#version} of line tables is unknown`, offset);
    const addressSize = this.#version >= 5 ? cursor.u8() : reader.unit.addressSize;
    if (this.#version >= 5) cursor.u8();
    this.#widths = { version: this.#version, addressSize, offsetSize };
    const length = cursor.sized(offsetSize);
    const program = cursor.at + length;
    this.#instruction = cursor.u8();
    if (this.#version >= 4) cursor.u8();
    cursor.u8();
    this.#lineBase = cursor.i8();
    this.#lineRange = cursor.u8();
    this.#opcodeBase = cursor.u8();
    if (this.#lineRange === 0) throw cursor.error('a line range of 0', offset);
    for (let i = 1; i < this.#opcodeBase; i++) this.#operands[i] = cursor.u8();
    if (this.#version >= 5) this.#readTables();
    else this.#readOldTables();
    this.#rows = new Rows(this.#files, this.#version >= 5 ? 0 : 1);
    if (program < cursor.at || program > cursor.end) throw cursor.error('the header has another length', offset);
    cursor.at = program;
  }

  get #directory(): string {
    return this.#reader.text(this.#reader.root.values.get(AT.compileDirectory)) ?? '';
  }

  #readOldTables(): void {
    const cursor = this.#cursor;
    const directories = [this.#directory];
    for (let text = cursor.text(); text !== ''; text = cursor.text()) directories.push(joined(this.#directory, text));
    for (let text = cursor.text(); text !== ''; text = cursor.text()) this.#addFile(text, directories);
  }

  #addFile(name: string, directories: readonly string[]): void {
    const cursor = this.#cursor;
    const directory = cursor.unsigned();
    cursor.unsigned();
    cursor.unsigned();
    this.#files.push(joined(directories[directory] ?? '', name));
  }

  #readTables(): void {
    const directories = this.#table().map(({ path }) => joined(this.#directory, path));
    for (const { path, directory } of this.#table()) this.#files.push(joined(directories[directory] ?? '', path));
  }

  #table(): { readonly path: string; readonly directory: number }[] {
    const cursor = this.#cursor;
    const formats: (readonly [content: number, form: number])[] = [];
    for (let left = cursor.u8(); left > 0; left--) formats.push([cursor.unsigned(), cursor.unsigned()]);
    const count = cursor.unsigned();
    const rows: { path: string; directory: number }[] = [];
    // Without a format rows have no bytes, so any count would fit.
    if (formats.every(([, form]) => form === FORM.flagPresent || form === FORM.implicitConst)) return rows;
    for (let i = 0; i < count; i++) {
      const row = { path: '', directory: 0 };
      for (const [content, form] of formats) {
        const value = readValue(cursor, this.#widths, form, 0);
        if (content === CONTENT.path) row.path = this.#reader.text(value) ?? '';
        else if (content === CONTENT.directory) row.directory = value.number;
      }
      rows.push(row);
    }
    return rows;
  }

  run(): LineTable {
    const cursor = this.#cursor;
    while (cursor.at < cursor.end) {
      const code = cursor.u8();
      if (code >= this.#opcodeBase) this.#special(code - this.#opcodeBase);
      else if (code === 0) this.#extended();
      else this.#standard(code);
    }
    return this.#rows;
  }

  #special(operation: number): void {
    this.#address += Math.floor(operation / this.#lineRange) * this.#instruction;
    this.#line += this.#lineBase + (operation % this.#lineRange);
    this.#add();
  }

  #add(): void {
    this.#rows.add(this.#address, this.#file, this.#line);
  }

  #standard(code: number): void {
    const cursor = this.#cursor;
    if (code === STANDARD.copy) this.#add();
    else if (code === STANDARD.advancePc) this.#address += cursor.unsigned() * this.#instruction;
    else if (code === STANDARD.advanceLine) this.#line += cursor.signed();
    else if (code === STANDARD.setFile) this.#file = cursor.unsigned();
    else if (code === STANDARD.constAddPc)
      this.#address += Math.floor((255 - this.#opcodeBase) / this.#lineRange) * this.#instruction;
    else if (code === STANDARD.fixedAdvancePc) this.#address += cursor.u16();
    else for (let left = this.#operands[code] ?? 0; left > 0; left--) cursor.unsigned();
  }

  #extended(): void {
    const cursor = this.#cursor;
    const size = cursor.unsigned();
    if (size === 0) return;
    const { at } = cursor;
    cursor.skip(size);
    const end = cursor.at;
    cursor.at = at;
    const code = cursor.u8();
    if (code === EXTENDED.endSequence) this.#endSequence();
    else if (code === EXTENDED.setAddress) this.#address = cursor.sized(size - 1);
    else if (code === EXTENDED.defineFile) this.#addFile(cursor.text(), [this.#directory]);
    cursor.at = end;
  }

  #endSequence(): void {
    this.#add();
    this.#rows.starts.push(this.#rows.address.length);
    this.#address = 0;
    this.#file = 1;
    this.#line = 1;
  }
}

/** A path within a directory; an absolute one stays. */
export function joined(directory: string, path: string): string {
  if (directory === '' || path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return path;
  return `${directory.replace(/\/$/, '')}/${path}`;
}
