/**
 * LOAD CLASS and FRAME records. Names and classes may come after their references, so all are kept by number until the end
 * of the file. 52 bytes a class, 56 a frame.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import type { StringId } from '../../../base/text.js';
import type { ClassId, LocationId } from '../../../models/program/program.js';
import { NATIVE_METHOD, UNKNOWN_LINE } from '../../../models/program/program.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { NOT_IN_FILE } from '../../shared/hprof/traces.js';
import { type NameReference, type NameTable, rotated, unrotated } from './names.js';

/** Classes by serial and by id. The first record of a serial, or id, counts: HotSpot 17 writes those of arrays twice. */
export class ClassTable {
  readonly #program: ProgramBuilder;
  readonly #names: NameTable;
  readonly #serials = new IntTable();
  readonly #ids = new IntTable();
  /** By number in `#ids`: the first row. */
  readonly #first = new Int32Builder();
  /** By row, which is the number in `#serials`. */
  readonly #name = new Int32Builder();
  readonly #trace = new Float64Builder();
  readonly #class = new Int32Builder();

  constructor(program: ProgramBuilder, names: NameTable) {
    this.#program = program;
    this.#names = names;
  }

  /** Adds a class; false if its serial was there, with another name. */
  load(serial: number, high: number, low: number, trace: number, name: NameReference): boolean {
    const known = this.#serials.length;
    const row = this.#serials.add(serial | 0);
    const isNew = row === known;
    if (isNew) {
      this.#name.push(name);
      this.#trace.push(trace);
      this.#class.push(NONE);
    }
    const ids = this.#ids.length;
    if (this.#ids.add(rotated(low), high) === ids) this.#first.push(row);
    return isNew || this.#name.values[row] === name;
  }

  /** The row of a serial; -1 if no record has it. */
  ofSerial(serial: number): number {
    return this.#serials.find(serial | 0);
  }

  /** The row of an id, a double; -1 if no record has it. */
  ofId(id: number): number {
    const number = this.#ids.find(rotated(id | 0), Math.floor(id / 2 ** 32) | 0);
    return number < 0 ? NONE : this.#first.values[number];
  }

  /** The first id of a class with this name, as recorded: halves of it; undefined if no record has it. */
  idNamed(name: Uint8Array): { readonly high: number; readonly low: number } | undefined {
    for (let number = 0; number < this.#ids.length; number++)
      if (this.#names.isText(this.#name.values[this.#first.values[number]], name))
        return { high: this.#ids.key(number, 1) >>> 0, low: unrotated(this.#ids.key(number, 0)) };
    return undefined;
  }

  serial(row: number): number {
    return this.#serials.key(row, 0) >>> 0;
  }

  /** Serial of the trace that loaded the class; 0 none. */
  trace(row: number): number {
    return this.#trace.values[row];
  }

  nameOf(row: number): NameReference {
    return row < 0 ? NONE : this.#name.values[row];
  }

  /** The class of a row in the program; `<Unknown>` where it, or its name, is missing. All names must have been read. */
  class(row: number): ClassId {
    if (row < 0) return this.#program.class(this.name(row));
    const known = this.#class.values[row];
    if (known >= 0) return known;
    this.#class.values[row] = this.#program.class(this.name(row));
    return this.#class.values[row];
  }

  /** The name of a class in the program, likewise. */
  name(row: number): StringId {
    const name = row < 0 ? NONE : this.#names.className(this.#name.values[row]);
    return name < 0 ? this.#program.name(NOT_IN_FILE) : name;
  }
}

export class FrameTable {
  readonly #program: ProgramBuilder;
  readonly #names: NameTable;
  readonly #classes: ClassTable;
  readonly #ids = new IntTable();
  /** By number of an id: its row; -1 while it is only referred to. */
  readonly #rows = new Int32Builder();
  readonly #method = new Int32Builder();
  readonly #signature = new Int32Builder();
  readonly #source = new Int32Builder();
  readonly #class = new Int32Builder();
  readonly #line = new Int32Builder();
  /** By location: a row. */
  readonly #rowOf = new Int32Builder();

  constructor(program: ProgramBuilder, names: NameTable, classes: ClassTable) {
    this.#program = program;
    this.#names = names;
    this.#classes = classes;
  }

  /** The reference to a frame by the two halves of its id. */
  refer(high: number, low: number): number {
    const known = this.#ids.length;
    const reference = this.#ids.add(rotated(low), high);
    if (reference === known) this.#rows.push(NONE);
    return reference;
  }

  /** Adds a frame; false if another one has its reference. `of`: serial of the class. */
  define(
    reference: number,
    frame: { method: NameReference; signature: NameReference; source: NameReference; of: number; line: number },
  ): boolean {
    if (this.#rows.values[reference] >= 0) return false;
    this.#rows.values[reference] = this.#method.length;
    this.#method.push(frame.method);
    this.#signature.push(frame.signature);
    this.#source.push(frame.source);
    this.#class.push(frame.of | 0);
    this.#line.push(frame.line < NATIVE_METHOD ? UNKNOWN_LINE : frame.line);
    return true;
  }

  /** Number of references without a frame, and of frames without a class. */
  get missing(): { readonly frames: number; readonly classes: number } {
    let frames = 0;
    let classes = 0;
    for (let i = 0; i < this.#rows.length; i++) if (this.#rows.values[i] < 0) frames++;
    for (let i = 0; i < this.#class.length; i++) if (this.#classes.ofSerial(this.#class.values[i]) < 0) classes++;
    return { frames, classes };
  }

  /** Turns references into locations, in place. All names must have been read. */
  toLocations(frames: Int32Builder): void {
    const locations = new Int32Array(this.#rows.length).fill(NONE);
    for (let i = 0; i < frames.length; i++) {
      const reference = frames.values[i];
      if (locations[reference] < 0) locations[reference] = this.#location(this.#rows.values[reference]);
      frames.values[i] = locations[reference];
    }
  }

  #location(row: number): LocationId {
    const program = this.#program;
    if (row < 0) return program.location(program.pseudo(NOT_IN_FILE));
    const names = this.#names;
    const declaring = this.#classes.class(this.#classes.ofSerial(this.#class.values[row]));
    const method = names.name(this.#method.values[row]);
    const name = method < 0 ? program.name(NOT_IN_FILE) : method;
    const file = names.name(this.#source.values[row]);
    const of = program.function(declaring, name, file, names.name(this.#signature.values[row]));
    const location = program.location(of, this.#line.values[row]);
    while (this.#rowOf.length <= location) this.#rowOf.push(NONE);
    this.#rowOf.values[location] = row;
    return location;
  }

  /** `class.method` of a location. */
  methodOf(location: LocationId): string {
    const row = location < this.#rowOf.length ? this.#rowOf.values[location] : NONE;
    if (row < 0) return NOT_IN_FILE;
    const of = this.#names.text(this.#classes.nameOf(this.#classes.ofSerial(this.#class.values[row])));
    const name = this.#names.text(this.#method.values[row]);
    return `${of?.replaceAll('/', '.') ?? NOT_IN_FILE}.${name ?? NOT_IN_FILE}`;
  }
}
