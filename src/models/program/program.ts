/**
 * The program of a recording, as far as recorded: classes, functions, places in them, and the files that native code is
 * loaded from. One for all models of a recording. Row ids are dense and never change; `-1` is "none".
 *
 *   locations ──function──► functions ──class──► classes
 *    │  │ bytecode index         │ unit              │ name
 *    │  │ or offset              ▼                   ▼
 *    │  └─load object─┐        units               names
 *    └─inlined into   ▼          │ load object
 *      (location)   load objects ◄────────── mappings (address range, from, to)
 *
 * A place lies in bytecode (an index) or in native code (a load object and an offset in it): see places.ts. An address
 * is meaningless without its process and time, so places have none: readers look up its mapping (mappings.ts) and keep
 * load object and offset, which are the same in every run.
 */
import type { Flavor } from '../../base/flavor.js';
import type { StringTable } from '../../base/text.js';

export type ClassId = Flavor<number, 'class'>;
export type FunctionId = Flavor<number, 'function'>;
export type LocationId = Flavor<number, 'location'>;
export type LoadObjectId = Flavor<number, 'load object'>;
export type UnitId = Flavor<number, 'unit'>;

/** Origin of a class. `missing`: the file uses its number but does not define it. */
export const CLASS_KINDS = ['class', 'missing'] as const;
/**
 * `missing` as for classes. `pseudo`: not a function of the program, such as `<Total>`. `kernel`: of the operating system. `javascript`: of a
 * script, also of one that is compiled to WebAssembly.
 */
export const FUNCTION_KINDS = ['java', 'native', 'pseudo', 'missing', 'kernel', 'javascript'] as const;
/** How the code of a frame ran. `jit`: compiled, if C1 is not distinguished. `inlined`: into the frame above it. */
export const FRAME_MODES = ['unknown', 'interpreted', 'c1', 'jit', 'inlined'] as const;
export type FrameMode = (typeof FRAME_MODES)[number];

export interface ClassTable {
  readonly length: number;
  /** StringId: the name as recorded (`[Ljava.lang.String;`, `Outer$Inner`). */
  readonly name: Int32Array;
  /** Index into `CLASS_KINDS`. */
  readonly kind: Uint8Array;
  /** The number of the class in this recording only; -1 if it has none. */
  readonly fileId: Int32Array;
  /** StringId of the Java module or class loader, -1 if unknown; absent if never recorded. */
  readonly module?: Int32Array;
}

/** Function `f` has the types `signature[signatureStart[f] .. signatureStart[f + 1])`: its return type, then its parameters. */
export interface FunctionTable {
  readonly length: number;
  /** StringId: the name without class and parameters. */
  readonly name: Int32Array;
  /** ClassId of the declaring class. */
  readonly class: Int32Array;
  /** Index into `FUNCTION_KINDS`. */
  readonly kind: Uint8Array;
  readonly fileId: Int32Array;
  /** StringId of the source file, -1 if unknown; absent if never recorded. */
  readonly file?: Int32Array;
  /** UnitId of native functions, -1 if unknown; absent if never recorded. */
  readonly unit?: Int32Array;
  /** Offset in the load object of its unit at which the function begins, -1 if unknown; absent like `unit`. */
  readonly start?: Float64Array;
  /** StringIds of further names of the linker for the code of functions, and the FunctionId of each. Absent if there are none. */
  readonly alias?: Int32Array;
  readonly aliasOf?: Int32Array;
  readonly signatureStart: Int32Array;
  /** ClassIds. */
  readonly signature: Int32Array;
}

/**
 * A place in a function, in bytecode or in native code. A column is absent if no place has the value; `places.ts` reads
 * those for the position.
 */
export interface LocationTable {
  readonly length: number;
  readonly function: Int32Array;
  /** Bytecode index; negative ones are JVMCI constants (see `bciName`), `UNKNOWN_BCI` if unknown. */
  readonly bci?: Int32Array;
  /** LoadObjectId of places in native code, -1 of others. */
  readonly loadObject?: Int32Array;
  /** Bytes from the beginning of the load object, -1 if none. Files are far smaller than 2^53 bytes. */
  readonly offset?: Float64Array;
  /**
   * LocationId of the call that was replaced by this code, -1 if none was. It has the same offset and a smaller row. In
   * stacks it is the caller frame, unless a scope hides that.
   */
  readonly inlinedInto?: Int32Array;
  /** Source line from 1 on, or one of the marks below; absent if the recording has no lines. */
  readonly line?: Int32Array;
  /** Index into `FRAME_MODES`; absent if never recorded. */
  readonly mode?: Uint8Array;
}

/**
 * `jit`: code generated at run time, concatenated in order of creation. `unmapped`: addresses that no mapping covers,
 * 2^32 of them; its path is their upper half, `0x00007f3c`.
 */
export const LOAD_OBJECT_KINDS = ['executable', 'library', 'kernel', 'jit', 'jar', 'unmapped'] as const;
export type LoadObjectKind = (typeof LOAD_OBJECT_KINDS)[number];

/** A file that code is loaded from, or a pseudo file: `[vdso]`, `[kernel.kallsyms]`. */
export interface LoadObjectTable {
  readonly length: number;
  /** StringId. */
  readonly path: Int32Array;
  /** StringId of the build id in lower-case hexadecimal, -1 if unknown. */
  readonly buildId: Int32Array;
  /** StringId of the instruction set as ELF tools name it (`x86_64`, `aarch64`), -1 if unknown. */
  readonly architecture: Int32Array;
  /** Index into `LOAD_OBJECT_KINDS`. */
  readonly kind: Uint8Array;
}

/** A compile unit: the source of one compiler run, a part of a load object. */
export interface UnitTable {
  readonly length: number;
  /** StringId of its source file, -1 if only the load object is known. */
  readonly name: Int32Array;
  /** LoadObjectId, -1 if unknown. */
  readonly loadObject: Int32Array;
}

/**
 * Address ranges and times of load objects. Addresses have 64 bits: those of a kernel, and pointers with tags, are
 * beyond 2^53, where doubles lose digits, and a `BigInt64Array` allocates on each access. So a start is two halves of
 * 32 bits; sizes, offsets and times are doubles.
 */
export interface MappingTable {
  readonly length: number;
  readonly loadObject: Int32Array;
  /** Upper and lower half of the address of the first byte. */
  readonly startHigh: Uint32Array;
  readonly startLow: Uint32Array;
  /** Bytes. */
  readonly size: Float64Array;
  /** Offset in the load object of the first byte. */
  readonly offset: Float64Array;
  /** Nanoseconds since the recording began; `to` is the end, exclusive; `Infinity` if it stayed. */
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** Special values of lines. The values are those of binary HPROF (frame record). */
export const NO_LINE = 0;
export const UNKNOWN_LINE = -1;
export const COMPILED_METHOD = -2;
export const NATIVE_METHOD = -3;

/** The BCI of a place with only a known line. */
export const UNKNOWN_BCI = -5;

export interface Program {
  readonly names: StringTable;
  readonly classes: ClassTable;
  readonly functions: FunctionTable;
  readonly locations: LocationTable;
  /** Absent if there are none, like the next two. */
  readonly loadObjects?: LoadObjectTable;
  readonly units?: UnitTable;
  /** Of one process. Absent in joined recordings. */
  readonly mappings?: MappingTable;
}

/**
 * A bytecode index as text. The negative ones are the constants of JVMCI's `BytecodeFrame` (jdk.internal.vm.ci, JDK 17
 * and 25).
 */
export function bciName(bci: number): string {
  return BCI_MARKS[-bci - 1] ?? refusalOf(bci)?.why ?? String(bci);
}

/** Bytecode indices of stacks that a JVM refused: this one minus the number by which it said why. */
export const REFUSED_BCI = -100;

/** Why a JVM refused a stack, by the number of `AsyncGetCallTrace` (forte.cpp) from 0 down; undefined where it is no such index. */
export function refusalOf(bci: number): { readonly code: number; readonly why: string } | undefined {
  const code = bci - REFUSED_BCI;
  const why = code > 0 ? undefined : REFUSALS[-code];
  return why === undefined ? undefined : { code, why };
}

const REFUSALS = [
  'no Java frame',
  'class loading is off',
  'garbage collection',
  'unknown non-Java frame',
  'unwalkable non-Java frame',
  'unknown Java frame',
  'unwalkable Java frame',
  'unknown state of the thread',
  'the thread ends',
  'deoptimization',
  'safepoint',
];

const BCI_MARKS = ['unwind', 'before', 'after', 'after-exception', 'unknown', 'invalid-bci'];
