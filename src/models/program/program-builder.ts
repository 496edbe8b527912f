/**
 * Builds the program of a recording with names or addresses as frames: equal names are the same class, function or
 * place; equal offsets in a load object are the same place. Names are kept as recorded. 20 to 36 bytes per row while it
 * grows.
 */
import { ByteInterner, IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { decodeUtf8, encodeUtf8, type StringId } from '../../base/text.js';
import { LoadObjectBuilder, type Mapping } from './load-object-builder.js';
import { fileName, PRIMITIVES } from './names.js';
import { type NativePlace, OffsetTable } from './places.js';
import {
  type ClassId,
  FRAME_MODES,
  type FrameMode,
  FUNCTION_KINDS,
  type FunctionId,
  type FunctionTable,
  type LoadObjectId,
  type LoadObjectKind,
  type LocationId,
  NO_LINE,
  type Program,
  UNKNOWN_BCI,
  type UnitId,
} from './program.js';
import { ClassColumns, FunctionColumns, LocationColumns } from './program-columns.js';

/** Stands for the class of functions without one. */
const NATIVE = -1;
const PSEUDO = -2;
const KERNEL = -3;
const SCRIPT = -4;

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

  #classColumns: ClassColumns | undefined;
  #functionColumns: FunctionColumns | undefined;
  #locationColumns: LocationColumns | undefined;
  #isFinished = false;
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

  /** A function of a script; `start`: a number of the place where it begins, which tells functions of one name and file apart. */
  script(name: StringId, file: StringId, start: number): FunctionId {
    const body = start < 0 ? NONE : this.#bodies.add(NONE, start);
    return this.#functions.add(SCRIPT, name, this.#details.add(file, NONE, body));
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

  /** The program so far. Later ones share its rows: finishing again costs what was added since. */
  finish(): Program {
    // Descriptors name classes, which must all exist before the table of classes is closed.
    const functions = this.#finishFunctions();
    this.#classColumns ??= new ClassColumns(this.#classes);
    this.#locationColumns ??= new LocationColumns(this.#locations, { natives: this.#natives, places: this.#places });
    return {
      names: { bytes: this.#finishNames(), offsets: this.names.offsets.finish() },
      classes: this.#classColumns.finish(),
      functions,
      locations: this.#locationColumns.finish(),
      ...this.#loadObjects.finish(),
    };
  }

  /** The first time a copy without room for more, since a builder mostly ends then. */
  #finishNames(): Uint8Array {
    const { bytes } = this.names;
    if (this.#isFinished) return bytes.bytes.subarray(0, bytes.length);
    this.#isFinished = true;
    return bytes.finish();
  }

  #finishFunctions(): FunctionTable {
    this.#functionColumns ??= new FunctionColumns(this.#functions, {
      details: this.#details,
      bodies: this.#bodies,
      kindOf: (declaring) => FUNCTION_KINDS.indexOf(KIND_OF[declaring] ?? 'java'),
      typesOf: (descriptor) => this.#typesOf(descriptor),
    });
    return this.#functionColumns.finish();
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

const KIND_OF: Readonly<Record<number, 'native' | 'pseudo' | 'kernel' | 'javascript'>> = {
  [NATIVE]: 'native',
  [PSEUDO]: 'pseudo',
  [KERNEL]: 'kernel',
  [SCRIPT]: 'javascript',
};
