/**
 * The tables of a program while its native places get names: names, functions, places. Rows keep their ids; functions and inlined calls that were
 * not there before are new rows.
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { ByteInterner } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { encodeUtf8, type StringId, type StringTable } from '../../base/text.js';
import {
  FRAME_MODES,
  FUNCTION_KINDS,
  type FunctionId,
  type LoadObjectId,
  type LocationId,
  type LocationTable,
  NO_LINE,
  type Program,
  UNKNOWN_BCI,
} from '../../models/program/program.js';

const NATIVE = FUNCTION_KINDS.indexOf('native');
const INLINED = FRAME_MODES.indexOf('inlined');

/** A function to add. */
export interface NewFunction {
  readonly name: string;
  readonly unit: number;
  /** Offset in the load object at which it begins; -1 if it was only inlined. */
  readonly start: number;
  /** Path of its source file. */
  readonly file: string | undefined;
  /** Other names of the linker for the same code. */
  readonly aliases?: readonly string[];
}

/** A line of the function that outlined code was made from. */
export interface OriginCall {
  readonly function: FunctionId;
  readonly line: number;
}

/** A call that was inlined at a place. */
export interface InlinedCall {
  readonly function: FunctionId;
  readonly line: number;
  /** The place of the code around it. */
  readonly into: LocationId;
}

export class Naming {
  readonly #program: Program;
  readonly #names = new ByteInterner();
  readonly #function: Int32Array;
  readonly #line: Int32Array;
  readonly #name = new Int32Builder();
  readonly #kind = new Int32Builder();
  readonly #unit = new Int32Builder();
  readonly #start = new Float64Builder();
  readonly #file = new Int32Builder();
  readonly #alias = new Int32Builder();
  readonly #aliasOf = new Int32Builder();
  readonly #inlined: InlinedCall[] = [];
  /** By place with inlined calls, its innermost one. */
  readonly #innermost = new Map<LocationId, LocationId>();
  readonly #origins: OriginCall[] = [];
  /** By place of outlined code, the place that it was made from, as an index in `#origins`. */
  readonly #originOf = new Map<LocationId, number>();
  readonly #stubs = new Set<LocationId>();
  /** StringIds of the build ids of load objects; undefined if none was added. */
  #buildId: Int32Array | undefined;
  /** The pseudo functions of files all of whose places have names: their rows are used again. */
  readonly #unused: FunctionId[] = [];

  constructor(program: Program) {
    this.#program = program;
    copyNames(program.names, this.#names);
    this.#function = program.locations.function.slice();
    this.#line = program.locations.line?.slice() ?? new Int32Array(program.locations.length).fill(NO_LINE);
    const { length, name, kind, unit, start, file } = program.functions;
    for (let id = 0; id < length; id++) {
      this.#name.push(name[id]);
      this.#kind.push(kind[id]);
      this.#unit.push(unit?.[id] ?? NONE);
      this.#start.push(start?.[id] ?? NONE);
      this.#file.push(file?.[id] ?? NONE);
    }
  }

  /** Adds the build id of a load object, unless the recording knows it. */
  identify(object: LoadObjectId, buildId: string | undefined): void {
    const recorded = this.#program.loadObjects?.buildId;
    if (recorded === undefined || recorded[object] >= 0 || buildId === undefined) return;
    this.#buildId ??= recorded.slice();
    this.#buildId[object] = this.#text(buildId);
  }

  functionOf(location: LocationId): FunctionId {
    return this.#function[location];
  }

  unitOf(id: FunctionId): number {
    return this.#unit.values[id];
  }

  /** The row of a pseudo function that no place has any more may become another one. */
  release(id: FunctionId): void {
    this.#unused.push(id);
  }

  add({ name, unit, start, file, aliases = [] }: NewFunction): FunctionId {
    const id = this.#unused.pop() ?? this.#newRow();
    this.#name.values[id] = this.#text(name);
    this.#kind.values[id] = NATIVE;
    this.#unit.values[id] = unit;
    this.#start.values[id] = start;
    this.#file.values[id] = file === undefined ? NONE : this.#text(file);
    for (const alias of aliases) {
      this.#aliasOf.push(id);
      this.#alias.push(this.#text(alias));
    }
    return id;
  }

  #newRow(): FunctionId {
    for (const column of [this.#kind, this.#unit, this.#file]) column.push(NONE);
    this.#start.push(NONE);
    return this.#name.push(NONE);
  }

  #text(text: string): StringId {
    const bytes = encodeUtf8(text);
    return this.#names.add(bytes, 0, bytes.length);
  }

  place(location: LocationId, of: FunctionId, line: number): void {
    this.#function[location] = of;
    if (line > 0) this.#line[location] = line;
  }

  /** Adds the calls inlined at a place, outermost first. */
  inline(location: LocationId, calls: readonly Omit<InlinedCall, 'into'>[]): void {
    let into = location;
    for (const call of calls) into = this.#program.locations.length + this.#inlined.push({ ...call, into }) - 1;
    if (into !== location) this.#innermost.set(location, into);
  }

  /** By place with inlined calls, its innermost one. */
  get innermost(): ReadonlyMap<LocationId, LocationId> {
    return this.#innermost;
  }

  /** Says that the code of a place was made from this one. */
  originate(location: LocationId, origin: OriginCall): void {
    this.#originOf.set(location, this.#origins.push(origin) - 1);
  }

  /** Says that a place is in a stub of the dynamic linker. */
  stub(location: LocationId): void {
    this.#stubs.add(location);
  }

  /** Places in stubs of the dynamic linker. */
  get stubs(): ReadonlySet<LocationId> {
    return this.#stubs;
  }

  /** By place of outlined code, the place in the function that it was made from. */
  origins(): ReadonlyMap<LocationId, LocationId> {
    const first = this.#program.locations.length + this.#inlined.length;
    return new Map([...this.#originOf].map(([location, origin]) => [location, first + origin]));
  }

  finish(): Program {
    const { functions, loadObjects } = this.#program;
    const { length } = this.#name;
    const signatureStart = new Int32Array(length + 1).fill(functions.signature.length);
    signatureStart.set(functions.signatureStart);
    const file = this.#file.finish();
    return {
      ...this.#program,
      names: { bytes: this.#names.bytes.finish(), offsets: this.#names.offsets.finish() },
      functions: {
        ...functions,
        length,
        name: this.#name.finish(),
        kind: Uint8Array.from(this.#kind.finish()),
        class: grown(functions.class, length, NONE),
        fileId: grown(functions.fileId, length, NONE),
        ...(file.some((id) => id >= 0) && { file }),
        unit: this.#unit.finish(),
        start: this.#start.finish(),
        signatureStart,
        ...(this.#alias.length > 0 && { alias: this.#alias.finish(), aliasOf: this.#aliasOf.finish() }),
      },
      locations: this.#finishLocations(),
      ...(loadObjects && this.#buildId && { loadObjects: { ...loadObjects, buildId: this.#buildId } }),
    };
  }

  #finishLocations(): LocationTable {
    const { locations } = this.#program;
    const added = this.#inlined;
    const origins = this.#origins;
    const afterCalls = locations.length + added.length;
    const all = afterCalls + origins.length;
    const appended = (
      column: Int32Array,
      ofCall: (call: InlinedCall) => number,
      ofOrigin: (origin: OriginCall) => number = () => NONE,
    ): Int32Array => {
      const values = grown(column, all, NONE);
      for (const [i, call] of added.entries()) values[locations.length + i] = ofCall(call);
      for (const [i, origin] of origins.entries()) values[afterCalls + i] = ofOrigin(origin);
      return values;
    };
    const line = appended(
      this.#line,
      (call) => Math.max(call.line, NO_LINE),
      (origin) => Math.max(origin.line, NO_LINE),
    );
    const lines = (locations.line !== undefined || line.some((each) => each !== NO_LINE)) && { line };
    if (all === locations.length) return { ...locations, function: this.#function, ...lines };
    // A call is in the same load object, at the same offset as the code that it was inlined into.
    const outermost = (call: InlinedCall): LocationId => {
      let at = call.into;
      while (at >= locations.length) at = added[at - locations.length]?.into ?? 0;
      return at;
    };
    const none = new Int32Array(locations.length).fill(NONE);
    const offset = new Float64Array(all).fill(NONE);
    offset.set(locations.offset ?? none);
    for (const [i, call] of added.entries()) offset[locations.length + i] = offset[outermost(call)];
    const mode = new Uint8Array(all);
    mode.set(locations.mode ?? new Uint8Array());
    mode.fill(INLINED, locations.length, afterCalls);
    return {
      length: all,
      function: appended(
        this.#function,
        (call) => call.function,
        (origin) => origin.function,
      ),
      ...(locations.bci && {
        bci: appended(
          locations.bci,
          () => UNKNOWN_BCI,
          () => UNKNOWN_BCI,
        ),
      }),
      loadObject: appended(locations.loadObject ?? none, (call) => locations.loadObject?.[outermost(call)] ?? NONE),
      offset,
      inlinedInto: appended(locations.inlinedInto ?? none, ({ into }) => into),
      ...lines,
      mode,
    };
  }
}

/** A column with more rows, which have `value`. */
function grown(values: Int32Array, length: number, value: number): Int32Array {
  const column = new Int32Array(length).fill(value);
  column.set(values);
  return column;
}

/** Names keep their ids. */
function copyNames({ bytes, offsets }: StringTable, into: ByteInterner): void {
  for (let id = 0; id + 1 < offsets.length; id++) into.add(bytes, offsets[id], offsets[id + 1]);
}
