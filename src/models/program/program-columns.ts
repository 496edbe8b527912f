/**
 * The columns of a program that grows. Rows of a program stay as they are, so those that were finished before are shared by all later
 * programs, and only new ones are added: finishing costs what was added.
 */
import { ByteBuilder, Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { NONE } from '../../base/flavor.js';
import type { OffsetTable } from './places.js';
import type { ClassId, ClassTable, FunctionTable, LocationTable } from './program.js';
import { CLASS_KINDS, FRAME_MODES, UNKNOWN_BCI } from './program.js';

/** Keys of rows, which stay as they are; `IntTable` is one. */
interface RowKeys {
  readonly length: number;
  key(row: number, which: 0 | 1 | 2): number;
}

/** A column that a table has if any of its values is not the usual one. */
class OptionalColumn<Builder extends Int32Builder | Float64Builder> {
  isSet = false;
  readonly values: Builder;
  readonly #usual: number;

  constructor(values: Builder, usual: number = NONE) {
    this.values = values;
    this.#usual = usual;
  }

  push(value: number): void {
    this.values.push(value);
    this.isSet ||= value !== this.#usual;
  }
}

/** Values so far, which stay as they are when more are pushed. */
function bytesOf({ bytes, length }: ByteBuilder): Uint8Array {
  return bytes.subarray(0, length);
}

/** Classes: (name, module). */
export class ClassColumns {
  readonly #classes: RowKeys;
  readonly #name: Int32Builder;
  readonly #kind: ByteBuilder;
  readonly #fileId: Int32Builder;
  readonly #module: OptionalColumn<Int32Builder>;

  constructor(classes: RowKeys) {
    const { length } = classes;
    this.#classes = classes;
    this.#name = new Int32Builder(length);
    this.#kind = new ByteBuilder(length);
    this.#fileId = new Int32Builder(length);
    this.#module = new OptionalColumn(new Int32Builder(length));
  }

  finish(): ClassTable {
    const { length } = this.#classes;
    const kind = CLASS_KINDS.indexOf('class');
    for (let row = this.#name.length; row < length; row++) {
      this.#name.push(this.#classes.key(row, 0));
      this.#kind.push(kind);
      this.#fileId.push(NONE);
      this.#module.push(this.#classes.key(row, 1));
    }
    return {
      length,
      name: this.#name.finish(),
      kind: bytesOf(this.#kind),
      fileId: this.#fileId.finish(),
      ...(this.#module.isSet ? { module: this.#module.values.finish() } : {}),
    };
  }
}

/** What functions refer to: details are (source file, descriptor, number in `bodies`), bodies (unit, start). */
export interface FunctionDetails {
  readonly details: RowKeys;
  readonly bodies: OffsetTable;
  /** Index into `FUNCTION_KINDS` by the class of a function, which stands for a kind if it is negative. */
  readonly kindOf: (declaring: number) => number;
  /** The types in a descriptor, its return type first. */
  readonly typesOf: (descriptor: number) => readonly ClassId[];
}

/** Functions: (class, name, number in `details`). */
export class FunctionColumns {
  readonly #functions: RowKeys;
  readonly #more: FunctionDetails;
  readonly #name: Int32Builder;
  readonly #class: Int32Builder;
  readonly #kind: ByteBuilder;
  readonly #fileId: Int32Builder;
  readonly #file: OptionalColumn<Int32Builder>;
  readonly #unit: Int32Builder;
  readonly #start: Float64Builder;
  #hasBodies = false;
  /** By detail. */
  readonly #types: (readonly ClassId[])[] = [];
  readonly #signatureStart: Int32Builder;
  readonly #signature = new Int32Builder();

  constructor(functions: RowKeys, more: FunctionDetails) {
    const { length } = functions;
    this.#functions = functions;
    this.#more = more;
    this.#name = new Int32Builder(length);
    this.#class = new Int32Builder(length);
    this.#kind = new ByteBuilder(length);
    this.#fileId = new Int32Builder(length);
    this.#file = new OptionalColumn(new Int32Builder(length));
    this.#unit = new Int32Builder(length);
    this.#start = new Float64Builder(length);
    this.#signatureStart = new Int32Builder(length + 1);
    this.#signatureStart.push(0);
  }

  /** May add classes: those that descriptors name. */
  finish(): FunctionTable {
    const { details, typesOf } = this.#more;
    for (let detail = this.#types.length; detail < details.length; detail++) {
      const descriptor = details.key(detail, 1);
      this.#types.push(descriptor < 0 ? [] : typesOf(descriptor));
    }
    const { length } = this.#functions;
    for (let row = this.#name.length; row < length; row++) this.#push(row);
    const bodies = this.#hasBodies ? { unit: this.#unit.finish(), start: this.#start.finish() } : {};
    return {
      length,
      name: this.#name.finish(),
      class: this.#class.finish(),
      kind: bytesOf(this.#kind),
      fileId: this.#fileId.finish(),
      ...(this.#file.isSet ? { file: this.#file.values.finish() } : {}),
      ...bodies,
      signatureStart: this.#signatureStart.finish(),
      signature: this.#signature.finish(),
    };
  }

  #push(row: number): void {
    const { details, bodies, kindOf } = this.#more;
    const declaring = this.#functions.key(row, 0);
    const detail = this.#functions.key(row, 2);
    const body = details.key(detail, 2);
    this.#name.push(this.#functions.key(row, 1));
    this.#class.push(Math.max(declaring, NONE));
    this.#kind.push(kindOf(declaring));
    this.#fileId.push(NONE);
    this.#file.push(details.key(detail, 0));
    this.#unit.push(body < 0 ? NONE : bodies.rowOf(body));
    this.#start.push(body < 0 ? NONE : bodies.offsetOf(body));
    this.#hasBodies ||= body >= 0;
    for (const type of this.#types[detail] ?? []) this.#signature.push(type);
    this.#signatureStart.push(this.#signature.length);
  }
}

/** What locations in native code refer to: natives are (number in `places`, location inlined into, bytecode index). */
export interface NativeLocations {
  readonly natives: RowKeys;
  readonly places: OffsetTable;
}

/** Locations: (function and mode, line, bytecode index); in native code (-1 - number in `natives`, line, function and mode). */
export class LocationColumns {
  readonly #locations: RowKeys;
  readonly #native: NativeLocations;
  readonly #function: Int32Builder;
  readonly #line: Int32Builder;
  readonly #bci: OptionalColumn<Int32Builder>;
  readonly #mode: ByteBuilder;
  #hasModes = false;
  readonly #loadObject: Int32Builder;
  readonly #offset: Float64Builder;
  readonly #inlinedInto: OptionalColumn<Int32Builder>;
  #hasNatives = false;

  constructor(locations: RowKeys, native: NativeLocations) {
    const { length } = locations;
    this.#locations = locations;
    this.#native = native;
    this.#function = new Int32Builder(length);
    this.#line = new Int32Builder(length);
    this.#bci = new OptionalColumn(new Int32Builder(length), UNKNOWN_BCI);
    this.#mode = new ByteBuilder(length);
    this.#loadObject = new Int32Builder(length);
    this.#offset = new Float64Builder(length);
    this.#inlinedInto = new OptionalColumn(new Int32Builder(length));
  }

  finish(): LocationTable {
    const { length } = this.#locations;
    for (let row = this.#line.length; row < length; row++) this.#push(row);
    return {
      length,
      function: this.#function.finish(),
      line: this.#line.finish(),
      ...(this.#bci.isSet ? { bci: this.#bci.values.finish() } : {}),
      ...(this.#hasModes ? { mode: bytesOf(this.#mode) } : {}),
      ...(this.#hasNatives ? this.#finishNatives() : {}),
    };
  }

  #finishNatives(): Pick<LocationTable, 'loadObject' | 'offset' | 'inlinedInto'> {
    return {
      loadObject: this.#loadObject.finish(),
      offset: this.#offset.finish(),
      ...(this.#inlinedInto.isSet ? { inlinedInto: this.#inlinedInto.values.finish() } : {}),
    };
  }

  #push(row: number): void {
    const locations = this.#locations;
    const { natives, places } = this.#native;
    const first = locations.key(row, 0);
    const isNative = first < 0;
    const native = -1 - first;
    const key = isNative ? locations.key(row, 2) : first;
    const mode = key % FRAME_MODES.length;
    const place = isNative ? natives.key(native, 0) : NONE;
    this.#function.push(Math.floor(key / FRAME_MODES.length));
    this.#line.push(locations.key(row, 1));
    this.#bci.push(isNative ? natives.key(native, 2) : locations.key(row, 2));
    this.#mode.push(mode);
    this.#hasModes ||= mode > 0;
    this.#loadObject.push(isNative ? places.rowOf(place) : NONE);
    this.#offset.push(isNative ? places.offsetOf(place) : NONE);
    this.#inlinedInto.push(isNative ? natives.key(native, 1) : NONE);
    this.#hasNatives ||= isNative;
  }
}
