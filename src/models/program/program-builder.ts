/**
 * Builds the program of a recording with names or addresses as frames: equal names are the same class, function or
 * place; equal offsets in a load object are the same place. Names are kept as recorded. 20 to 36 bytes per row while it
 * grows.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { ByteInterner, IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { decodeUtf8, encodeUtf8, type StringId } from '../../base/text.js';
import { LoadObjectBuilder, type Mapping } from './load-object-builder.js';
import { fileName, PRIMITIVES } from './names.js';
import { type NativePlace, OffsetTable } from './places.js';
import {
  CLASS_KINDS,
  type ClassId,
  FRAME_MODES,
  type FrameMode,
  FUNCTION_KINDS,
  type FunctionId,
  type FunctionTable,
  type LoadObjectId,
  type LoadObjectKind,
  type LocationId,
  type LocationTable,
  NO_LINE,
  type Program,
  UNKNOWN_BCI,
  type UnitId,
} from './program.js';

/** Stands for the class of functions without one. */
const NATIVE = -1;
const PSEUDO = -2;
const KERNEL = -3;

/** Optional data of a native function. */
export interface NativeFunction {
  readonly file?: StringId;
  readonly unit?: UnitId;
  /** Offset in the load object of its unit at which it begins. Functions with one name and two starts are different. */
  readonly start?: number;
  /** Of the operating system's kernel. */
  readonly kernel?: boolean;
}

/** Optional data of a place in native code. */
export interface NativeDetails {
  readonly line?: number;
  /** Bytecode index, of compiled methods. */
  readonly bci?: number;
  /** The place of the call that was replaced by this code. */
  readonly inlinedInto?: LocationId;
  /** Default: `inlined` for inlined code. */
  readonly mode?: FrameMode;
}

export class ProgramBuilder {
  /** Readers may add bytes here directly; the id is a `StringId`. */
  readonly names = new ByteInterner();
  readonly #classes = new IntTable();
  readonly #functions = new IntTable();
  /** (function and mode, line, bytecode index); in native code (-1 - number in `#natives`, line, function and mode). */
  readonly #locations = new IntTable();
  /** (number in `#places`, location inlined into, bytecode index). */
  readonly #natives = new IntTable(16);
  /** (load object, offset). */
  readonly #places = new OffsetTable();
  /** (source file, descriptor, number in `#bodies`) of a function: distinguishes those with the same class and name. */
  readonly #details = new IntTable(16);
  /** (unit, start) of functions. */
  readonly #bodies = new OffsetTable();
  readonly #loadObjects = new LoadObjectBuilder();

  readonly #isDotted: boolean;
  /** For the bytes of one name. */
  #scratch = new Uint8Array(256);

  /** `dottedTypes`: descriptors spell classes as `Class.getName()` does, `(Ljava.lang.String;)V`; a slash is part of a name. */
  constructor({ dottedTypes = false }: { readonly dottedTypes?: boolean } = {}) {
    this.#isDotted = dottedTypes;
  }

  get classes(): number {
    return this.#classes.length;
  }

  get functions(): number {
    return this.#functions.length;
  }

  name(text: string): StringId {
    const bytes = encodeUtf8(text);
    return this.names.add(bytes, 0, bytes.length);
  }

  /** The class of this name; a name in two modules or loaders means two classes. */
  class(name: StringId, module: StringId = NONE): ClassId {
    return this.#classes.add(name, module);
  }

  /**
   * A method of a class, or a native function where `declaring` is -1. `descriptor` is the name of its parameters and
   * return type as class files spell them, `(ILjava/lang/String;)V`.
   */
  function(declaring: ClassId, name: StringId, file: StringId = NONE, descriptor: StringId = NONE): FunctionId {
    return this.#functions.add(declaring < 0 ? NATIVE : declaring, name, this.#details.add(file, descriptor, NONE));
  }

  /** A native function with optional data. */
  native(name: StringId, { file = NONE, unit = NONE, start = NONE, kernel = false }: NativeFunction = {}): FunctionId {
    const body = unit < 0 && start < 0 ? NONE : this.#bodies.add(unit, start);
    return this.#functions.add(kernel ? KERNEL : NATIVE, name, this.#details.add(file, NONE, body));
  }

  /** A pseudo function in stacks, such as `<Truncated-stack>`; `file`: the name of its source. */
  pseudo(text: string, unit: UnitId = NONE, file: StringId = NONE): FunctionId {
    const body = unit < 0 ? NONE : this.#bodies.add(unit, NONE);
    return this.#functions.add(PSEUDO, this.name(text), this.#details.add(file, NONE, body));
  }

  /** The load object of this path and build id. */
  loadObject(
    path: StringId,
    kind: LoadObjectKind,
    buildId: StringId = NONE,
    architecture: StringId = NONE,
  ): LoadObjectId {
    return this.#loadObjects.loadObject(path, kind, buildId, architecture);
  }

  /** The load object of addresses that no mapping covers, `high` being their upper 32 bits: the lower ones are offsets. */
  unmapped(high: number): LoadObjectId {
    return this.loadObject(this.name(`0x${(high >>> 0).toString(16).padStart(8, '0')}`), 'unmapped');
  }

  /** A compile unit; without a name, it stands for the whole load object. */
  unit(name: StringId, loadObject: LoadObjectId = NONE): UnitId {
    return this.#loadObjects.unit(name, loadObject);
  }

  mapping(mapping: Mapping): void {
    this.#loadObjects.mapping(mapping);
  }

  location(of: FunctionId, line: number = NO_LINE, bci: number = UNKNOWN_BCI, mode: FrameMode = 'unknown'): LocationId {
    return this.#locations.add(of * FRAME_MODES.length + FRAME_MODES.indexOf(mode), line, bci);
  }

  /**
   * A place in native code. Without a function (-1) it is in the pseudo function of the load object: `[libc.so.6]`, as
   * in folded stacks of perf, or `[unknown]` for addresses without a mapping.
   */
  nativeLocation(
    of: FunctionId,
    { loadObject, offset }: NativePlace,
    {
      line = NO_LINE,
      bci = UNKNOWN_BCI,
      inlinedInto = NONE,
      mode = inlinedInto < 0 ? 'unknown' : 'inlined',
    }: NativeDetails = {},
  ): LocationId {
    if (!Number.isSafeInteger(offset) || offset < 0) throw new Error(`${offset} is not an offset in a load object`);
    if (inlinedInto >= this.#locations.length) throw new Error(`no location ${inlinedInto} to inline into`);
    const place = this.#natives.add(this.#places.add(loadObject, offset), inlinedInto, bci);
    const known = of < 0 ? this.#unknownIn(loadObject) : of;
    return this.#locations.add(-1 - place, line, known * FRAME_MODES.length + FRAME_MODES.indexOf(mode));
  }

  #unknownIn(loadObject: LoadObjectId): FunctionId {
    if (this.#loadObjects.isUnmapped(loadObject)) return this.pseudo('[unknown]');
    const path = this.#loadObjects.pathOf(loadObject);
    const { bytes, offsets } = this.names;
    const text = decodeUtf8(bytes.bytes, offsets.values[path], offsets.values[path + 1]);
    return this.pseudo(`[${unbracketed(fileName(text))}]`, this.unit(NONE, loadObject));
  }

  finish(): Program {
    const declaring = this.#functions.column(0);
    const details = this.#functions.column(2);
    const files = this.#details.column(0);
    const file = details.map((id) => files[id]);
    const bodies = this.#details.column(2);
    const body = details.map((id) => bodies[id]);
    // Descriptors name classes, which must all exist before the table of classes is closed.
    const { signature, signatureStart } = this.#signatures(details);
    const classCount = this.#classes.length;
    const module = this.#classes.column(1);
    const kinds = Uint8Array.from(declaring, (id) => FUNCTION_KINDS.indexOf(KIND_OF[id] ?? 'java'));
    for (let id = 0; id < declaring.length; id++) if (declaring[id] < NONE) declaring[id] = NONE;
    return {
      names: { bytes: this.names.bytes.finish(), offsets: this.names.offsets.finish() },
      classes: {
        length: classCount,
        name: this.#classes.column(0),
        kind: new Uint8Array(classCount).fill(CLASS_KINDS.indexOf('class')),
        fileId: new Int32Array(classCount).fill(NONE),
        ...(module.some((id) => id >= 0) ? { module } : {}),
      },
      functions: {
        length: declaring.length,
        name: this.#functions.column(1),
        class: declaring,
        kind: kinds,
        fileId: new Int32Array(declaring.length).fill(NONE),
        ...(file.some((id) => id >= 0) ? { file } : {}),
        ...(body.some((id) => id >= 0) ? this.#finishBodies(body) : {}),
        signatureStart,
        signature,
      },
      locations: this.#finishLocations(),
      ...this.#loadObjects.finish(),
    };
  }

  /** Unit and start of functions by their numbers in `#bodies`. */
  #finishBodies(body: Int32Array): Pick<FunctionTable, 'unit' | 'start'> {
    const { row, offset } = this.#bodies.columns();
    return {
      unit: body.map((id) => (id < 0 ? NONE : row[id])),
      start: Float64Array.from(body, (id) => (id < 0 ? NONE : offset[id])),
    };
  }

  #finishLocations(): LocationTable {
    const modes = FRAME_MODES.length;
    const [first, line, third] = [this.#locations.column(0), this.#locations.column(1), this.#locations.column(2)];
    const key = first.map((value, id) => (value < 0 ? third[id] : value));
    const compiled = this.#natives.column(2);
    const bci = third.map((value, id) => (first[id] < 0 ? compiled[-1 - first[id]] : value));
    const mode = Uint8Array.from(key, (value) => value % modes);
    return {
      length: key.length,
      function: key.map((value) => Math.floor(value / modes)),
      line,
      ...(bci.some((value) => value !== UNKNOWN_BCI) ? { bci } : {}),
      ...(mode.some((each) => each > 0) ? { mode } : {}),
      ...(first.some((value) => value < 0) ? this.#finishNatives(first) : {}),
    };
  }

  #finishNatives(first: Int32Array): Pick<LocationTable, 'loadObject' | 'offset' | 'inlinedInto'> {
    const [places, into] = [this.#natives.column(0), this.#natives.column(1)];
    const { row, offset } = this.#places.columns();
    const place = first.map((value) => (value < 0 ? places[-1 - value] : NONE));
    const inlinedInto = first.map((value) => (value < 0 ? into[-1 - value] : NONE));
    return {
      loadObject: place.map((id) => (id < 0 ? NONE : row[id])),
      offset: Float64Array.from(place, (id) => (id < 0 ? NONE : offset[id])),
      ...(inlinedInto.some((id) => id >= 0) ? { inlinedInto } : {}),
    };
  }

  /** The types of each function that has a descriptor, its return type first (JVMS 4.3.3). */
  #signatures(details: Int32Array): { signature: Int32Array; signatureStart: Int32Array } {
    const descriptors = this.#details.column(1);
    const types = Array.from(descriptors, (id) => (id < 0 ? [] : this.#typesOf(id)));
    const signatureStart = new Int32Builder(details.length + 1);
    const signature = new Int32Builder();
    for (const detail of details) {
      signatureStart.push(signature.length);
      for (const type of types[detail] ?? []) signature.push(type);
    }
    signatureStart.push(signature.length);
    return { signature: signature.finish(), signatureStart: signatureStart.finish() };
  }

  /** Other text has no types. One character per byte, so that a class keeps the bytes of its name. */
  #typesOf(descriptor: StringId): ClassId[] {
    const { bytes, offsets } = this.names;
    let text = '';
    for (let at = offsets.values[descriptor]; at < offsets.values[descriptor + 1]; at++)
      text += String.fromCharCode(bytes.bytes[at]);
    const match = /^\(((?:\[*(?:[BCDFIJSZ]|L[^;]+;))*)\)(\[*(?:[BCDFIJSZV]|L[^;]+;))$/.exec(text);
    const parameters = match?.[1]?.match(/\[*(?:[BCDFIJSZ]|L[^;]+;)/g) ?? [];
    return match === null
      ? []
      : [match[2] ?? '', ...parameters].map((type) => this.class(this.#bytes(typeName(type, this.#isDotted))));
  }

  #bytes(latin1: string): StringId {
    const { length } = latin1;
    if (this.#scratch.length < length) this.#scratch = new Uint8Array(length * 2);
    const bytes = this.#scratch;
    for (let i = 0; i < length; i++) bytes[i] = latin1.charCodeAt(i);
    return this.names.add(bytes, 0, length);
  }
}

/** `vdso` for `[vdso]`. */
function unbracketed(name: string): string {
  return /^\[.*\]$/.test(name) ? name.slice(1, -1) : name;
}

/** The name of a type as `Class.getName()` spells it, for its descriptor. */
function typeName(descriptor: string, isDotted: boolean): string {
  const name = isDotted ? descriptor : descriptor.replaceAll('/', '.');
  return name.startsWith('[') ? name : (PRIMITIVES[name] ?? name.slice(1, -1));
}

const KIND_OF: Readonly<Record<number, 'native' | 'pseudo' | 'kernel'>> = {
  [NATIVE]: 'native',
  [PSEUDO]: 'pseudo',
  [KERNEL]: 'kernel',
};
